"""What must be done before the house serves; each step is quick when there is nothing to do."""

from __future__ import annotations

import contextlib
import gettext as gettext_module
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connections
from django.utils import translation
from django.utils.translation import trans_real

from once_delivery.accounts.models import Project
from once_delivery.config.house import demo_cms
from once_delivery.config.house.demo_cms import DemoCms
from once_delivery.config.kept_secret import kept_secret
from once_delivery.drill.models import Drill, DrillStatus
from once_delivery.drill.services.deliver_to_wagtail import delivered_to_wagtail
from once_delivery.intake.services.seed_demo import PROJECT_CODE
from once_delivery.sandbox.process import SandboxProcess


@dataclass(frozen=True, slots=True)
class Sandbox:
    url: str
    port: int
    token: str


def set_up() -> None:
    """The database has every table, the translations are compiled, the static files are collected."""
    call_command("migrate", verbosity=0, interactive=False)
    call_command("messages", "--compile")
    forget_translations()
    collect_static()


def forget_translations() -> None:
    """What was not compiled when this process began is looked for again."""
    gettext_module._translations = {}  # type: ignore[attr-defined] # noqa: SLF001 - as Django's own reloader does
    trans_real._translations = {}  # type: ignore[attr-defined] # noqa: SLF001
    trans_real._default = None  # type: ignore[attr-defined] # noqa: SLF001
    translation.activate(translation.get_language() or settings.LANGUAGE_CODE)


def seed() -> str:
    """The demo project exists; returns what the command tells of it: the demo accounts."""
    told = StringIO()
    call_command("seed_demo", stdout=told)
    return told.getvalue().strip()


def drill(arguments: list[str], **options: Any) -> int:
    """Run the drill and print its table; its exit code."""
    try:
        call_command("drill", *arguments, **options)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    return 0


def drill_passed_at() -> datetime | None:
    """When a drill was last passed here."""
    passed = Drill.objects.filter(status=DrillStatus.PASSED).order_by("-finished_at")
    return passed.values_list("finished_at", flat=True).first()


def deliver() -> None:
    """The sample batch stands in the sandbox CMS."""
    call_command("deliver_demo")


def cost() -> None:
    """The demo keeps accounts of what was delivered, at made-up rates; with the sandbox running, whose drafts are read."""
    call_command("seed_demo_costs", PROJECT_CODE)


def deliver_to_wagtail(cms: DemoCms) -> None:
    """The sample batch stands in Wagtail, which is started for it only when something is missing there."""
    project = Project.objects.get(code=PROJECT_CODE)
    needed = contextlib.nullcontext() if delivered_to_wagtail(project) else demo_cms.running(cms)
    with environment(**cms.environment()), needed:
        call_command("deliver_demo_to_wagtail", if_new=True)


@contextlib.contextmanager
def sandbox_running(port: int) -> Iterator[Sandbox]:
    """The sandbox CMS serves on ``port`` inside the block, and this process and its children know it."""
    data = Path(settings.STATE_DIR) / "sandbox"
    token = sandbox_token()
    with SandboxProcess(data, port=port, admin_token=token) as process:
        sandbox = Sandbox(process.base_url, process.port, token)
        with environment(**sandbox_environment(sandbox)):
            yield sandbox


def sandbox_token() -> str:
    return kept_secret(Path(settings.STATE_DIR) / "sandbox-token")


def sandbox_environment(sandbox: Sandbox) -> dict[str, str]:
    return {
        "ONCE_SANDBOX_URL": sandbox.url,
        "ONCE_SANDBOX_PORT": str(sandbox.port),
        "ONCE_SANDBOX_ADMIN_TOKEN": sandbox.token,
    }


@contextlib.contextmanager
def environment(**values: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def collect_static() -> None:
    """Collected, hashed and compressed; skipped when no source is newer than the last time."""
    stamp = Path(settings.STATIC_ROOT) / ".collected"
    if stamp.exists() and _newest_source() <= stamp.stat().st_mtime:
        return
    call_command("collectstatic", verbosity=0, interactive=False)
    stamp.touch()


def _newest_source() -> float:
    files = (Path(storage.path(name)) for finder in get_finders() for name, storage in finder.list([]))
    return max((file.stat().st_mtime for file in files), default=0.0)


def leave_database() -> None:
    """No connection is inherited by the processes that are started next."""
    connections.close_all()
