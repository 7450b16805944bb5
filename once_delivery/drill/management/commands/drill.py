"""``manage.py drill``: run the acceptance drill, print it, exit non-zero when a verdict is a fail."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError
from once_delivery.drill.models import Drill, DrillStatus
from once_delivery.drill.report import context
from once_delivery.drill.sandbox_process import sandbox
from once_delivery.drill.scenario import TWELVE
from once_delivery.drill.services.ask_drill import end_broken, take_drill
from once_delivery.drill.services.drill_target import drill_target
from once_delivery.drill.services.run_drill import GUARDS, run_drill
from once_delivery.drill.tables import lines
from once_delivery.targets.models import Target
from once_delivery.targets.profile import Guard

BROKEN = 2


class Command(BaseCommand):
    help = "Runs the acceptance drill on ONCE itself, against the sandbox CMS or a test target, judged by its inventory."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--project", default="demo", help="code of the project (default: demo)")
        parser.add_argument(
            "--locales", type=int, default=1, choices=range(1, len(TWELVE) + 1), metavar="1-12"
        )
        parser.add_argument("--guard", action="append", choices=[str(guard) for guard in Guard])
        parser.add_argument("--language", default=None, help="en or zh-hans")
        parser.add_argument("--html", type=Path, help="write the report as a page that prints well")
        parser.add_argument("--json", type=Path, help="write the report as JSON")
        parser.add_argument(
            "--target", default="", help="a test target of the project, instead of the sandbox"
        )
        parser.add_argument("--drill", default="", help="a drill that was asked for on a page (its UUID)")
        parser.add_argument("--sandbox-url", default=os.environ.get("ONCE_SANDBOX_URL", ""))

    def handle(self, *args: Any, **options: Any) -> None:
        with translation.override(options["language"] or translation.get_language()):
            drill = self._run(options)
            for line in lines(drill.report):
                self.stdout.write(line)
            self._write_files(drill, options)
            passed = drill.status == DrillStatus.PASSED
            self.stdout.write("")
            self.stdout.write(
                _("Every verdict is a pass.") if passed else _("At least one verdict is a FAIL.")
            )
        if not passed:
            raise SystemExit(1)

    def _run(self, options: dict[str, Any]) -> Drill:
        if options["drill"]:
            return self._asked(options)
        project = Project.objects.filter(code=options["project"]).first()
        if project is None:
            raise CommandError(
                _("There is no project “%(code)s”; manage.py seed_demo makes the demo.")
                % {"code": options["project"]},
                returncode=BROKEN,
            )
        if options["target"]:
            return self._on_target(project, options)
        return self._on_sandbox(project, options)

    def _asked(self, options: dict[str, Any]) -> Drill:
        """One that was asked for on a page: it says itself what is wanted."""
        drill = Drill.objects.select_related("project", "started_by").filter(uuid=options["drill"]).first()
        if drill is None or not take_drill(drill):
            raise CommandError(
                _("This drill is not asked for, or another process has it."), returncode=BROKEN
            )
        options = {**options, "locales": int(drill.options.get("locales", 1)), "guard": None, "asked": drill}
        try:
            if drill.options.get("target"):
                target = Target.objects.get(project=drill.project, uuid=drill.options["target"])
                return drill_target(
                    target=target,
                    locales=TWELVE[: options["locales"]],
                    user=drill.started_by,
                    asked=drill,
                )
            return self._on_sandbox(drill.project, options)
        except DomainError as error:
            end_broken(drill, error)
            raise CommandError(str(error), returncode=BROKEN) from error

    def _on_sandbox(self, project: Project, options: dict[str, Any]) -> Drill:
        asked: Drill | None = options.get("asked")
        guards = tuple(Guard(name) for name in options["guard"]) if options["guard"] else GUARDS
        token = os.environ.get("ONCE_SANDBOX_ADMIN_TOKEN", "")
        try:
            with sandbox(url=options["sandbox_url"], token=token) as admin:
                return run_drill(
                    project=project,
                    admin=admin,
                    locales=TWELVE[: options["locales"]],
                    guards=guards,
                    user=asked.started_by if asked else None,
                    asked=asked,
                )
        except DomainError as error:
            if asked:
                raise
            raise CommandError(str(error), returncode=BROKEN) from error

    def _on_target(self, project: Project, options: dict[str, Any]) -> Drill:
        target = Target.objects.filter(project=project, name=options["target"]).first()
        if target is None:
            raise CommandError(_("There is no such target."), returncode=BROKEN)
        try:
            return drill_target(target=target, locales=TWELVE[: options["locales"]])
        except DomainError as error:
            raise CommandError(str(error), returncode=BROKEN) from error

    def _write_files(self, drill: Drill, options: dict[str, Any]) -> None:
        if options["json"]:
            options["json"].write_text(
                json.dumps(drill.report, ensure_ascii=False, indent=2), encoding="utf-8"
            )
        if options["html"]:
            page = render_to_string("drill/report_file.html", context(drill))
            options["html"].write_text(page, encoding="utf-8")
