"""``manage.py verify_costs [PROJECT]``: are both ledgers whole, and the closed months as they were closed?"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from billing.services.verify_costs import verify_costs
from once_delivery.accounts.models import Project


class Command(BaseCommand):
    help = "Works out every hash of both ledgers anew, and every certificate of a closed month. Reads only."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "project", nargs="?", help="code of the project; without it, of all that keep accounts"
        )

    def handle(self, *args: Any, project: str | None, **options: Any) -> None:
        found = Project.objects.filter(books__isnull=False).order_by("code")
        if project:
            found = found.filter(code=project)
            if not found:
                raise CommandError(_("There is no such project, or it keeps no accounts."), returncode=2)
        broken = False
        for one in found:
            verified = verify_costs(project=one)
            self.stdout.write(
                _("%(project)s: %(costs)s cost entries, %(units)s unit entries, %(months)s closed months")
                % {
                    "project": one.code,
                    "costs": verified.costs,
                    "units": verified.units,
                    "months": verified.months,
                }
            )
            for place in verified.broken:
                self.stdout.write("  " + _("not as it was: %(place)s") % {"place": place})
            broken = broken or bool(verified.broken)
        if broken:
            raise SystemExit(1)
