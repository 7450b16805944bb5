"""Undo one's own last step with a case, where undo is true."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_noop

from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.services.take_back import take_back_permission, take_back_settling
from reconciliation.case_clock import go_on
from reconciliation.decisions import Decision
from reconciliation.models import ApprovalStatus, Case, CaseEvent, CaseEventKind, CaseStatus
from reconciliation.undoing import before_of, undoable_step
from reconciliation.working import locked_case, must_decide, write


class NothingToUndoError(DomainError):
    """Only what is true to undo."""

    code = "nothing-to-undo"
    template = gettext_noop("Nothing of yours can be undone here any more.")


def undo(*, case: Case, user: User) -> None:
    """Afterwards one's own last step has not been: handing over, putting off, proposing, or a decision of which nothing
    has come yet; then the case is open again.

    Raises NotYoursToDecideError, NothingToUndoError, TooLateToTakeBackError.
    """
    must_decide(case, user)
    with transaction.atomic():
        locked = locked_case(case)
        step = undoable_step(locked, user, database_now())
        if step is None:
            raise NothingToUndoError
        _take_back(locked, step, user)
        write(locked, CaseEventKind.UNDONE, user=user, undone=step.kind)
        locked.revision += 1
        locked.save()


def _take_back(case: Case, step: CaseEvent, user: User) -> None:
    match step.kind:
        case CaseEventKind.HANDED:
            case.owner_id = step.data["before"]
        case CaseEventKind.SNOOZED:
            before = step.data["before"]
            case.snoozed_until = datetime.fromisoformat(before) if before else None
        case CaseEventKind.ASKED:
            now = database_now()
            case.approvals.filter(status=ApprovalStatus.ASKED).update(
                status=ApprovalStatus.WITHDRAWN, answered_at=now
            )
            go_on(case, now)
        case CaseEventKind.DECIDED:
            _undecide(case, step, user)


def _undecide(case: Case, step: CaseEvent, user: User) -> None:
    before = before_of(step)
    if step.data["decision"] == Decision.SETTLE:
        take_back_settling(action=case.action, since=step.at, user=user)
    elif before is not None:
        take_back_permission(action=case.action, before=before, user=user)
    case.status, case.resolved_at, case.resolution, case.resolved_by = CaseStatus.OPEN, None, "", None
