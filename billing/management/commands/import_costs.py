"""``manage.py import_costs PROJECT FILE``: a supplier's document, or what it would come to."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils.translation import gettext as _

from billing.management.arguments import MISUSE, bytes_of, day_of, person_of, project_of, told
from billing.management.printed import printed_import
from billing.models import DocumentKind, SubBucket, Supplier, Tax
from billing.services.import_document import import_document
from billing.suppliers.incoming import Incoming
from billing.suppliers.shapes import Shape
from once_delivery.accounts.models import Project
from once_delivery.common.languages import LANGUAGES


class Command(BaseCommand):
    help = (
        "Import a supplier's document (CSV, XLSX or JSON). Exit code 1: the file has problems; 2: wrong use."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="code of the project")
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--supplier", required=True, help="its code: the provider's name in usage, as in fal"
        )
        parser.add_argument("--new-supplier", metavar="NAME", default="", help="make it if it is not there")
        parser.add_argument("--kind", choices=DocumentKind.values, default=DocumentKind.INVOICE.value)
        parser.add_argument("--number", required=True, help="of the document")
        parser.add_argument("--dated", required=True, metavar="YYYY-MM-DD")
        parser.add_argument(
            "--total", default="", help="what the paper says, without tax that can be recovered"
        )
        parser.add_argument("--currency", default="", help="where the file does not say it")
        parser.add_argument(
            "--shape", choices=[shape.value for shape in Shape], default="", help="else found out"
        )
        parser.add_argument(
            "--tax", choices=Tax.values, default=Tax.RECOVERABLE.value, help="what its tax is"
        )
        parser.add_argument(
            "--credits", default="", metavar="NUMBER", help="the invoice that a credit note is for"
        )
        parser.add_argument("--late", action="store_true", help="take costs of closed months as corrections")
        parser.add_argument("--user", default="", help="username of the member of finance who imports")
        parser.add_argument("--dry-run", action="store_true", help="check everything, keep nothing")
        parser.add_argument("--language", choices=LANGUAGES)

    def handle(self, *args: Any, **options: Any) -> None:
        with told(self.stdout, options["language"]), transaction.atomic():
            project = project_of(options["project"])
            report = import_document(
                incoming=Incoming(
                    project=project,
                    supplier=_supplier(project, options["supplier"], options["new_supplier"]),
                    kind=DocumentKind(options["kind"]),
                    number=options["number"],
                    dated=day_of(options["dated"]),
                    data=bytes_of(options["file"]),
                    file_name=options["file"].name,
                    user=person_of(options["user"]),
                    total=_total(options["total"]),
                    currency=options["currency"].upper(),
                    shape=options["shape"],
                    tax_treatment=Tax(options["tax"]),
                    late=options["late"],
                    credits_number=options["credits"],
                ),
                dry_run=options["dry_run"],
            )
            self.stdout.write(printed_import(report))
            if options["dry_run"]:  # nor a supplier that is new
                transaction.set_rollback(True)


def _supplier(project: Project, code: str, name: str) -> Supplier:
    found = Supplier.objects.filter(project=project, code=code).first()
    if found is None and name:
        found = Supplier.objects.create(
            project=project, code=code, name=name[:200], sub_bucket=SubBucket.GENERATION
        )
    if found is None:
        words = _("There is no supplier “%(code)s” in this project.") % {"code": code}
        raise CommandError(words, returncode=MISUSE)
    return found


def _total(said: str) -> Decimal | None:
    try:
        return Decimal(said) if said else None
    except InvalidOperation:
        words = _("“%(typed)s” is no number. Write 1234.50.") % {"typed": said}
        raise CommandError(words, returncode=MISUSE) from None
