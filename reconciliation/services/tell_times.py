"""Escalate: say when half, four fifths and all of a case's time are over."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from once_delivery.accounts.models import User
from once_delivery.ledger.clock import database_now
from once_delivery.notices.models import Event
from once_delivery.notices.services.announce import announce
from reconciliation.case_clock import percent_over
from reconciliation.models import Case, CaseEventKind, CaseStatus
from reconciliation.working import told_of, write

AT_ONCE = 500
STEPS: tuple[tuple[int, Event], ...] = (
    (100, Event.CASE_OVERDUE),
    (80, Event.CASE_MOST),
    (50, Event.CASE_HALF),
)


def tell_times() -> int:
    """Afterwards each open case whose time has come so far was announced, once a step; returns how many were.

    Only the latest step is told: a case that nobody swept for a day is overdue, not half over.
    """
    now = database_now()
    told = 0
    for pk in _candidates(now):
        told += _tell(pk, now)
    return told


def _candidates(now: datetime) -> list[int]:
    """Open cases that are not all told; those due in a month cannot be half over yet."""
    return list(
        Case.objects.filter(
            status=CaseStatus.OPEN,
            paused_at__isnull=True,
            told_percent__lt=100,
            due_at__lt=now + timedelta(days=31),
        )
        .order_by("due_at")
        .values_list("pk", flat=True)[:AT_ONCE]
    )


def _tell(pk: int, now: datetime) -> int:
    with transaction.atomic():
        case = (
            Case.objects.select_for_update(of=("self",), skip_locked=True)
            .select_related(
                "project__default_owner",
                "owner",
                "action__target",
                "action__task__product",
                "action__task__input_version",
            )
            .filter(pk=pk, status=CaseStatus.OPEN)
            .first()
        )
        if case is None:
            return 0
        over = percent_over(case, now)
        step = next(((percent, event) for percent, event in STEPS if over >= percent), None)
        if step is None or step[0] <= case.told_percent:
            return 0
        case.told_percent = step[0]
        case.save(update_fields=["told_percent"])
        write(case, CaseEventKind.TOLD, user=None, percent=step[0])
        announce(project=case.project, event=step[1], data=told_of(case), people=_people(case, step[0]))
    return 1


def _people(case: Case, percent: int) -> list[User]:
    """The owner; when the time is over, also who stands behind them."""
    people = [case.owner]
    if percent >= 100:  # noqa: PLR2004 - all of it
        people += [case.project.default_owner, case.project.stand_in_owner]
    return list(dict.fromkeys(people))
