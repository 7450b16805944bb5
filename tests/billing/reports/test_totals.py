from __future__ import annotations

from decimal import Decimal

import pytest

from billing.models import Bearer, Bucket, Grade
from billing.reports.ratio import Ratio, RatioStatus, rolled_up
from billing.reports.scope import Basis, Dimension, ReportScope, scope_of
from billing.reports.slices import slices
from billing.reports.totals import totals
from once_delivery.accounts.models import Project
from tests.billing.reports.world import (
    OCTOBER,
    SEPTEMBER,
    accept,
    accounts,
    entry,
    make_tasks,
    october,
    post,
    september,
)

CENT = Decimal("0.01")


def of(project: Project, month: object, basis: str = "posted") -> ReportScope:
    return scope_of(project, {"first": f"{month:%Y-%m}", "last": f"{month:%Y-%m}", "basis": basis})


@pytest.mark.django_db
def test_the_worked_example_of_september() -> None:
    world = september()
    found = totals(of(world.project, SEPTEMBER))
    assert (found.n, found.d, found.ratio.value) == (Decimal("977.47"), 4, Decimal("244.37"))
    assert {bucket: found.by_bucket[bucket] for bucket in Bucket} == {
        Bucket.PLATFORM: Decimal("542.91"),
        Bucket.THIRD_PARTY: Decimal("344.56"),
        Bucket.RECOVERY: Decimal("90.00"),
    }
    assert {bearer: found.by_bearer[bearer] for bearer in Bearer} == {
        Bearer.CLIENT: Decimal("823.66"),
        Bearer.VENDOR: Decimal("125.32"),
        Bearer.PROVIDER: Decimal("28.49"),
        Bearer.UNDETERMINED: Decimal(0),
    }
    assert found.client.value == Decimal("205.92")
    for parts in (found.by_bucket, found.by_sub_bucket, found.by_bearer, found.by_cause, found.by_grade):
        assert sum(parts.values()) == found.n
    assert found.by_grade[Grade.ESTIMATE] == Decimal("90.00")
    client = totals(of(world.project, SEPTEMBER).of_client())
    assert (client.n, client.ratio.value) == (Decimal("823.66"), Decimal("205.92"))


@pytest.mark.django_db
def test_both_months_on_both_bases() -> None:
    world = september()
    october(world)
    found = {
        (month.month, basis): totals(of(world.project, month, basis))
        for month in (SEPTEMBER, OCTOBER)
        for basis in Basis
    }
    assert {key: (str(one.n), one.d, str(one.ratio.value)) for key, one in found.items()} == {
        (9, Basis.POSTED): ("977.470000", 4, "244.37"),
        (10, Basis.POSTED): ("796.510000", 2, "398.26"),
        (9, Basis.RESTATED): ("948.980000", 3, "316.33"),
        (10, Basis.RESTATED): ("825.000000", 3, "275.00"),
    }
    to_date = {basis: totals(ReportScope(world.project, basis=basis)) for basis in Basis}
    for one in to_date.values():
        assert (one.n, one.d, one.ratio.value) == (Decimal("1773.98"), 6, Decimal("295.66"))
    assert found[10, Basis.POSTED].corrections == Decimal("-28.49")


@pytest.mark.django_db
def test_every_split_sums_to_the_whole() -> None:
    world = september()
    october(world)
    for basis in Basis:
        whole = ReportScope(world.project, basis=basis)
        for dimension in Dimension:
            parts = slices(whole, dimension)
            rolled = rolled_up((one.ratio for one in parts), quantum=CENT)
            assert (rolled.n, rolled.d, rolled.value) == (Decimal("1773.98"), 6, Decimal("295.66")), dimension
            assert rolled_up((one.client for one in parts), quantum=CENT).n == Decimal("1648.66")
    by_product = {one.key: one for one in slices(of(world.project, SEPTEMBER), Dimension.PRODUCT)}
    assert (by_product["jug"].n, by_product["jug"].d) == (Decimal("218.58"), 1)  # T5 and T6
    assert (by_product[None].n, by_product[None].d) == (Decimal("28.49"), 0)  # x1
    narrowed = totals(scope_of(world.project, {"product": "jug", "first": "2026-09", "last": "2026-09"}))
    assert (narrowed.n, narrowed.d) == (Decimal("218.58"), 1)
    batches = {one.key: one for one in slices(ReportScope(world.project), Dimension.BATCH)}
    in_batch = totals(scope_of(world.project, {"batch": "autumn-2"}))
    assert (in_batch.n, in_batch.d) == (batches["autumn-2"].n, 1)


@pytest.mark.django_db
def test_without_an_accepted_asset_the_cost_is_unabsorbed() -> None:
    project = accounts()
    post(entry(project, "50.00"), entry(project, "100.00", sub_bucket="platform"))
    found = totals(of(project, SEPTEMBER))
    assert (found.ratio.value, found.ratio.status) == (None, RatioStatus.NO_ACCEPTED_UNITS)
    assert found.ratio.unabsorbed == Decimal("150.00")


@pytest.mark.django_db
def test_what_is_rolled_up_is_the_ratio_of_the_sums() -> None:
    project = accounts()
    tasks = make_tasks(project, {"a": ("a", 1), **{f"b{n}": (f"b{n}", 1) for n in range(3)}}, purpose="x")
    post(
        *(
            entry(project, "10.00" if name == "a" else "20.00", task_id=task.pk)
            for name, task in tasks.items()
        )
    )
    for task in tasks.values():
        accept(task, day=15)
    (found,) = slices(ReportScope(project), Dimension.PURPOSE)
    assert found.ratio.value == Decimal("17.50")


def test_a_ratio_below_nothing_is_none() -> None:
    found = Ratio(Decimal("12.00"), -1, CENT)
    assert (found.value, found.status, found.unabsorbed) == (None, "NEGATIVE_UNITS", Decimal("12.00"))


def test_a_ratio_is_rounded_once_half_up() -> None:
    assert Ratio(Decimal("977.47"), 4, CENT).value == Decimal("244.37")  # 244.3675
    assert Ratio(Decimal("0.25"), 2, Decimal("0.1")).value == Decimal("0.1")
    assert Ratio(Decimal("0.30"), 2, Decimal("0.1")).value == Decimal("0.2")
    assert Ratio(Decimal("-0.30"), 2, Decimal("0.1")).value == Decimal("-0.2")
