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
from reconciliation.decisions import Decision
from reconciliation.models import ApprovalStatus, Case, CaseStatus
from reconciliation.services.approvals import answer, propose
from reconciliation.services.decide_case import decide_case
from reconciliation.services.open_cases import open_cases


class Command(BaseCommand):
    help = "Lists open cases, the most urgent first; --decide settles one."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--project", help="only this project (code)")
        parser.add_argument("--decide", type=UUID, metavar="CASE", help="UUID of the case to decide")
        parser.add_argument("--as", dest="decision", choices=[str(one) for one in Decision])
        parser.add_argument("--result-id", default="", help="the object to adopt")
        parser.add_argument("--user", help="who decides (user name)")
        parser.add_argument("--words", default="", help="why, in words")
        parser.add_argument(
            "--propose",
            action="store_true",
            help="ask for the agreement that --decide needs, do not decide yet",
        )
        parser.add_argument(
            "--approve", type=UUID, metavar="CASE", help="agree to what is proposed for this case"
        )
        parser.add_argument("--deny", type=UUID, metavar="CASE", help="do not agree")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["decide"]:
            self._decide(options)
            return
        if options["approve"] or options["deny"]:
            self._answer(options)
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
        carry_out = propose if options["propose"] else decide_case
        try:
            carry_out(
                case=self._case(options["decide"], user),
                decision=Decision(options["decision"]),
                user=user,
                result_id=options["result_id"],
                words=options["words"],
            )
        except DomainError as error:
            raise CommandError(str(error)) from error

    def _answer(self, options: dict[str, Any]) -> None:
        if not options["user"]:
            raise CommandError(_("--approve and --deny need --user."), returncode=2)
        user = self._user(options["user"])
        case = self._case(options["approve"] or options["deny"], user)
        approval = case.approvals.filter(status=ApprovalStatus.ASKED).first()
        if approval is None:
            raise CommandError(_("Nothing is proposed for this case."), returncode=2)
        try:
            answer(approval=approval, user=user, agree=bool(options["approve"]), words=options["words"])
        except DomainError as error:
            raise CommandError(str(error)) from error

    def _case(self, uuid: UUID, user: User) -> Case:
        case = Case.objects.filter(uuid=uuid, project__in=projects_of(user)).first()
        if case is None:
            raise CommandError(_("There is no such case among your projects."), returncode=2)
        return case

    def _user(self, name: str) -> User:
        found = User.objects.filter(username=name, is_active=True).first()
        if found is None:
            raise CommandError(_("There is no active user “%(name)s”.") % {"name": name}, returncode=2)
        return found
