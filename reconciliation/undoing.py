"""What a person can undo of a case: their own last step, for a while, and only where undo is true.

A decision is undone where the action still stands as it stood, and nothing has come of it. There is no arrow back from
*confirmed* and *cancelled*, nor from *not executed* to *to be reconciled* (DESIGN section 4): those stay.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from once_delivery.accounts.models import User
from once_delivery.ledger.services.take_back import Before, is_uncounted, is_unsent
from reconciliation.decisions import Decision
from reconciliation.models import ApprovalStatus, Case, CaseEvent, CaseEventKind, CaseStatus

UNDO_FOR = timedelta(minutes=10)


def undoable_step(case: Case, user: User, now: datetime) -> CaseEvent | None:
    """The last thing that was done to the case, if ``user`` did it and can undo it now."""
    last = case.events.order_by("-pk").first()
    if last is None or last.user_id != user.pk or now - last.at > UNDO_FOR:
        return None
    return last if _can_be_undone(case, last) else None


def _can_be_undone(case: Case, step: CaseEvent) -> bool:
    if step.kind == CaseEventKind.DECIDED:
        return case.status == CaseStatus.RESOLVED and _decision_can(case, step)
    if case.status != CaseStatus.OPEN:
        return False
    if step.kind == CaseEventKind.ASKED:
        return case.approvals.filter(status=ApprovalStatus.ASKED, proposed_by=step.user_id).exists()
    return step.kind in {CaseEventKind.HANDED, CaseEventKind.SNOOZED}


def _decision_can(case: Case, step: CaseEvent) -> bool:
    if Case.objects.filter(action=case.action_id, status=CaseStatus.OPEN).exists():
        return False  # it has come back by itself
    match step.data.get("decision"):
        case Decision.RETRY:
            before = before_of(step)
            return before is not None and is_unsent(case.action, before)
        case Decision.SETTLE:
            return is_uncounted(case.action, step.at)
        case _:
            return False


def before_of(step: CaseEvent) -> Before | None:
    """How the action stood before a decision; None where that was not kept."""
    kept = step.data.get("before")
    return Before(**kept) if isinstance(kept, dict) else None
