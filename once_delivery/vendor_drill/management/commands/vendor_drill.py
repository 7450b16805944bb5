"""``manage.py vendor_drill``: put any vendor's workflow to the test from a terminal."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError
from once_delivery.targets.base import Kind
from once_delivery.targets.models import Target
from once_delivery.vendor_drill.addresses import base_url_of
from once_delivery.vendor_drill.agreement import Agreement
from once_delivery.vendor_drill.evidence import calls_of
from once_delivery.vendor_drill.models import Declared, Fault, Recognise, VendorDrill, VendorDrillStatus
from once_delivery.vendor_drill.report import call_document, context, document, lines
from once_delivery.vendor_drill.running_here import sandbox_token, sandbox_url
from once_delivery.vendor_drill.selectors import summary_of
from once_delivery.vendor_drill.services.close_drill import close_drill, close_overdue
from once_delivery.vendor_drill.services.declare import declare
from once_delivery.vendor_drill.services.judge_drill import judge_drill
from once_delivery.vendor_drill.services.open_drill import open_drill
from once_delivery.vendor_drill.services.start_drill import start_drill

FAILED, BROKEN = 1, 2
SANDBOX = "sandbox"
LOOK_EVERY_S = 0.5


class Command(BaseCommand):
    help = "Drills a vendor's workflow: start gives a base URL, finish counts the target and judges."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--language", default=None, help="en or zh-hans")
        verbs = parser.add_subparsers(dest="verb", required=True)
        self._add_start(verbs.add_parser("start", help="count the target and open the proxy's door"))
        for verb, help_text in (
            ("follow", "print each request as it comes, until the drill is over"),
            ("finish", "close it, count the target, judge; exit 1 when a verdict is a fail"),
            ("report", "print what was judged"),
        ):
            one = verbs.add_parser(verb, help=help_text)
            one.add_argument("drill", help="its UUID")
            one.add_argument("--html", type=Path, help="write the report as a page that prints well")
            one.add_argument("--json", type=Path, help="write the report as JSON")
        said = verbs.add_parser("declare", help="what the vendor's lead says, with a name")
        said.add_argument("drill", help="its UUID")
        said.add_argument("--item", required=True, help="letter of the item")
        said.add_argument("--name", required=True, help="who says it")
        said.add_argument("--note", default="")
        said.add_argument(
            "--second-run", action="store_true", help="a second run was started while it was held"
        )

    def _add_start(self, start: CommandParser) -> None:
        start.add_argument("--vendor", required=True, help="whose workflow it is")
        start.add_argument("--project", default="demo", help="code of the project (default: demo)")
        start.add_argument(
            "--target", default=SANDBOX, help="a test target; sandbox: a new space of the sandbox CMS"
        )
        start.add_argument("--items", type=int, default=3)
        start.add_argument(
            "--fault", action="append", choices=Fault.values, help="may be given several times"
        )
        start.add_argument(
            "--field", default="", help="json:/title, form:title or header:X-Task; without it by order"
        )
        start.add_argument("--value", action="append", default=[], help="what the field holds, for A, B, C …")
        start.add_argument(
            "--creates-at", default="", help="the path of creating calls begins so, as /drafts"
        )
        start.add_argument(
            "--kind", default=Kind.CREATE_DRAFT, help="what is counted (default: create_draft)"
        )
        start.add_argument("--limit", type=int, default=3600, metavar="SECONDS")
        start.add_argument("--slow", type=float, default=20.0, metavar="SECONDS")
        start.add_argument("--race", type=float, default=30.0, metavar="SECONDS")
        start.add_argument("--machine", action="store_true", help="print one line of JSON")
        start.add_argument("--sandbox-url", default=sandbox_url())

    def handle(self, *args: Any, verb: str, **options: Any) -> None:
        with translation.override(options["language"] or translation.get_language()):
            try:
                getattr(self, f"_{verb}")(options)
            except DomainError as error:
                raise CommandError(str(error), returncode=BROKEN) from error

    def _start(self, options: dict[str, Any]) -> None:
        project = Project.objects.filter(code=options["project"]).first()
        if project is None:
            raise CommandError(_("There is no such project."), returncode=BROKEN)
        target = None if _in_sandbox(options) else self._target(project, options)
        started = start_drill(
            project=project,
            target=target,
            agreement=_agreement(options),
            user=None,
            sandbox_url=options["sandbox_url"],
            sandbox_token=sandbox_token(),
        )
        drill = open_drill(drill=started.drill)
        told = {
            "drill": str(drill.uuid),
            "base_url": base_url_of(started.secret),
            "token": started.token,
            "target": drill.target.name,
        }
        if options["machine"]:
            self.stdout.write(json.dumps(told))
            return
        self.stdout.write(_("Drill:    %(drill)s") % told)
        self.stdout.write(_("Base URL: %(base_url)s") % told)
        if started.token:
            self.stdout.write(_("Token:    %(token)s") % told)
        self.stdout.write(_("Put the base URL in place of the CMS's address; it is shown this once."))

    def _target(self, project: Project, options: dict[str, Any]) -> Target:
        target = Target.objects.filter(project=project, name=options["target"]).first()
        if target is None:
            raise CommandError(_("There is no such target."), returncode=BROKEN)
        return target

    def _follow(self, options: dict[str, Any]) -> None:
        drill, shown = _drill(options), 0
        while True:
            calls = calls_of(drill)
            for call in calls[shown:]:
                if not call.ended and drill.status == VendorDrillStatus.OPEN:
                    break  # it is printed with its end
                one = call_document(call)
                self.stdout.write(
                    f"{one['number']:>4} {call.at:%H:%M:%S} {one['item'] or '-'} {one['method']} {one['path']} "
                    f"{one['status'] or '-'} {one['fault_words']} {one['note_words']}".rstrip()
                )
                shown += 1
            drill.refresh_from_db()
            if drill.status not in {VendorDrillStatus.OPEN, VendorDrillStatus.ASKED}:
                return
            close_overdue()
            time.sleep(LOOK_EVERY_S)

    def _declare(self, options: dict[str, Any]) -> None:
        kind = Declared.SECOND_RUN if options["second_run"] else Declared.STOPPED
        declare(
            drill=_drill(options),
            kind=kind,
            item=options["item"],
            name=options["name"],
            note=options["note"],
            user=None,
        )

    def _finish(self, options: dict[str, Any]) -> None:
        drill = _drill(options)
        if not drill.is_over:
            close_overdue()
            judge_drill(drill=close_drill(drill=drill, user=None))
        self._report(options)

    def _report(self, options: dict[str, Any]) -> None:
        drill = _drill(options)
        for line in lines(drill):
            self.stdout.write(line)
        if options["json"]:
            text = json.dumps(document(drill), ensure_ascii=False, indent=2)
            options["json"].write_text(text, encoding="utf-8")
        if options["html"]:
            page = render_to_string("vendor_drill/report_file.html", context(drill))
            options["html"].write_text(page, encoding="utf-8")
        passed = summary_of(drill).passed
        if passed is None:
            raise CommandError(_("It is not judged."), returncode=BROKEN)
        self.stdout.write(_("Every verdict is a pass.") if passed else _("At least one verdict is a FAIL."))
        if not passed:
            raise SystemExit(FAILED)


def _drill(options: dict[str, Any]) -> VendorDrill:
    try:
        wanted = UUID(options["drill"])
    except ValueError:
        raise CommandError(_("There is no such drill."), returncode=BROKEN) from None
    found = VendorDrill.objects.select_related("project", "target").filter(uuid=wanted).first()
    if found is None:
        raise CommandError(_("There is no such drill."), returncode=BROKEN)
    return found


def _agreement(options: dict[str, Any]) -> Agreement:
    how, _colon, place = options["field"].partition(":")
    return Agreement(
        vendor=options["vendor"],
        count=options["items"],
        faults=tuple(options["fault"] or [Fault.ANSWER_LOST]),
        recognise=how or Recognise.ORDER,
        place=place,
        values=tuple(options["value"]),
        creates_at=options["creates_at"],
        kind=options["kind"],
        limit_s=options["limit"],
        slow_s=options["slow"],
        race_s=options["race"],
    )


def _in_sandbox(options: dict[str, Any]) -> bool:
    return bool(options["target"] == SANDBOX and options["sandbox_url"])
