"""Many cases decided alike: a plan with what is left out and why, then one by one, each compared with the plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_noop

from once_delivery.accounts.access import role_of
from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import DomainError
from once_delivery.common.work_lock import Work, at_work
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Observation
from reconciliation.decisions import DECIDERS, Decision, Needs, needs_of, possible
from reconciliation.models import BulkDecision, BulkStatus, Case, CaseStatus
from reconciliation.services.decide_case import decide_case
from reconciliation.working import NotYoursToDecideError, must_decide

MOST = 1000


class TooManyCasesError(DomainError):
    """A plan that nobody can read is no plan."""

    code = "too-many-cases"
    template = gettext_noop("At most %(most)s cases are decided together.")


class BulkOverError(DomainError):
    """It was carried out, or cancelled."""

    code = "bulk-over"
    template = gettext_noop("This plan was carried out or cancelled already.")


@dataclass(frozen=True, slots=True)
class Excluded:
    """A case that is left out, and the code of why."""

    case: Case
    why: str


def plan_bulk(
    *, project: Project, cases: Sequence[Case], decision: Decision, user: User
) -> tuple[BulkDecision, list[Excluded]]:
    """A plan for those cases that the decision fits and that need nobody's agreement. Nothing is decided yet.

    *Adopt* fits where the latest look showed exactly one candidate. Raises NotYoursToDecideError, TooManyCasesError.
    """
    if len(cases) > MOST:
        raise TooManyCasesError(most=MOST)
    items: list[dict[str, Any]] = []
    excluded: list[Excluded] = []
    for case in cases:
        why, result_id = _judge(project, case, decision, user)
        if why:
            excluded.append(Excluded(case, why))
        else:
            items.append(
                {"case": str(case.uuid), "revision": case.revision, "result_id": result_id, "outcome": ""}
            )
    plan = BulkDecision.objects.create(
        project=project,
        user=user,
        decision=decision,
        items=items,
        excluded=[{"case": str(one.case.uuid), "why": one.why} for one in excluded],
    )
    return plan, excluded


def begin_bulk(*, bulk: BulkDecision, user: User) -> None:
    """Afterwards the plan is to be carried out; whichever worker is woken, or sweeps, does it.

    Only who made the plan: it is decided in their name. Raises NotYoursToDecideError, BulkOverError.
    """
    if bulk.user_id != user.pk or role_of(user, bulk.project) not in DECIDERS:
        raise NotYoursToDecideError(user=user.username)
    planned = BulkDecision.objects.filter(pk=bulk.pk, status=BulkStatus.PLANNED)
    if not planned.update(status=BulkStatus.RUNNING, began_at=database_now()):
        raise BulkOverError


def unfinished_bulks() -> list[int]:
    """The IDs of plans that are to be carried out, also those whose worker died."""
    return list(
        BulkDecision.objects.filter(status=BulkStatus.RUNNING).order_by("pk").values_list("pk", flat=True)
    )


def run_bulk(*, bulk: BulkDecision) -> BulkDecision:
    """Afterwards every case of the plan is decided or says why not; may be cancelled between two of them.

    A case that changed since the plan is skipped. Called again after a crash it goes on; called while somebody else
    carries it out it does nothing (R12). Raises BulkOverError.
    """
    with at_work(Work.BULK, bulk.pk) as alone:
        if alone:
            _run(bulk)
    bulk.refresh_from_db()
    return bulk


def _run(bulk: BulkDecision) -> None:
    _begin(bulk)
    for number in range(len(bulk.items)):
        bulk.refresh_from_db()
        if bulk.status != BulkStatus.RUNNING:
            break
        item = bulk.items[number]
        if item["outcome"]:
            continue
        item["outcome"] = _decide(bulk, item)
        BulkDecision.objects.filter(pk=bulk.pk).update(items=bulk.items, done=number + 1)
    BulkDecision.objects.filter(pk=bulk.pk, status=BulkStatus.RUNNING).update(
        status=BulkStatus.DONE, finished_at=database_now()
    )


def cancel_bulk(*, bulk: BulkDecision) -> None:
    """Afterwards nothing more of the plan is carried out; what was decided stays. Raises BulkOverError."""
    open_ones = BulkDecision.objects.filter(pk=bulk.pk, status__in=[BulkStatus.PLANNED, BulkStatus.RUNNING])
    if not open_ones.update(status=BulkStatus.CANCELLED, finished_at=database_now()):
        raise BulkOverError


def _judge(project: Project, case: Case, decision: Decision, user: User) -> tuple[str, str]:
    """Why a case is left out, or nothing and the object to adopt."""
    why = _obstacle(project, case, decision, user)
    if why or decision != Decision.ADOPT:
        return why, ""
    shown = _one_candidate(case)
    return ("", shown) if shown else ("no-single-candidate", "")


def _obstacle(project: Project, case: Case, decision: Decision, user: User) -> str:
    if case.project_id != project.pk:
        return "other-project"
    try:
        must_decide(case, user)
    except NotYoursToDecideError as error:
        return error.code
    if case.status != CaseStatus.OPEN:
        return "case-closed"
    if decision not in possible(case):
        return "does-not-fit"
    return "" if needs_of(case, decision) == Needs.NOTHING else "approval-needed"


def _one_candidate(case: Case) -> str:
    seen = Observation.objects.filter(action_id=case.action_id).order_by("-looked_at", "-pk").first()
    if seen is None:
        return ""
    ids = {one["result_id"] for one in (*seen.objects_seen, *seen.candidates)}
    return str(ids.pop()) if len(ids) == 1 else ""


def _begin(bulk: BulkDecision) -> None:
    with transaction.atomic():
        locked = BulkDecision.objects.select_for_update().get(pk=bulk.pk)
        if locked.status not in {BulkStatus.PLANNED, BulkStatus.RUNNING}:
            raise BulkOverError
        locked.status = BulkStatus.RUNNING
        locked.began_at = locked.began_at or database_now()
        locked.save(update_fields=["status", "began_at"])


def _decide(bulk: BulkDecision, item: dict[str, Any]) -> str:
    case = Case.objects.select_related("project", "action").get(uuid=item["case"], project=bulk.project)
    try:
        decide_case(
            case=case,
            decision=Decision(bulk.decision),
            user=bulk.user,
            result_id=item["result_id"],
            revision=item["revision"],
        )
    except DomainError as error:
        return error.code
    return "decided"
