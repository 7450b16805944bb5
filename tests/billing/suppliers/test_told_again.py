"""What is told again of a request: the latest counts, once, however often it is pulled and by whatever names it goes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import permutations
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from billing.gates import gates_of
from billing.models import CostEntry, DocumentKind, Period, PeriodStatus, Usage
from billing.services.pull_costs import pull_costs
from billing.services.pull_usage import pull_usage
from billing.services.save_price import save_price
from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Attempt, Observation, Receipt
from once_delivery.targets.jobs.usage import usage_of
from tests.billing.deliveries import at
from tests.billing.suppliers.files import one
from tests.billing.suppliers.world import (
    a_world,
    actions_for,
    an_attempt,
    imported,
    statuses,
    told_later,
    used,
)
from tests.billing.world import OCTOBER, SEPTEMBER, a_keeper, by, close

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return a_world()[0]


def cost(request_id: str = "", amount: str | None = None, **changes: Any) -> dict[str, Any]:
    paid = {"amount": amount, "currency": "CNY"} if amount else {}
    return used(request_id, **{"units": None, "unit": None} | paid | changes)


def a_look(
    attempt: Attempt, moment: datetime, usage: dict[str, Any], made: datetime | None = None
) -> Observation:
    seen = {"result_id": usage["job_id"], "usage": usage, "created_at": made.isoformat() if made else None}
    return Observation.objects.create(
        project=attempt.project,
        action=attempt.action,
        method="lookup",
        complete=True,
        looked_at=moment,
        recorded_at=moment,
        verdict="found",
        objects_seen=[seen],
    )


def pulled(project: Project, times: int = 3) -> None:
    for _ in range(times):
        pull_usage(project=project, actor="pull")


def counted(project: Project) -> list[Decimal | None]:
    """What each request that counts came to; its accruals sum to the same."""
    rows = Usage.objects.filter(project=project, replaced=False)
    amounts = sorted((row.amount for row in rows), key=lambda amount: amount or 0)
    accrued = sum(by(project, "kind").values(), Decimal(0))
    assert accrued == sum((amount for amount in amounts if amount is not None), Decimal(0))
    return amounts


def test_a_corrected_cost_stays_however_often_it_is_pulled(project: Project) -> None:
    (action,) = actions_for(project, 1)
    attempt = an_attempt(action, at(14))
    for hour, amount in ((9, "0.04"), (10, "0.05"), (11, "0.05"), (12, "0.04"), (13, "0.06")):
        told_later(attempt, at(14, hour), cost("r-1", amount))
        pulled(project)
        assert counted(project) == [Decimal(amount)]
    before = CostEntry.objects.count()
    pulled(project)
    assert CostEntry.objects.count() == before


def test_what_was_told_twice_does_not_come_back_after_a_correction(project: Project) -> None:
    (action,) = actions_for(project, 1)
    attempt = an_attempt(action, at(14), cost("r-1", "0.04"))
    told_later(attempt, at(14, 9), cost("r-1", "0.04"))  # nothing new: it has no row
    pulled(project)
    told_later(attempt, at(14, 10), cost("r-1", "0.05"))
    pulled(project)
    assert counted(project) == [Decimal("0.05")]


def test_the_units_of_a_job_grow_from_look_to_look(project: Project) -> None:
    price: dict[str, Any] = {"unit": "second", "price": Decimal(2), "currency": "CNY", "source": "list"}
    save_price(
        project=project, user=a_keeper(project), provider="fal", model="flux", valid_from=SEPTEMBER, **price
    )
    (action,) = actions_for(project, 1)
    attempt = an_attempt(action, at(14), cost(job_id="j-1"), result_id="j-1")
    for hour, units in ((9, "3"), (10, "5"), (11, "5"), (12, "8")):
        a_look(attempt, at(14, hour), cost(job_id="j-1", units=units, unit="second"), at(14))
        pulled(project)
        assert [row.units for row in Usage.objects.filter(replaced=False)] == [Decimal(units)]
        assert by(project, "kind", kind__in=["accrual", "accrual_release"])
        assert sum(by(project, "kind").values()) == 2 * Decimal(units)


def test_a_look_corrects_an_answer_and_a_billing_event_both(project: Project) -> None:
    (action,) = actions_for(project, 1)
    attempt = an_attempt(action, at(14, 9), cost("r-1", "0.04", job_id="j-1"), result_id="j-1")
    pulled(project)
    a_look(attempt, at(14, 10), cost("r-1", "0.05", job_id="j-1"))
    pulled(project)
    assert counted(project) == [Decimal("0.05")]
    event = one(amount="0.07", currency="CNY")
    imported(project.suppliers.get(), event, kind=DocumentKind.BILLING_EVENTS, number="E-1")
    pulled(project)
    assert counted(project) == [Decimal("0.07")]
    # the supplier's own record is better than what others say of it
    told_later(attempt, at(15, 10), cost("r-1", "0.06"))
    pulled(project)
    assert counted(project) == [Decimal("0.07")]
    imported(project.suppliers.get(), event)
    pulled(project)
    assert statuses() == ["matched"]
    assert by(project, "grade") == {"A": Decimal("0.07")}


REQUESTS = ("r-1", "r-2")
tellings = st.lists(
    st.tuples(
        st.sampled_from(["report", "look", "pull"]),
        st.sampled_from(REQUESTS),
        st.sampled_from([None, None, "0.04", "0.05", "0.06"]),
        st.sampled_from(["1", "2", "3"]),
    ),
    min_size=2,
    max_size=12,
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tellings)
def test_the_latest_counts_whatever_was_told_in_whatever_order(
    project: Project, said: Sequence[tuple[str, str, str | None, str]]
) -> None:
    with transaction.atomic():
        _tell(project, said)
        transaction.set_rollback(True)  # nothing of an example stays


def _tell(project: Project, said: Sequence[tuple[str, str, str | None, str]]) -> None:
    (action,) = actions_for(project, 1)
    attempt = an_attempt(action, at(14))
    latest: dict[str, tuple[Decimal | None, Decimal]] = {}
    for minute, (where, name, amount, units) in enumerate(said):
        moment = at(14, 9) + timedelta(minutes=minute)
        if where == "pull":
            pulled(project, 1)
            continue
        told = cost(name, amount, job_id=f"j-{name}", units=units, unit="image")
        told_later(attempt, moment, told) if where == "report" else a_look(attempt, moment, told)
        known = latest.get(name, (None, Decimal(0)))
        if amount is not None or known[0] is None:
            latest[name] = (Decimal(amount) if amount else None, Decimal(units))
    pulled(project, 3)
    rows = Usage.objects.filter(project=project, replaced=False)
    assert {row.request_id: row.amount for row in rows} == {name: one[0] for name, one in latest.items()}
    assert rows.count() == len(latest)
    unpriced = {row.request_id: row.units for row in rows if row.amount is None}
    assert unpriced == {name: one[1] for name, one in latest.items() if one[0] is None}
    counted(project)


names = st.sampled_from([("", ""), ("r-1", ""), ("r-2", ""), ("", "j-1"), ("r-1", "j-1"), ("r-2", "j-2")])
amounts = st.sampled_from([None, "0.04", "0.05"])


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(names, amounts, st.sampled_from([None, "1", "2"])), min_size=2, max_size=7))
@example([(("r-1", "j-1"), None, None), (("", ""), "0.04", None), (("r-1", "j-1"), "0.05", None)])
@example([(("r-1", ""), "0.04", None), (("r-1", "j-1"), "0.05", None), (("r-3", "j-1"), "0.04", None)])
def test_when_it_is_pulled_changes_nothing(
    project: Project, said: Sequence[tuple[tuple[str, str], str | None, str | None]]
) -> None:
    found = []
    for every in (True, False):
        with transaction.atomic():
            (action,) = actions_for(project, 1)
            attempt = an_attempt(action, at(14))
            for minute, ((request_id, job_id), amount, units) in enumerate(said):
                told = cost(request_id, amount, job_id=job_id, units=units, unit="image" if units else None)
                told_later(attempt, at(14, 9) + timedelta(minutes=minute), told)
                if every:
                    pulled(project, 1)
            pulled(project)
            found.append((counted(project), Usage.objects.filter(project=project, replaced=False).count()))
            transaction.set_rollback(True)
    assert found[0] == found[1]


def done(amount: str | None, request_id: str = "") -> dict[str, Any]:
    """As the API keeps the cost of a result: under the result's ID."""
    return usage_of(
        provider="fal",
        proven="reported",
        job_id="post-7",
        request_id=request_id,
        amount=amount,
        currency="CNY",
    )


@pytest.mark.parametrize("first", ["done", "costs"])
@pytest.mark.parametrize("pull_between", [False, True])
@pytest.mark.parametrize(("at_done", "later"), [("r-1", "r-1"), ("", ""), ("", "r-1"), ("r-1", "")])
def test_a_cost_that_is_told_with_the_result_and_again_is_counted_once(
    project: Project, first: str, at_done: str, later: str, *, pull_between: bool
) -> None:
    (action,) = actions_for(project, 1)
    attempt = an_attempt(action, at(14, 7), result_id="post-7")

    def tell(what: str, moment: datetime) -> None:
        if what == "done":
            Receipt.objects.create(
                project=project, attempt=attempt, action=action, outcome="done", code="test",
                usage=done("0.04", at_done), received_at=moment, result_id="post-7", late=True,
            )  # fmt: skip
        else:
            told_later(attempt, moment, cost(later, "0.04"))

    tell(first, at(14, 9))
    if pull_between:
        pulled(project)
    tell("costs" if first == "done" else "done", at(14, 10))
    pulled(project)
    assert counted(project) == [Decimal("0.04")]
    if later:  # what has a name is corrected by it, and stays corrected
        told_later(attempt, at(14, 11), cost(later, "0.05"))
        pulled(project)
        assert counted(project) == [Decimal("0.05")]


def test_what_is_told_again_keeps_no_month_open(project: Project) -> None:
    (action,) = actions_for(project, 1)
    attempt = an_attempt(action, at(14, 7), done("0.04"), result_id="post-7")
    told_later(attempt, at(14, 9), cost("", "0.04"))
    pulled(project)
    assert Usage.objects.filter(replaced=True).exists()
    assert [
        gate.code for gate in gates_of(project, SEPTEMBER) if gate.code == "documents" and not gate.passed
    ] == []


def test_a_cost_without_a_name_is_one_of_several(project: Project) -> None:
    (action,) = actions_for(project, 1)
    attempt = an_attempt(action, at(14), done("0.04"), result_id="post-7")
    pulled(project)
    told_later(attempt, at(14, 9), cost("", "0.01"))  # another request: of the text, not of the picture
    told_later(attempt, at(14, 10), cost("", "0.04"))
    told_later(attempt, at(14, 11), cost("r-1", "0.04"))
    told_later(attempt, at(14, 12), cost("r-2", "0.04"))
    pulled(project)
    assert counted(project) == [Decimal("0.01"), Decimal("0.04"), Decimal("0.04")]
    told_later(attempt, at(14, 13), cost("r-1", "0.05"))
    pulled(project)
    assert counted(project) == [Decimal("0.01"), Decimal("0.04"), Decimal("0.05")]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_two_that_turn_out_to_be_one_are_counted_once(project: Project, order: tuple[int, ...]) -> None:
    """The result's ID alone, the request's alone, and both together: whatever is told when."""
    (action,) = actions_for(project, 1)
    attempt = an_attempt(action, at(14))
    told = [cost("", "0.04", job_id="j-1"), cost("r-1", "0.05"), cost("r-1", "0.06", job_id="j-1")]
    for hour, which in enumerate(order, 9):
        told_later(attempt, at(14, hour), told[which])
        pulled(project)
    assert counted(project) == [Decimal(told[order[-1]]["amount"])]


def test_two_jobs_of_one_request_are_two(project: Project) -> None:
    (action,) = actions_for(project, 1)
    attempt = an_attempt(action, at(14))
    for hour, job in enumerate(("j-1", "j-2"), 9):  # a list of jobs came in one answer
        told_later(attempt, at(14, hour), cost("r-1", "0.04", job_id=job))
    pulled(project)
    assert counted(project) == [Decimal("0.04"), Decimal("0.04")]


def test_what_is_told_late_belongs_to_the_day_of_the_send(project: Project) -> None:
    (action,) = actions_for(project, 1)
    attempt = an_attempt(action, at(14))
    told_later(attempt, at(20, month=10), cost("r-1", "0.04"))
    pulled(project)
    assert by(project, "posted_period", "origin_period") == {(SEPTEMBER, SEPTEMBER): Decimal("0.04")}
    assert Usage.objects.get().used_at == attempt.intended_at
    assert CostEntry.objects.get().incurred_on == date(2026, 9, 14)
    # and so does what corrects it, though the look cannot tell when the job was made
    a_look(attempt, at(21, month=10), cost("r-1", "0.05", job_id="j-1"))
    pulled(project)
    assert by(project, "posted_period") == {SEPTEMBER: Decimal("0.05")}


def test_what_is_told_of_a_closed_month_is_a_correction(project: Project) -> None:
    (action,) = actions_for(project, 1)
    attempt = an_attempt(action, at(14), cost("r-0", "0.01"))
    pulled(project)
    close(project, SEPTEMBER)
    told_later(attempt, at(20, month=10), cost("r-1", "0.04"))
    told_later(attempt, at(20, month=10), cost("r-0", "0.02"))
    assert "usage" not in pull_costs(project=project)
    pulled(project)
    late = by(project, "posted_period", "origin_period", "correction")
    assert late == {
        (SEPTEMBER, SEPTEMBER, False): Decimal("0.01"),
        (OCTOBER, SEPTEMBER, True): Decimal("0.05"),
    }


@pytest.mark.parametrize("closes", [False, True])
def test_nothing_of_a_month_on_hold_is_half_moved(project: Project, *, closes: bool) -> None:
    (action,) = actions_for(project, 1)
    attempt = an_attempt(action, at(30), cost(job_id="j-1", amount="0.04"), result_id="j-1")
    pulled(project)
    september = Period.objects.filter(project=project, month=SEPTEMBER)
    september.update(status=PeriodStatus.HOLD)
    for hour, amount in ((1, "0.05"), (2, "0.04"), (3, "0.06")):
        a_look(attempt, at(1, hour, month=10), cost(job_id="j-1", amount=amount), at(30))
        pulled(project)
    assert counted(project) == [Decimal("0.04")]
    assert CostEntry.objects.count() == 1
    if closes:
        close(project, SEPTEMBER)
    else:
        september.update(status=PeriodStatus.OPEN)
    pulled(project)
    assert counted(project) == [Decimal("0.06")]
    moved = {SEPTEMBER: Decimal("0.04"), OCTOBER: Decimal("0.02")} if closes else {SEPTEMBER: Decimal("0.06")}
    assert by(project, "posted_period") == moved
