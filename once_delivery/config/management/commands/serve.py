"""``manage.py serve``: the whole house on this machine, until Ctrl-C."""

from __future__ import annotations

import contextlib
import http.client
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from honcho.environ import parse_procfile

from once_delivery.common.languages import terminal_language
from once_delivery.config.house import demo_cms, steps
from once_delivery.config.house.demo_cms import DemoCms
from once_delivery.config.house.ports import free_port
from once_delivery.config.house.running import House, described, only_one, running_house
from once_delivery.config.house.supervisor import Supervisor
from once_delivery.config.house.wagtail_site import SiteFailedError

WEB_PORT = 8000
SANDBOX_PORT = 8100
WAGTAIL_PORT = 8200
DRILL_PROXY_PORT = 8300
READY_SECONDS = 60
INTERRUPTED, TERMINATED = 130, 143


class Command(BaseCommand):
    help = "Sets the demo up, runs the drill, then serves web, worker, beat, sandbox, drill proxy and Wagtail until Ctrl-C."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--no-drill", action="store_true", help="do not run the drill first")
        parser.add_argument(
            "--only-drill", action="store_true", help="run the drill, then end with its verdict"
        )
        parser.add_argument("--web-port", type=int, default=WEB_PORT)
        parser.add_argument("--sandbox-port", type=int, default=SANDBOX_PORT)
        parser.add_argument("--wagtail-port", type=int, default=WAGTAIL_PORT)
        parser.add_argument("--drill-proxy-port", type=int, default=DRILL_PROXY_PORT)
        parser.add_argument("--no-wagtail", action="store_true", help="the sandbox alone")
        parser.add_argument(
            "drill_arguments", nargs="*", help="with --only-drill: arguments of the drill, after --"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        # told to end while still setting up: what was started so far ends too
        signal.signal(signal.SIGTERM, lambda *_told: sys.exit(TERMINATED))
        server = settings.DATABASES["default"]["EMBEDDED"]
        with (
            translation.override(terminal_language(None, os.environ)),
            contextlib.nullcontext() if server is None else server.in_use(),
        ):
            try:
                code = self._only_drill(options) if options["only_drill"] else self._serve(options)
            except KeyboardInterrupt:
                code = INTERRUPTED
            steps.leave_database()
        sys.exit(code)

    def _only_drill(self, options: dict[str, Any]) -> int:
        steps.set_up()
        house = running_house(settings.STATE_DIR)
        if house is None:
            with steps.sandbox_running(free_port(options["sandbox_port"])):
                steps.seed()
                return steps.drill(options["drill_arguments"])
        # its sandbox is where people look
        port = int(house.sandbox_url.rsplit(":", 1)[1])
        sandbox = steps.Sandbox(house.sandbox_url, port, steps.sandbox_token())
        with steps.environment(**steps.sandbox_environment(sandbox)):
            steps.seed()
            return steps.drill(options["drill_arguments"])

    def _serve(self, options: dict[str, Any]) -> int:
        with only_one(settings.STATE_DIR):
            web_port = free_port(options["web_port"], taken=frozenset({options["sandbox_port"]}))
            sandbox_port = free_port(options["sandbox_port"], taken=frozenset({web_port}))
            proxy_port = free_port(options["drill_proxy_port"], taken=frozenset({web_port, sandbox_port}))
            house = House(
                pid=os.getpid(),
                web_url=f"http://localhost:{web_port}",
                sandbox_url=f"http://127.0.0.1:{sandbox_port}",
                drill_proxy_url=f"http://127.0.0.1:{proxy_port}",
            )
            with described(settings.STATE_DIR, house):
                self.stdout.write(_("Setting up the database, the translations and the files …"))
                steps.set_up()
                with steps.sandbox_running(sandbox_port) as sandbox:
                    accounts = steps.seed()
                    self._drill(skip=options["no_drill"])
                    self._told(steps.deliver)
                    steps.cost()
                cms = None if options["no_wagtail"] else self._wagtail(options["wagtail_port"])
                steps.leave_database()
                theirs = cms.environment() if cms is not None else {}
                ours = self._environment(web_port, sandbox, house)
                ours["ONCE_DRILL_PROXY_PORT"] = str(proxy_port)
                with steps.environment(**theirs, **ours):
                    return self._supervise(house, accounts, cms)

    def _drill(self, *, skip: bool) -> None:
        passed_at = steps.drill_passed_at()
        if skip or passed_at:
            when = date_format(localtime(passed_at), "DATETIME_FORMAT") if passed_at else "–"
            self.stdout.write(_("Last passed drill: %(when)s; make drill runs it again.") % {"when": when})
            return
        self.stdout.write(_("Running the acceptance drill; it takes half a minute …"))
        try:
            steps.drill([])
        except CommandError as error:  # it could not be run: nothing that was to be served depends on it
            self.stdout.write(str(error))
            self.stdout.write(_("The house goes on without it; make drill runs it again."))

    def _told(self, step: Callable[[], None]) -> None:
        """A vendor's drill may hold the demo's target where it was: nothing that is to be served depends on it."""
        try:
            step()
        except CommandError as error:
            self.stdout.write(str(error))

    def _wagtail(self, usual_port: int) -> DemoCms | None:
        """The demo's real CMS, with the sample batch in it; None when it cannot be had."""
        if not demo_cms.is_prepared():
            self.stdout.write(_("Setting up Wagtail, a real CMS; the first time takes half a minute …"))
        try:
            cms = demo_cms.prepare(free_port(usual_port))
            self._told(partial(steps.deliver_to_wagtail, cms))
        except SiteFailedError as error:
            reason = str(error).splitlines()[-1] if str(error) else ""
            self.stdout.write(
                _(
                    "Wagtail cannot be had now (the first time it needs the network), and the house goes on without it: %(reason)s"
                )
                % {"reason": reason}
            )
            return None
        return cms

    def _environment(self, web_port: int, sandbox: steps.Sandbox, house: House) -> dict[str, str]:
        return {
            **steps.sandbox_environment(sandbox),
            "PORT": str(web_port),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
            "PYTHONUNBUFFERED": "1",
            "ONCE_STATE_DIR": str(settings.STATE_DIR),
            "ONCE_SITE_URL": os.environ.get("ONCE_SITE_URL", house.web_url),
            # Celery's advice against root is for machines, not for a container of one's own
            "PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges",
            # people read along here; machines set their own
            "ONCE_LOG_FORMAT": os.environ.get("ONCE_LOG_FORMAT", "plain"),
            "ONCE_LOG_LEVEL": os.environ.get("ONCE_LOG_LEVEL", "WARNING"),
        }

    def _supervise(self, house: House, accounts: str, cms: DemoCms | None) -> int:
        supervisor = Supervisor()
        procfile = parse_procfile((Path(settings.BASE_DIR) / "Procfile").read_text(encoding="utf-8"))
        for name, command in procfile.processes.items():
            if name == "wagtail" and cms is None:
                continue
            supervisor.add_process(name, command, cwd=str(settings.BASE_DIR))
        lines = [
            "",
            _("ONCE delivery: %(url)s") % {"url": house.web_url},
            _("Sandbox CMS:   %(url)s") % {"url": house.sandbox_url},
            *_about(cms),
            *accounts.splitlines(),
            _("Ctrl-C ends everything."),
            "",
        ]
        threading.Thread(target=_greet, args=(supervisor, house, lines), daemon=True).start()
        supervisor.loop()
        return int(supervisor.returncode or 0)


def _about(cms: DemoCms | None) -> list[str]:
    if cms is None:
        return []
    values = {"url": cms.admin_url, "name": demo_cms.ADMIN, "password": cms.password}
    return [_("Wagtail CMS:   %(url)s  %(name)s  %(password)s") % values]


def _greet(supervisor: Supervisor, house: House, lines: list[str]) -> None:
    """Say where everything is, as soon as the web answers."""
    port = int(house.web_url.rsplit(":", 1)[1])
    until = time.monotonic() + READY_SECONDS
    while not _answers(port) and time.monotonic() < until:
        time.sleep(0.2)
    for line in lines:
        supervisor.say(line)


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.client.OK
    except OSError:
        return False
    finally:
        connection.close()
