"""What waits for a person's answer, and what they answered last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils import timezone

from once_delivery.accounts.access import projects_of
from once_delivery.accounts.clients import answering
from once_delivery.accounts.models import User
from once_delivery.review.models import Revocation
from once_delivery.review.revocations import waiting_revocations
from once_delivery.web.case_wording import decision_word
from once_delivery.web.selectors.case_clock import CaseRow
from once_delivery.web.selectors.taken_back import reasons_of
from once_delivery.web.wording import Words
from reconciliation.answering import waiting_for
from reconciliation.decisions import EFFECTS, Decision, Effect
from reconciliation.models import Approval
from reconciliation.models.calendar import hours_of_all

MOST, ANSWERED = 200, 10
_READ = (
    "case__project",
    "case__owner",
    "case__action__target",
    "case__action__task__product",
    "case__action__task__input_version",
    "proposed_by",
)
_READ_OF_REVOCATION = (
    "project",
    "review__user",
    "asset__task__product",
    "asset__task__input_version",
)
_HEAVY = (
    "case__action__payload",
    "case__action__target__declaration",
    "case__action__task__input_version__content",
)


@dataclass(frozen=True, slots=True)
class Question:
    """A proposal with its case."""

    approval: Approval
    row: CaseRow

    @property
    def word(self) -> str:
        return decision_word(self.approval.decision)

    @property
    def effect(self) -> Effect:
        return EFFECTS[Decision(self.approval.decision)]


@dataclass(frozen=True, slots=True)
class AskedBack:
    """An acceptance that was taken back, with why."""

    revocation: Revocation

    @property
    def reasons(self) -> list[Words]:
        return reasons_of(self.revocation.review)


@dataclass(frozen=True, slots=True)
class ApprovalsPage:
    """``more``: not everything is shown."""

    waiting: Sequence[Question]
    taken_back: Sequence[AskedBack]  # the oldest first
    answered: Sequence[Question]
    answered_back: Sequence[AskedBack]
    more: bool

    @property
    def count(self) -> int:
        return len(self.waiting) + len(self.taken_back)


def approvals_page(user: User) -> ApprovalsPage:
    """In a number of queries that does not grow with the rows."""
    now = timezone.now()
    hours = hours_of_all(projects_of(user))
    where = answering(user)
    waiting = list(
        waiting_for(user, where)
        .select_related(*_READ)
        .defer(*_HEAVY)
        .order_by("case__due_at", "pk")[: MOST + 1]
    )
    answered = (
        Approval.objects.filter(answered_by=user, project__in=projects_of(user))
        .select_related(*_READ)
        .defer(*_HEAVY)
        .order_by("-answered_at", "-pk")[:ANSWERED]
    )

    taken_back = _read(waiting_revocations(user, where)).order_by("asked_at", "pk")[: MOST + 1]
    answered_back = _read(Revocation.objects.filter(answered_by=user, project__in=projects_of(user)))

    def question(one: Approval) -> Question:
        return Question(one, CaseRow(one.case, now, hours[one.case.project_id]))

    return ApprovalsPage(
        waiting=[question(one) for one in waiting[:MOST]],
        answered=[question(one) for one in answered],
        more=len(waiting) > MOST or len(taken_back) > MOST,
        taken_back=[AskedBack(one) for one in taken_back[:MOST]],
        answered_back=[AskedBack(one) for one in answered_back.order_by("-answered_at", "-pk")[:ANSWERED]],
    )


def _read(revocations: QuerySet[Revocation]) -> QuerySet[Revocation]:
    return revocations.select_related(*_READ_OF_REVOCATION).defer("asset__task__input_version__content")
