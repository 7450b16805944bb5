"""``manage.py import_rates PROJECT FILE``: exchange rates as a source published them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import gettext as _

from billing.management.arguments import bytes_of, person_of, project_of, told
from billing.services.import_rates import import_rates
from once_delivery.common.languages import LANGUAGES


class Command(BaseCommand):
    help = "Import exchange rates (CSV, XLSX or JSON). Exit code 1: the file has problems; 2: wrong use."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="code of the project")
        parser.add_argument(
            "file", type=Path, help="date, currency, rate; or a table of one currency a column"
        )
        parser.add_argument("--source", default="", help="who published them, where the file does not say it")
        parser.add_argument("--base", default="EUR", help="of a table: the currency whose worth it tells")
        parser.add_argument("--user", default="", help="username of the member of finance who imports")
        parser.add_argument("--language", choices=LANGUAGES)

    def handle(self, *args: Any, **options: Any) -> None:
        with told(self.stdout, options["language"]):
            new = import_rates(
                project=project_of(options["project"]),
                data=bytes_of(options["file"]),
                file_name=options["file"].name,
                source=options["source"],
                base=options["base"],
                user=person_of(options["user"]),
            )
            self.stdout.write(_("New rates: %(new)s.") % {"new": new})
