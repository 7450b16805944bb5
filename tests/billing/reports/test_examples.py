"""The examples of ACCOUNTING section 16 that reports answer."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from billing.models import Bearer, Cause, CostEntry, EntryKind
from billing.reports.ratio import rolled_up
from billing.reports.scope import Basis, Dimension, ReportScope
from billing.reports.slices import slices
from billing.reports.totals import totals
from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Task
from tests.billing.reports.world import (
    OCTOBER,
    SEPTEMBER,
    accept,
    accounts,
    close,
    count,
    entry,
    make_tasks,
    post,
)
from tests.builders import a_batch, a_delivery

pytestmark = pytest.mark.django_db
IN_OCTOBER = date(2026, 10, 10)


def tasks(project: Project, number: int) -> list[Task]:
    return list(make_tasks(project, {f"t{n}": (f"p{n}", 1) for n in range(number)}).values())


def costs(project: Project, basis: Basis) -> list[str | None]:
    """Cost per asset of September, October, and to date."""
    scopes = [ReportScope(project, month, month, basis) for month in (SEPTEMBER, OCTOBER)]
    found = [totals(scope).ratio.value for scope in (*scopes, ReportScope(project, basis=basis))]
    return [None if value is None else str(value) for value in found]


def amounts(project: Project, basis: Basis) -> list[Decimal]:
    return [totals(ReportScope(project, month, month, basis)).n for month in (SEPTEMBER, OCTOBER)]


def test_late_cost_after_the_close() -> None:
    """September 1000 / 10 closed; October 900 / 9; late 120 of September."""
    project = accounts()
    made = tasks(project, 19)
    post(entry(project, "1000.00"))
    for task in made[:10]:
        accept(task, day=15)
    close(project, SEPTEMBER)
    post(entry(project, "900.00", incurred_on=IN_OCTOBER))
    for task in made[10:]:
        accept(task, day=15, month=10)
    (late,) = post(entry(project, "120.00"))
    assert (late.posted_period, late.origin_period, late.correction) == (OCTOBER, SEPTEMBER, True)
    assert costs(project, Basis.POSTED) == ["100.00", "113.33", "106.32"]
    assert costs(project, Basis.RESTATED) == ["112.00", "100.00", "106.32"]


@pytest.mark.parametrize("closed", [False, True])
def test_an_accrual_and_its_actual(*, closed: bool) -> None:
    """Accrual 45.00, actual 47.30, before and after the close."""
    project = accounts()
    (accrual,) = post(entry(project, "45.00", kind=EntryKind.ACCRUAL, grade="D"))
    if closed:
        close(project, SEPTEMBER)
    post(
        entry(project, "-45.00", kind=EntryKind.ACCRUAL_RELEASE, grade="D", reverses_id=accrual.pk),
        entry(project, "47.30"),
    )
    posted = [Decimal("45.00"), Decimal("2.30")] if closed else [Decimal("47.30"), Decimal(0)]
    assert amounts(project, Basis.POSTED) == posted
    assert amounts(project, Basis.RESTATED) == [Decimal("47.30"), Decimal(0)]
    later = totals(ReportScope(project, OCTOBER, OCTOBER))
    assert later.corrections == (Decimal("2.30") if closed else 0)


def test_a_timeout_that_is_refunded_next_month() -> None:
    """Time-out 10 + resend 10 accepted; refund 10 next month."""
    project = accounts()
    (task,) = tasks(project, 1)
    lost = {"task_id": task.pk, "cause": Cause.PLATFORM_RETRY, "bearer": Bearer.VENDOR}
    post(entry(project, "10.00", **lost), entry(project, "10.00", task_id=task.pk))
    accept(task, day=15)
    close(project, SEPTEMBER)
    post(entry(project, "-10.00", kind=EntryKind.SUPPLIER_CREDIT, **lost))
    frozen = totals(ReportScope(project, SEPTEMBER, SEPTEMBER))
    assert (str(frozen.ratio.value), frozen.by_bearer[Bearer.VENDOR]) == ("20.00", Decimal("10.00"))
    restated = totals(ReportScope(project, SEPTEMBER, SEPTEMBER, Basis.RESTATED))
    assert (str(restated.ratio.value), restated.by_bearer[Bearer.VENDOR]) == ("10.00", Decimal(0))
    later = totals(ReportScope(project, OCTOBER, OCTOBER))
    assert (later.n, later.d, later.ratio.value) == (Decimal("-10.00"), 0, None)


@pytest.mark.parametrize(("wanted", "cost"), [(False, "16.00"), (True, "8.00")])
def test_a_repeat_that_the_client_confirmed(*, wanted: bool, cost: str) -> None:
    """2 x 8.00, both accepted: a duplicate is 16.00 / 1, a wanted variant 8.00 / 2."""
    project = accounts()
    first, second = tasks(project, 2)
    post(
        entry(project, "8.00", task_id=first.pk),
        entry(project, "8.00", task_id=second.pk, cause=Cause.CLIENT_CONFIRMED_REPEAT),
    )
    survivor, repeat = accept(first, day=15), accept(second, day=16)
    if not wanted:
        count(repeat, "duplicate_found", SEPTEMBER, survivor=survivor)
    assert costs(project, Basis.POSTED)[0] == cost


def test_products_roll_up_by_their_sums() -> None:
    """A 10.00 / 1, B 60.00 / 3: 17.50, and not the mean of 10.00 and 20.00."""
    project = accounts()
    made = make_tasks(project, {"a": ("a", 1)}) | make_tasks_of_b(project)
    post(
        *(entry(project, "10.00" if name == "a" else "20.00", task_id=task.pk) for name, task in made.items())
    )
    for task in made.values():
        accept(task, day=15)
    parts = slices(ReportScope(project), Dimension.PRODUCT)
    assert [(part.key, str(part.ratio.value)) for part in parts] == [("a", "10.00"), ("b", "20.00")]
    rolled = rolled_up((part.ratio for part in parts), quantum=Decimal("0.01"))
    assert str(rolled.value) == "17.50"


def make_tasks_of_b(project: Project) -> dict[str, Task]:
    locales = ("de-DE", "en-US", "fr-FR")
    a_batch(project, *(a_delivery("b", locale) for locale in locales), name="b")
    return {
        f"b-{locale}": Task.objects.get(project=project, product__code="b", locale=locale)
        for locale in locales
    }


def test_exchange_differences_and_recoverable_tax_stand_beside_the_cost() -> None:
    project = accounts()
    post(
        entry(project, "100.00", tax_memo=Decimal("6.00")),
        entry(project, "0.37", kind=EntryKind.FX_DIFF),
        entry(project, "5.00", tax_treatment="non_recoverable"),
    )
    found = totals(ReportScope(project))
    assert (found.n, found.fx_diff, found.tax_memo) == (Decimal("105.00"), Decimal("0.37"), Decimal("6.00"))


def test_what_is_posted_later_is_outside_of_an_earlier_view() -> None:
    project = accounts()
    (first,) = post(entry(project, "10.00"))
    post(entry(project, "2.00"))
    seen: dict[str, Any] = {"as_of": CostEntry.objects.get(pk=first.pk).created_at}
    assert totals(ReportScope(project, **seen)).n == Decimal("10.00")
    assert totals(ReportScope(project)).n == Decimal("12.00")
