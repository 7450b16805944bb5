"""``manage.py probe_target PROJECT NAME``: hold what a target claims against the target itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from once_delivery.common.errors import DomainError
from once_delivery.ledger.probe_turns import GateTurns
from once_delivery.targets.base import Kind
from once_delivery.targets.models import Probe, Target
from once_delivery.targets.probe_report import as_json, clean_lines, lines
from once_delivery.targets.probing.extent import Extent
from once_delivery.targets.probing.findings import Verdict
from once_delivery.targets.profile import Profile
from once_delivery.targets.services.clean_probes import clean_probes
from once_delivery.targets.services.probe_target import probe_target

MISUSE = 2
KINDS = (Kind.CREATE_DRAFT, Kind.UPLOAD_FILE)


class Command(BaseCommand):
    help = "Tests a target's capability profile with throw-away drafts, and removes exactly what it made."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="code of the project")
        parser.add_argument("name", help="name of the target")
        parser.add_argument("--yes", action="store_true", help="the target need not be a test target")
        parser.add_argument("--json", action="store_true", help="print the report as JSON")
        parser.add_argument("--clean", action="store_true", help="only remove what earlier probes left")
        parser.add_argument(
            "--wait", type=float, default=5.0, metavar="SECONDS",
            help="how long to wait for a key's window, a lagging look-up, a late request",
        )  # fmt: skip
        parser.add_argument("--kind", default=str(Kind.CREATE_DRAFT), choices=[str(kind) for kind in KINDS])
        parser.add_argument(
            "--payload", type=Path, help="JSON file: content that the target needs besides a title"
        )
        parser.add_argument(
            "--profile", type=Path, help="JSON file: another profile than the stored one, to be tested"
        )

    def handle(self, *args: Any, project: str, name: str, **options: Any) -> None:
        target = Target.objects.filter(project__code=project, name=name).first()
        if target is None:
            raise CommandError(_("There is no such target."), returncode=MISUSE)
        try:
            if options["clean"]:
                self._clean(target, as_json=options["json"])
            else:
                self._probe(target, options)
        except DomainError as error:
            raise CommandError(str(error), returncode=MISUSE) from error

    def _probe(self, target: Target, options: dict[str, Any]) -> None:
        probe = probe_target(
            target=target,
            confirmed=options["yes"],
            extent=Extent(
                kind=Kind(options["kind"]), more=self._read(options["payload"]), wait_s=options["wait"]
            ),
            claimed=self._read(options["profile"]) if options["profile"] else None,
            turns=_turns(target),
        )
        report = as_json(probe)
        if options["json"]:
            self.stdout.write(json.dumps(report, ensure_ascii=False, indent=2))
        else:
            for line in lines(probe):
                self.stdout.write(line)
        if not _is_fine(probe) or report["left"]:
            raise SystemExit(1)

    def _clean(self, target: Target, *, as_json: bool) -> None:
        cleaned = clean_probes(target=target, turns=_turns(target))
        said = clean_lines(target, cleaned)
        if as_json:
            self.stdout.write(json.dumps(said.document, ensure_ascii=False, indent=2))
        else:
            for line in said.lines:
                self.stdout.write(line)
        if cleaned.open:
            raise SystemExit(1)

    def _read(self, file: Path | None) -> dict[str, Any]:
        if file is None:
            return {}
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise CommandError(f"{file}: {error}", returncode=MISUSE) from error
        if not isinstance(data, dict):
            raise CommandError(_("%(file)s holds no JSON object.") % {"file": file}, returncode=MISUSE)
        return data


def _turns(target: Target) -> Callable[[Profile], GateTurns]:
    def turns(profile: Profile) -> GateTurns:
        return GateTurns(target, profile)

    return turns


def _is_fine(probe: Probe) -> bool:
    return not probe.measurements.filter(verdict=Verdict.REFUTED).exists()
