"""``manage.py export_costs PROJECT REPORT``: a report of costs as a file, in the name of a person who may have it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from billing.exports.files import Format
from billing.exports.place import path_of
from billing.models import ExportStatus, Profile
from billing.reports.registry import REPORTS
from billing.reports.scope import Basis, scope_of
from billing.services.ask_export import ask_export
from billing.services.make_export import make_export
from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import DomainError


class Command(BaseCommand):
    help = (
        "Writes a report of costs to a file; noted like an export that the same person asks for on the page."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="code of the project")
        parser.add_argument("report", help=", ".join(REPORTS))
        parser.add_argument(
            "--user", required=True, help="in whose name: finance, or an admin, of the project"
        )
        parser.add_argument("--first", default="", metavar="YYYY-MM", help="first month")
        parser.add_argument("--last", default="", metavar="YYYY-MM", help="last month; the first by default")
        parser.add_argument("--basis", default=Basis.POSTED.value, help=", ".join(Basis))
        parser.add_argument("--format", default=Format.CSV_EXCEL.value, help=", ".join(Format))
        parser.add_argument("--profile", default=Profile.INTERNAL.value, help=", ".join(Profile.values))
        parser.add_argument(
            "--output", default=".", metavar="PLACE", help="a file, or the folder it is written to"
        )

    def handle(self, *args: Any, project: str, report: str, user: str, **options: Any) -> None:
        found = Project.objects.filter(code=project).first()
        person = User.objects.filter(username=user).first()
        if found is None or person is None:
            raise CommandError(_("There is no such project, or no such person."), returncode=2)
        months = {"first": options["first"], "last": options["last"] or options["first"]}
        try:
            asked = ask_export(
                user=person,
                scope=scope_of(found, months | {"basis": options["basis"]}),
                report=report,
                format=options["format"],
                profile=options["profile"],
            )
        except DomainError as error:
            raise CommandError(str(error), returncode=2) from error
        made = make_export(export_id=asked.pk)
        path = path_of(made) if made else None
        if made is None or made.status != ExportStatus.DONE or path is None:
            raise CommandError(
                _("The file was not made (%(code)s).") % {"code": made.code if made else "taken"}
            )
        output = Path(options["output"])
        target = output / made.file_name if output.is_dir() else output
        shutil.copyfile(path, target)
        self.stdout.write(_("%(file)s: %(rows)s rows") % {"file": target, "rows": made.rows})
