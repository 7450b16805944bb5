"""``manage.py audit PROJECT TARGET``: what the target holds against what the ledger says."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from once_delivery.common.errors import DomainError
from once_delivery.targets.models import Target
from reconciliation.models import AuditStatus, FindingKind
from reconciliation.services.audit_target import audit_target
from reconciliation.services.open_cases import open_cases


class Command(BaseCommand):
    help = (
        "Lists everything the target holds and compares it with the ledger. Reads only; findings become rows."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="code of the project")
        parser.add_argument("target", help="name of the target")
        parser.add_argument(
            "--changes", action="store_true", help="only what was changed since the last audit"
        )
        parser.add_argument(
            "--go-on", action="store_true", help="where the latest audit was cut short, if the target can"
        )

    def handle(
        self, *args: Any, project: str, target: str, changes: bool, go_on: bool, **options: Any
    ) -> None:
        found = Target.objects.filter(project__code=project, name=target).first()
        if found is None:
            raise CommandError(_("There is no such target."), returncode=2)
        try:
            audit = audit_target(target=found, changes=changes, go_on=go_on)
        except DomainError as error:
            raise CommandError(str(error), returncode=2) from error
        open_cases(project=found.project)
        counts = audit.counts
        self.stdout.write(
            _("%(objects)s objects, %(ours)s with our marker, %(matched)s matched, %(strangers)s strangers")
            % counts
        )
        for finding in audit.findings.select_related("action__task").order_by("pk"):
            name = FindingKind(finding.kind).label
            self.stdout.write(
                f"  {name}: {finding.action.task if finding.action else finding.marker} {finding.evidence}"
            )
        if audit.status == AuditStatus.CUT:
            raise CommandError(_("The inventory was cut short (%(code)s).") % {"code": audit.code})
        if counts["findings"]:
            raise SystemExit(1)
