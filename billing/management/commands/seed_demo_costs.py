"""``manage.py seed_demo_costs PROJECT``: accounts for the demo, with costs at made-up rates."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from billing.services.seed_demo_costs import seed_demo_costs
from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError


class Command(BaseCommand):
    help = "Gives a demo project accounts and a bill of this month at made-up rates; a second time changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="code of the project")

    def handle(self, *args: Any, project: str, **options: Any) -> None:
        found = Project.objects.filter(code=project).first()
        if found is None:
            raise CommandError(_("There is no such project."), returncode=2)
        try:
            made = seed_demo_costs(project=found)
        except DomainError as error:
            raise CommandError(str(error), returncode=2) from error
        self.stdout.write(_("The demo has accounts now.") if made else _("The demo had accounts before."))
