"""A person decides a case; the ledger carries it out; the case says how it ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict

from django.utils.translation import gettext_noop

from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Action, Observation
from once_delivery.ledger.services import decide
from once_delivery.ledger.services.create_anew import create_anew
from once_delivery.ledger.services.decide import DecisionDoesNotFitError
from once_delivery.ledger.services.settle_duplicate import settle_duplicate
from once_delivery.ledger.services.take_back import Before
from once_delivery.ledger.transitions import lock
from reconciliation.decisions import Decision, Needs, latest_evidence, needs_of, possible
from reconciliation.models import Approval, ApprovalStatus, Case, CaseEventKind, CaseStatus
from reconciliation.working import must_decide, worked_on, write

_PLAIN: Mapping[Decision, Callable[..., None]] = {
    Decision.GIVE_UP: decide.give_up,
    Decision.OVERWRITE: decide.overwrite,
    Decision.CREATE_ANEW: create_anew,
    Decision.SETTLE: settle_duplicate,
}


class ResultNeededError(DomainError):
    """Adopting needs the object."""

    code = "result-id-needed"
    template = gettext_noop("Name the result ID that is to be adopted.")


class ApprovalNeededError(DomainError):
    """The server asks, whatever a page shows."""

    code = "approval-needed"
    template = gettext_noop("This needs the agreement of somebody else: propose it.")


def decide_case(
    *,
    case: Case,
    decision: Decision,
    user: User,
    result_id: str = "",
    words: str = "",
    revision: int | None = None,
    approval: Approval | None = None,
) -> None:
    """Afterwards the decision is carried out and the case is resolved, both or neither.

    ``revision``: of the case as the person saw it. ``approval``: a given one, for what needs somebody else's agreement.
    Raises CaseClosedError, CaseChangedError, NotYoursToDecideError, ResultNeededError, ApprovalNeededError, and what
    ledger/services/decide.py raises.
    """
    must_decide(case, user)
    with worked_on(case, revision=revision) as locked:
        lock([locked.action_id])  # no look is written down between this reading and the decision
        if decision not in possible(locked):
            raise DecisionDoesNotFitError(state=locked.action.get_state_display())
        if needs_of(locked, decision) != Needs.NOTHING and not _covers(approval, locked, decision, result_id):
            raise ApprovalNeededError
        before = asdict(Before.of(locked.action))
        _carry_out(locked, decision, user, result_id, approval)
        data = {"decision": decision, "result_id": result_id, "before": before}
        write(locked, CaseEventKind.DECIDED, user=user, text=words, **data)
        _void_questions(locked)
        locked.status = CaseStatus.RESOLVED
        locked.resolved_at = database_now()
        locked.resolution = decision
        locked.resolved_by = user


def _void_questions(case: Case) -> None:
    """What is decided needs nobody's answer any more."""
    asked = case.approvals.filter(status=ApprovalStatus.ASKED)
    if asked.update(status=ApprovalStatus.VOID, answered_at=database_now()):
        write(case, CaseEventKind.VOID, user=None)


def _covers(approval: Approval | None, case: Case, decision: Decision, result_id: str) -> bool:
    return (
        approval is not None
        and approval.status == ApprovalStatus.GIVEN
        and (approval.case_id, approval.decision, approval.result_id) == (case.pk, decision, result_id)
        and approval.action_revision == case.action.revision
        and approval.evidence_id == latest_evidence(case)  # nobody agreed to what was seen since
    )


def _address_of(action: Action, result_id: str) -> str:
    """Where the latest look saw the object; "" when it did not."""
    seen = Observation.objects.filter(action=action).order_by("-looked_at", "-pk").first()
    shown = [*seen.objects_seen, *seen.candidates] if seen is not None else []
    return next((str(one.get("url") or "") for one in shown if one.get("result_id") == result_id), "")[:1000]


def _carry_out(case: Case, decision: Decision, user: User, result_id: str, approval: Approval | None) -> None:
    match decision:
        case Decision.ADOPT:
            if not result_id:
                raise ResultNeededError
            address = _address_of(case.action, result_id)
            decide.adopt(action=case.action, result_id=result_id, result_url=address, user=user)
        case Decision.ABSENT:
            second = approval.answered_by if approval is not None else None
            decide.declare_absent(action=case.action, user=user, second=second)
        case Decision.RETRY:
            decide.retry_refused(action=case.action)
        case _:
            _PLAIN[decision](action=case.action, user=user)
