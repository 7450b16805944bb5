"""Every action that cannot go on by itself gets a case with an owner and a due time. May run at any time, twice."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from once_delivery.accounts.models import Project, User
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Action
from once_delivery.ledger.states import FINAL, OPEN_QUESTIONS, NextStep, State
from once_delivery.notices.models import Event
from once_delivery.notices.services.announce import announce
from once_delivery.targets.base import Presence
from reconciliation.case_clock import due_of
from reconciliation.held import held_without_case, is_over
from reconciliation.models import Case, CaseEventKind, CaseKind, CaseStatus, Finding, FindingKind
from reconciliation.owners import owner_of
from reconciliation.working import told_of, write

AT_ONCE = 1000
HELD = "held-back"
# why the case is there, where the action itself stands for another reason (it may be confirmed)
_REASONS = {CaseKind.HELD: HELD, CaseKind.DUPLICATE: "found-many"}


def open_cases(*, project: Project | None = None) -> int:
    """Afterwards each action that waits for a person, or whose object is there twice, has a case, and each target at
    which a refuted claim holds something back has one; returns how many are new.

    Cases whose action came right by itself meanwhile (late truth) are closed as such.
    """
    _close_solved(project)
    now = database_now()
    owners: dict[int, User] = {}
    made = 0
    found = [(action, _kind(action)) for action in _without_case(project)[:AT_ONCE]]
    for action, kind in (*found, *((one, CaseKind.HELD) for one in held_without_case(project))):
        if action.project_id not in owners:
            owners[action.project_id] = owner_of(action.project, now)
        made += _open(action, kind, owners[action.project_id], now)
    return made


def _without_case(project: Project | None) -> list[Action]:
    waiting = Action.objects.filter(next_step=NextStep.PERSON)
    twice = Action.objects.filter(presence=Presence.DUPLICATE)
    if project is not None:
        waiting, twice = waiting.filter(project=project), twice.filter(project=project)
    waiting = waiting.exclude(cases__status=CaseStatus.OPEN)
    twice = twice.exclude(cases__status=CaseStatus.OPEN)
    found = {action.pk: action for action in waiting.select_related("project").order_by("pk")[:AT_ONCE]}
    found |= {action.pk: action for action in twice.select_related("project").order_by("pk")[:AT_ONCE]}
    return list(found.values())


def _open(action: Action, kind: CaseKind, owner: User, now: datetime) -> int:
    with transaction.atomic():
        if kind == CaseKind.DUPLICATE:
            _find(action, now)
        case = Case(
            project_id=action.project_id,
            action=action,
            kind=kind,
            reason=_REASONS.get(kind, action.reason),
            owner=owner,
            opened_at=now,
            due_at=due_of(action.project, now),
        )
        # another process may open the same one: the constraint lets one in
        Case.objects.bulk_create([case], ignore_conflicts=True)
        made = (
            Case.objects.filter(uuid=case.uuid)
            .select_related("owner", "action__target", "action__task__product", "action__task__input_version")
            .first()
        )
        if made is None:
            return 0
        write(made, CaseEventKind.OPENED, user=None, reason=made.reason)
        announce(project=action.project, event=Event.CASE_OPENED, data=told_of(made), people=[owner])
    return 1


def _kind(action: Action) -> CaseKind:
    if action.presence == Presence.DUPLICATE:
        return CaseKind.DUPLICATE
    if action.state == State.REFUSED:
        return CaseKind.REFUSED
    return CaseKind.UNCERTAIN if action.state in OPEN_QUESTIONS else CaseKind.STUCK


def _find(action: Action, now: datetime) -> None:
    event = action.events.filter(kind="duplicate.seen").order_by("-pk").first()
    finding = Finding(
        project_id=action.project_id,
        target_id=action.target_id,
        action=action,
        kind=FindingKind.DUPLICATE,
        marker=action.marker,
        evidence=event.data if event else {},
        found_at=now,
    )
    Finding.objects.bulk_create([finding], ignore_conflicts=True)


def _close_solved(project: Project | None) -> None:
    open_ones = Case.objects.filter(status=CaseStatus.OPEN).exclude(kind=CaseKind.DUPLICATE)
    if project is not None:
        open_ones = open_ones.filter(project=project)
    now = database_now()
    for states, resolution in (([State.CONFIRMED], "came-right"), (FINAL - {State.CONFIRMED}, "closed")):
        open_ones.filter(action__state__in=states).update(
            status=CaseStatus.RESOLVED, resolved_at=now, resolution=resolution
        )
    for case in open_ones.filter(kind=CaseKind.HELD).select_related("action"):
        if is_over(case):
            open_ones.filter(pk=case.pk).update(
                status=CaseStatus.RESOLVED, resolved_at=now, resolution="came-right"
            )
