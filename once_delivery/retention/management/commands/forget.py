"""``manage.py forget --project CODE``: what the project's rule says is forgotten now, not only by night."""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from once_delivery.accounts.models import Project
from once_delivery.common.digits import whole_number
from once_delivery.retention.amounts import amounts_of
from once_delivery.retention.rules import rule_of
from once_delivery.retention.services.forget import forget
from once_delivery.retention.wording import said


class Command(BaseCommand):
    help = "Empties the content that a project's rule does not keep any longer. What it was for stays recognisable."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--project", required=True, help="code of the project")
        parser.add_argument("--dry-run", action="store_true", help="count, and change nothing")
        parser.add_argument(
            "--most", type=_positive, metavar="N", help="at most so many tasks, the oldest first"
        )

    def handle(self, *args: Any, project: str, dry_run: bool, most: int | None, **options: Any) -> None:
        found = Project.objects.filter(code=project).first()
        if found is None:
            raise CommandError(_("There is no such project."), returncode=2)
        rule = rule_of(found)
        if rule is None or rule.after_days is None:
            self.stdout.write(_("This project keeps everything; its admin may set for how long."))
            return
        amounts = amounts_of(project=found, after_days=rule.after_days)
        self.stdout.write(
            _("Content is forgotten %(days)s days after the last event.") % {"days": rule.after_days}
        )
        for line in said(amounts):
            self.stdout.write(f"  {line}")
        if dry_run:
            self.stdout.write(_("Nothing was changed."))
            return
        done, whole = forget(project=found, after_days=rule.after_days, most=most)
        self.stdout.write(
            _("Forgotten: %(tasks)s of %(due)s tasks.") % {"tasks": done["tasks"], "due": amounts.tasks}
        )
        if not whole:
            self.stdout.write(_("The rest, and what tasks share, is left to the next time."))


def _positive(text: str) -> int:
    number = whole_number(text, least=1)
    if number is None:
        raise ArgumentTypeError(_("a whole number from 1 on"))
    return number
