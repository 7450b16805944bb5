"""The clock of a case, who is told, and how long people worked."""

from __future__ import annotations

from datetime import timedelta

import pytest

from once_delivery.accounts.models import Role, User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.notices.models import Event, Message
from reconciliation.case_clock import percent_over
from reconciliation.models import (
    Calendar,
    Case,
    TimeSpan,
)
from reconciliation.services.measure_time import (
    SILENT_AFTER,
    end_silent_spans,
    note_working,
    pause_timing,
    seconds_on,
    start_timing,
)
from reconciliation.services.open_cases import open_cases
from reconciliation.services.tell_times import tell_times
from tests.builders import a_batch, a_project, a_target
from tests.fakes.connector import FakeTarget, answer_lost
from tests.reconciliation.given import events, grown_old, member, told

pytestmark = pytest.mark.django_db(transaction=True)


def test_opening_tells_the_owner(case: Case) -> None:
    assert told() == [(Event.CASE_OPENED, "ops@example.com")] * 3
    message = Message.objects.order_by("pk")[0]
    assert message.subject == "A case waits for you: kettle › de-DE › product-page › v1"
    assert events(case) == ["opened"]
    open_cases()
    assert len(told()) == 3


def test_it_is_due_in_working_time(fake: FakeTarget, ops: User) -> None:
    project = a_project()
    Calendar.objects.create(project=project, days=[], holidays=["2026-10-01"])
    Calendar.objects.filter(project=project).update(days=list(range(7)))
    fake.scripted = [answer_lost]
    a_target(project, guard="none", look_up=False)
    batch = a_batch(project)
    resume_batch(batch=batch)
    open_cases()
    case = Case.objects.get()
    # eight hours of a nine-hour day: never on the same day but when opened in its first hour
    assert timedelta(hours=8) <= case.due_at - case.opened_at <= timedelta(hours=24)
    assert percent_over(case, case.opened_at) == 0
    assert percent_over(case, case.due_at) == 100


def test_half_four_fifths_and_all_of_the_time_are_told_once(case: Case) -> None:
    Message.objects.all().delete()
    for percent, expected in ((49, 0), (51, 1), (60, 0), (81, 1), (99, 0), (101, 1), (150, 0)):
        grown_old(case, percent)
        assert tell_times() == expected, percent
    assert told() == [
        (Event.CASE_HALF, "ops@example.com"),
        (Event.CASE_MOST, "ops@example.com"),
        (Event.CASE_OVERDUE, "ops@example.com"),
    ]


def test_after_a_day_without_a_sweep_it_is_overdue_and_not_half_over(case: Case) -> None:
    Message.objects.all().delete()
    grown_old(case, 300)
    tell_times()
    assert [event for event, _ in told()] == [Event.CASE_OVERDUE]


def test_time_is_measured_where_a_person_works(case: Case, ops: User) -> None:
    start_timing(case=case, user=ops)
    assert start_timing(case=case, user=ops).pk == TimeSpan.objects.get().pk  # a second tab
    TimeSpan.objects.update(began_at=database_now() - timedelta(minutes=2))
    assert note_working(case=case, user=ops)
    pause_timing(user=ops)
    assert 119 <= seconds_on(case) <= 122
    assert not note_working(case=case, user=ops)
    other = Case.objects.order_by("pk")[1]
    start_timing(case=case, user=ops)
    start_timing(case=other, user=ops)
    assert TimeSpan.objects.filter(ended_at__isnull=True).get().case == other
    with pytest.raises(DomainError, match="not-yours-to-decide"):
        start_timing(case=case, user=member("vera", Role.VIEWER))


def test_a_browser_that_died_counts_until_it_was_seen(case: Case, ops: User) -> None:
    start_timing(case=case, user=ops)
    now = database_now()
    TimeSpan.objects.update(began_at=now - timedelta(hours=3), seen_at=now - timedelta(hours=2))
    assert end_silent_spans() == 1
    assert seconds_on(case) == 3600
    start_timing(case=case, user=ops)
    TimeSpan.objects.filter(ended_at__isnull=True).update(
        began_at=now - SILENT_AFTER * 2, seen_at=now - SILENT_AFTER * 2
    )
    assert not note_working(case=case, user=ops)
    assert seconds_on(case) == 3600
