"""Measure how long a person works on a case: one span at a time, ended where the browser was last seen."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import DurationField, ExpressionWrapper, F, Sum

from once_delivery.accounts.models import User
from once_delivery.ledger.clock import database_now
from reconciliation.models import Case, TimeSpan
from reconciliation.working import must_decide

SILENT_AFTER = timedelta(minutes=3)  # a page that is open says so every minute


def start_timing(*, case: Case, user: User) -> TimeSpan:
    """Afterwards the person's time runs on this case, and on no other. Raises NotYoursToDecideError."""
    must_decide(case, user)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)  # two tabs of one person
        running = TimeSpan.objects.filter(user=user, ended_at__isnull=True).first()
        if running is not None and running.case_id == case.pk and not _is_silent(running):
            return running
        _end(running)
        now = database_now()
        return TimeSpan.objects.create(
            project_id=case.project_id, case=case, user=user, began_at=now, seen_at=now
        )


def note_working(*, case: Case, user: User) -> bool:
    """The page is open still; False when no time runs on this case (it was paused, or another is open)."""
    running = TimeSpan.objects.filter(case=case, user=user, ended_at__isnull=True).first()
    if running is None or _is_silent(running):
        _end(running)
        return False
    return bool(TimeSpan.objects.filter(pk=running.pk).update(seen_at=database_now()))


def pause_timing(*, user: User, case: Case | None = None) -> None:
    """Afterwards no time of the person runs (with ``case``: none on that case); up to now it is counted.

    A page that is left says so late: by then the time may run on the next case, and must go on there.
    """
    with transaction.atomic():
        running = TimeSpan.objects.select_for_update().filter(user=user, ended_at__isnull=True).first()
        if running is not None and case is not None and running.case_id != case.pk:
            return
        if running is not None:
            end = running.seen_at if _is_silent(running) else database_now()
            TimeSpan.objects.filter(pk=running.pk).update(ended_at=end)


def end_silent_spans() -> int:
    """Afterwards no span runs whose browser has not been seen for some minutes; returns how many were ended."""
    silent = TimeSpan.objects.filter(ended_at__isnull=True, seen_at__lt=database_now() - SILENT_AFTER)
    return silent.update(ended_at=F("seen_at"))


def seconds_on(case: Case) -> int:
    """All measured time of everybody on the case; a running span counts up to where it was last seen."""
    ended = ExpressionWrapper(F("ended_at") - F("began_at"), output_field=DurationField())
    running = ExpressionWrapper(F("seen_at") - F("began_at"), output_field=DurationField())
    spans = TimeSpan.objects.filter(case=case)
    whole = spans.filter(ended_at__isnull=False).aggregate(total=Sum(ended))["total"] or timedelta()
    whole += spans.filter(ended_at__isnull=True).aggregate(total=Sum(running))["total"] or timedelta()
    return int(whole.total_seconds())


def _is_silent(span: TimeSpan) -> bool:
    return bool(database_now() - span.seen_at > SILENT_AFTER)


def _end(span: TimeSpan | None) -> None:
    if span is not None:
        end = span.seen_at if _is_silent(span) else database_now()
        TimeSpan.objects.filter(pk=span.pk, ended_at__isnull=True).update(ended_at=end)
