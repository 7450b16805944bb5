"""Lines that wait are looked at again when usage is told: all of them, however many wait for ever."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from billing.models import DocumentKind, LineMatch, Period, PeriodStatus, Usage
from billing.selectors.queue import CANDIDATES, candidates_of
from billing.services import match_lines as looking
from billing.services.match_lines import match_lines
from billing.services.pull_usage import pull_usage
from tests.billing.deliveries import at
from tests.billing.suppliers.files import one
from tests.billing.suppliers.world import a_world, actions_for, an_attempt, imported, statuses, used
from tests.billing.world import OCTOBER, SEPTEMBER, by

pytestmark = pytest.mark.django_db


def some_orphans(count: int) -> list[dict[str, object]]:
    return [dict(one(request_id=f"nobodys-{number}")) for number in range(count)]


def test_lines_that_wait_for_ever_do_not_keep_a_newer_one_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "_AT_ONCE", 3)
    project, fal = a_world()
    imported(fal, *some_orphans(7), one(request_id="r-1"), one(request_id="", units="2"))
    assert statuses() == ["orphan"] * 9
    first, second = actions_for(project, 2)
    an_attempt(first, at(14, 9), used("r-1"))
    an_attempt(second, at(14, 9), used("", units="2"))
    assert pull_usage(project=project, actor="pull").matched == 2
    assert statuses() == ["orphan"] * 7 + ["matched"] * 2
    assert match_lines(project=project, actor="pull") == 0


def test_no_likeness_takes_what_a_later_line_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "_AT_ONCE", 1)
    project, fal = a_world()
    imported(fal, one(request_id=""), one(request_id="r-1"))
    an_attempt(actions_for(project, 1)[0], at(14, 9), used("r-1"))
    assert pull_usage(project=project, actor="pull").matched == 1
    assert statuses() == ["orphan", "matched"]


def test_a_month_on_hold_keeps_its_lines_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "_AT_ONCE", 2)
    project, fal = a_world()
    imported(
        fal, *some_orphans(2), one(request_id="r-1"), one(request_id="r-2", used_at="2026-08-20T09:00:00Z")
    )
    Period.objects.filter(project=project, month="2026-09-01").update(status=PeriodStatus.HOLD)
    first, second = actions_for(project, 2)
    an_attempt(first, at(14, 9), used("r-1"))
    an_attempt(second, at(20, 9, month=8), used("r-2"))
    pull_usage(project=project, actor="pull")
    assert statuses() == ["orphan"] * 3 + ["matched"]
    assert match_lines(project=project, actor="finance") == 1


@pytest.mark.parametrize("kind", [DocumentKind.INVOICE, DocumentKind.BILLING_EVENTS])
def test_a_line_of_another_month_posts_nothing_in_a_month_on_hold(kind: DocumentKind) -> None:
    """Used in the last minutes of September, billed in the first ones of October: its estimate is September's."""
    project, fal = a_world()
    first, second, third, fourth = actions_for(project, 4)
    late = at(30, 15)  # 23:00 in Shanghai
    for action, name in ((first, "r-1"), (second, "r-2")):
        an_attempt(action, late, used(name, amount="4.00", currency="CNY"))
    pull_usage(project=project, actor="pull")
    cny = {"currency": "CNY", "used_at": "2026-09-30T16:05:00Z"}
    other = {"request_id": "r-3", "used_at": "2026-10-14T09:00:00Z", "currency": "CNY"}
    in_october: dict[str, Any] = {"dated": date(2026, 10, 30), "period": OCTOBER}
    imported(fal, one(request_id="", amount="4.50", **cny), one(**other), kind=kind, **in_october)
    assert statuses() == ["ambiguous", "orphan"]
    imported(fal, one(request_id="r-2", **cny), number="INV-2", **in_october)
    Period.objects.filter(project=project, month=SEPTEMBER).update(status=PeriodStatus.HOLD)
    before = by(project, "kind", posted_period=SEPTEMBER)
    assert before == {"accrual": Decimal(8), "accrual_release": Decimal(-4)}
    an_attempt(third, at(14, 9, month=10), used("r-3"))
    assert pull_usage(project=project, actor="pull").matched == 1
    assert statuses() == ["ambiguous", "matched"]
    assert by(project, "kind", posted_period=SEPTEMBER) == before
    usage = Usage.objects.get(request_id="r-1")
    assert (usage.settled, usage.replaced) == (False, False)
    Period.objects.filter(project=project, month=SEPTEMBER).update(status=PeriodStatus.OPEN)
    an_attempt(fourth, at(15, 9, month=10), used("r-4"))
    assert pull_usage(project=project, actor="pull").matched == 1
    assert by(project, "posted_period") == {OCTOBER: Decimal("12.50")}


def test_what_is_as_ambiguous_as_before_is_not_written_again() -> None:
    project, fal = a_world()
    imported(fal, *[one(request_id="") for _ in range(5)])
    for action in actions_for(project, 2):
        an_attempt(action, at(14, 9), used())
    pull_usage(project=project, actor="pull")
    assert statuses() == ["ambiguous"] * 5
    with CaptureQueriesContext(connection) as caught:
        match_lines(project=project, actor="pull")
    assert not [one for one in caught if one["sql"].startswith("UPDATE")]


def test_the_nearest_in_time_are_shown_however_many_uses_there_are() -> None:
    project, fal = a_world()
    imported(fal, one(request_id="", model="nobodys"))
    day = at(14, 9)
    match = LineMatch.objects.get()
    assert (match.candidates, match.line.used_at) == ([], day)
    (action,) = actions_for(project, 1)
    attempt = an_attempt(action, day)
    away = [*range(-60 * 24, -60 * 24 + 520), *range(-30, 31), *range(60 * 24, 60 * 24 + 50)]
    Usage.objects.bulk_create(
        Usage(
            project=project, task=action.task, attempt=attempt, source_key=f"test:{minutes}", provider="fal",
            used_at=day + timedelta(minutes=minutes),
        )
        for minutes in away
    )  # fmt: skip
    shown = [(found.used_at - day) // timedelta(minutes=1) for found in candidates_of(match)]
    assert len(shown) == CANDIDATES
    assert [abs(minutes) for minutes in shown] == sorted(abs(minutes) for minutes in away)[:CANDIDATES]
