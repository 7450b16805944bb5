"""``manage.py cases``: the queue of what needs a person, and deciding from the command line."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from django.utils.translation import gettext as _

from once_delivery.accounts.access import projects_of
from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.reasons import sentence
from reconciliation.models import Case, CaseStatus
from reconciliation.services.decide_case import Decision, decide_case
from reconciliation.services.open_cases import open_cases


class Command(BaseCommand):
    help = "Lists open cases, the most urgent first; --decide settles one."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--project", help="only this project (code)")
        parser.add_argument("--decide", type=UUID, metavar="CASE", help="UUID of the case to decide")
        parser.add_argument("--as", dest="decision", choices=[str(one) for one in Decision])
        parser.add_argument("--result-id", default="", help="the object to adopt")
        parser.add_argument("--user", help="who decides (user name)")
        parser.add_argument("--second", help="a second person who agrees (user name)")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["decide"]:
            self._decide(options)
            return
        open_cases()
        cases = Case.objects.filter(status=CaseStatus.OPEN).select_related(
            "owner", "project", "action__task__product", "action__task__input_version"
        )
        if options["project"]:
            cases = cases.filter(project__code=options["project"])
        for case in cases.order_by("due_at"):
            due = timezone.localtime(case.due_at)
            self.stdout.write(
                f"{case.uuid}  {case.project.code}  {case.action.task} › {case.action.slot}  "
                f"{case.get_kind_display()}  {case.owner.username}  {due:%Y-%m-%d %H:%M %Z}  {sentence(case.reason)}"
            )
        self.stdout.write(_("%(count)s open") % {"count": cases.count()})

    def _decide(self, options: dict[str, Any]) -> None:
        if not options["decision"] or not options["user"]:
            raise CommandError(_("--decide needs --as and --user."), returncode=2)
        user = self._user(options["user"])
        second = self._user(options["second"]) if options["second"] else None
        case = Case.objects.filter(uuid=options["decide"], project__in=projects_of(user)).first()
        if case is None:
            raise CommandError(_("There is no such case among your projects."), returncode=2)
        try:
            decide_case(
                case=case,
                decision=Decision(options["decision"]),
                user=user,
                result_id=options["result_id"],
                second=second,
            )
        except DomainError as error:
            raise CommandError(str(error)) from error

    def _user(self, name: str) -> User:
        found = User.objects.filter(username=name, is_active=True).first()
        if found is None:
            raise CommandError(_("There is no active user “%(name)s”.") % {"name": name}, returncode=2)
        return found
