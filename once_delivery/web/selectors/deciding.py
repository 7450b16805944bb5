"""What this person can do with a case: decisions with their effects, what waits for an answer, what can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from once_delivery.accounts.models import User
from once_delivery.ledger.states import OPEN_QUESTIONS, State
from once_delivery.targets.jobs.declaration import Price, price_of
from once_delivery.web.case_wording import BUTTONS, DECISION_KEYS, DECISIONS, NEEDS, RISKY
from once_delivery.web.permits import may_decide_cases
from once_delivery.web.selectors.cases import neighbours
from once_delivery.web.selectors.queue_filter import deciders_of
from reconciliation.answering import waiting_for
from reconciliation.decisions import EFFECTS, Decision, Effect, Needs, needs_of, possible
from reconciliation.models import Approval, ApprovalStatus, Case, CaseEvent, CaseEventKind, TimeSpan
from reconciliation.services.measure_time import seconds_on
from reconciliation.services.work_on_case import UNDO_FOR

SENDS = frozenset({Decision.ABSENT, Decision.RETRY})


@dataclass(frozen=True, slots=True)
class Choice:
    """One decision, what it does, and whom it needs."""

    decision: Decision
    effect: Effect
    needs: Needs
    price: Price | None

    @property
    def word(self) -> str:
        return str(DECISIONS[self.decision])

    @property
    def button(self) -> str:
        return str(BUTTONS[self.decision])

    @property
    def key(self) -> str:
        return DECISION_KEYS[self.decision]

    @property
    def whom(self) -> str:
        return str(NEEDS[self.needs])

    @property
    def proposed(self) -> bool:
        """It can only be proposed."""
        return self.needs != Needs.NOTHING

    @property
    def risky(self) -> bool:
        return self.decision in RISKY


@dataclass(frozen=True, slots=True)
class Proposal:
    """What somebody proposed and nobody has answered yet."""

    approval: Approval
    effect: Effect
    word: str
    may_answer: bool


@dataclass(frozen=True, slots=True)
class Deciding:
    """What stands in the decision bar; for who only reads, next to nothing."""

    may_decide: bool
    may_look: bool
    choices: list[Choice]
    proposal: Proposal | None
    members: Sequence[User]
    undoable: CaseEvent | None
    seconds: int
    running: bool
    before: Case | None
    after: Case | None

    @property
    def may_adopt(self) -> bool:
        return any(one.decision == Decision.ADOPT for one in self.choices)


def deciding_of(case: Case, user: User) -> Deciding:
    """Everything that the person may do now."""
    may = may_decide_cases(user, case.project)
    before, after = neighbours(user, case)
    return Deciding(
        may_decide=may,
        # of what made nothing there is nothing to look for
        may_look=may and case.resolved_at is None and case.action.state in {*OPEN_QUESTIONS, State.ACCEPTED},
        choices=[_choice(case, decision) for decision in possible(case)] if may else [],
        proposal=_proposal(case, user),
        members=deciders_of([case.project]) if may else [],
        undoable=_undoable(case, user) if may else None,
        seconds=seconds_on(case),
        running=may and TimeSpan.objects.filter(case=case, user=user, ended_at__isnull=True).exists(),
        before=before,
        after=after,
    )


def _choice(case: Case, decision: Decision) -> Choice:
    price = price_of(case.action.target.declaration) if decision in SENDS else None
    return Choice(decision, EFFECTS[decision], needs_of(case, decision), price)


def _proposal(case: Case, user: User) -> Proposal | None:
    found = case.approvals.filter(status=ApprovalStatus.ASKED).select_related("proposed_by").first()
    if found is None or case.resolved_at is not None:
        return None
    decision = Decision(found.decision)
    answerable = waiting_for(user).filter(pk=found.pk).exists()
    return Proposal(found, EFFECTS[decision], str(DECISIONS[decision]), answerable)


def _undoable(case: Case, user: User) -> CaseEvent | None:
    last = case.events.order_by("-pk").first()
    if last is None or case.resolved_at is not None or last.user_id != user.pk:
        return None
    fits = last.kind in {CaseEventKind.HANDED, CaseEventKind.SNOOZED}
    return last if fits and timezone.now() - last.at <= UNDO_FOR else None
