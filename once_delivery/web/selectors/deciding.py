"""What this person can do with a case: decisions with their effects, what waits for an answer, what can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from once_delivery.accounts.models import User
from once_delivery.ledger.states import OPEN_QUESTIONS, State
from once_delivery.targets.jobs.declaration import Price, price_of
from once_delivery.web.case_wording import (
    BUTTONS,
    DECISION_KEYS,
    DECISIONS,
    NEEDS,
    RISKY,
    SENT_SOON,
    UNDONE_STEPS,
)
from once_delivery.web.permits import may_decide_cases
from once_delivery.web.selectors.cases import neighbours
from once_delivery.web.selectors.queue_filter import deciders_of
from reconciliation.answering import waiting_for
from reconciliation.decisions import EFFECTS, Decision, Effect, Needs, needs_of, possible
from reconciliation.models import Approval, ApprovalStatus, Case, CaseEvent, TimeSpan
from reconciliation.services.measure_time import seconds_on
from reconciliation.undoing import UNDO_FOR, undoable_step

SENDS = frozenset({Decision.ABSENT, Decision.RETRY, Decision.CREATE_ANEW})


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
    may_withdraw: bool


@dataclass(frozen=True, slots=True)
class Deciding:
    """What stands in the decision bar; for who only reads, next to nothing."""

    may_decide: bool
    may_look: bool
    choices: list[Choice]
    proposal: Proposal | None
    members: Sequence[User]
    undoable: CaseEvent | None
    stays: str  # why one's own decision of just now cannot be undone
    seconds: int
    running: bool
    before: Case | None
    after: Case | None

    @property
    def just_done(self) -> str:
        """What can be undone, in a sentence."""
        if self.undoable is None:
            return ""
        sends = self.undoable.data.get("decision") == Decision.RETRY
        return str(SENT_SOON if sends else UNDONE_STEPS[self.undoable.kind])

    @property
    def may_adopt(self) -> bool:
        return any(one.decision == Decision.ADOPT for one in self.choices)


def deciding_of(case: Case, user: User) -> Deciding:
    """Everything that the person may do now."""
    may = may_decide_cases(user, case.project)
    before, after = neighbours(user, case)
    undoable = undoable_step(case, user, timezone.now()) if may else None
    return Deciding(
        may_decide=may,
        # of what made nothing there is nothing to look for
        may_look=may and case.resolved_at is None and case.action.state in {*OPEN_QUESTIONS, State.ACCEPTED},
        choices=[_choice(case, decision) for decision in possible(case)] if may else [],
        proposal=_proposal(case, user),
        members=deciders_of([case.project]) if may else [],
        undoable=undoable,
        stays="" if undoable else _why_it_stays(case, user),
        seconds=seconds_on(case),
        running=may and TimeSpan.objects.filter(case=case, user=user, ended_at__isnull=True).exists(),
        before=before,
        after=after,
    )


def _why_it_stays(case: Case, user: User) -> str:
    if case.resolved_at is None or case.resolved_by_id != user.pk:
        return ""
    known = case.resolution in set(Decision) and timezone.now() - case.resolved_at <= UNDO_FOR
    return str(EFFECTS[Decision(case.resolution)].undo) if known else ""


def _choice(case: Case, decision: Decision) -> Choice:
    price = price_of(case.action.target.declaration) if decision in SENDS else None
    return Choice(decision, EFFECTS[decision], needs_of(case, decision), price)


def _proposal(case: Case, user: User) -> Proposal | None:
    found = case.approvals.filter(status=ApprovalStatus.ASKED).select_related("proposed_by").first()
    if found is None or case.resolved_at is not None:
        return None
    decision = Decision(found.decision)
    answerable = waiting_for(user).filter(pk=found.pk).exists()
    may_withdraw = may_decide_cases(user, case.project)
    return Proposal(found, EFFECTS[decision], str(DECISIONS[decision]), answerable, may_withdraw)
