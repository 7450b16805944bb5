from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from billing.models import Terms
from billing.reports.per_asset import per_asset
from billing.reports.per_asset_columns import COLUMNS
from billing.reports.scope import Basis, ReportScope, Viewpoint
from billing.reports.totals import totals
from billing.reports.wip_bridge import wip_bridge
from once_delivery.accounts.models import Project
from tests.billing.reports.world import (
    OCTOBER,
    SEPTEMBER,
    accept,
    accounts,
    count,
    entry,
    make_tasks,
    october,
    post,
    september,
)

NAMES = [column.name for column in COLUMNS]


def rows(scope: ReportScope) -> list[dict[str, Any]]:
    return [dict(zip(NAMES, row, strict=True)) for row in per_asset(scope)]


def month(project: Project, first: date, basis: Basis = Basis.POSTED) -> ReportScope:
    return ReportScope(project, first, first, basis)


def add_up(found: list[dict[str, Any]], scope: ReportScope) -> None:
    """The rows sum to N and D, and the last one says so."""
    *parts, total = found
    control = totals(scope)
    assert total["row_type"] == "TOTAL"
    assert sum(row["total_cost"] for row in parts) == total["total_cost"] == control.n
    assert sum(row["direct_total"] for row in parts) == total["direct_total"] == control.n
    assert sum(row["absorbed_non_yield"] for row in parts) == total["absorbed_non_yield"] == 0
    assert sum(row["counted_unit"] for row in parts) == total["counted_unit"] == control.d


@pytest.mark.django_db
def test_the_worked_example_row_by_row() -> None:
    world = september()
    scope = month(world.project, SEPTEMBER)
    found = rows(scope)
    by_task = {row["task_id"]: row for row in found}
    said = {
        name: tuple(
            str(Decimal(by_task[f"TSK-{task.uuid}"][column]).quantize(Decimal("0.01")))
            for column in (
                "platform_cost",
                "orchestration_cost",
                "tp_generation",
                "tp_storage",
                "recovery_cleanup",
                "direct_total",
                "absorbed_non_yield",
                "total_cost",
            )
        )
        for name, task in world.tasks.items()
    }
    assert said == {
        "T1": ("58.83", "1.50", "28.50", "2.67", "0.00", "91.50", "87.69", "179.19"),
        "T2": ("117.65", "3.00", "57.00", "5.33", "0.00", "182.98", "87.69", "270.67"),
        "T3": ("117.65", "3.00", "56.98", "5.33", "60.00", "242.96", "87.68", "330.64"),
        "T6": ("58.82", "1.50", "46.30", "2.67", "0.00", "109.29", "87.68", "196.97"),
        "T4": ("58.82", "1.50", "28.49", "2.67", "30.00", "121.48", "-121.48", "0.00"),
        "T5": ("58.82", "1.50", "46.30", "2.67", "0.00", "109.29", "-109.29", "0.00"),
        "T7": ("58.82", "1.50", "28.49", "2.67", "0.00", "91.48", "-91.48", "0.00"),
    }
    kinds = {name: by_task[f"TSK-{task.uuid}"]["row_type"] for name, task in world.tasks.items()}
    assert kinds == {
        **dict.fromkeys(("T1", "T2", "T3", "T6"), "ASSET"),
        **dict.fromkeys(("T4", "T5", "T7"), "NON_YIELD"),
    }
    (x1,) = [row for row in found[:-1] if row["task_id"] is None]
    assert (x1["row_type"], x1["direct_total"], x1["claim_provider"], x1["total_cost"]) == (
        "NON_YIELD",
        Decimal("28.49"),
        Decimal("28.49"),
        0,
    )
    add_up(found, scope)
    t2 = by_task[f"TSK-{world.tasks['T2'].uuid}"]
    assert (t2["attempts_total"], t2["attempts_vendor_rework"], t2["review_rounds"]) == (2, 1, 2)
    t4 = by_task[f"TSK-{world.tasks['T4'].uuid}"]
    assert (t4["status"], t4["duplicate_of"]) == ("duplicate", f"AST-{world.assets['T1'].uuid}")
    t5 = by_task[f"TSK-{world.tasks['T5'].uuid}"]
    assert (t5["status"], t5["superseded_by"]) == ("superseded", f"TSK-{world.tasks['T6'].uuid}")


@pytest.mark.django_db
def test_what_is_found_later_changes_the_restated_month_alone() -> None:
    world = september()
    october(world)
    t3 = f"TSK-{world.tasks['T3'].uuid}"
    for first in (SEPTEMBER, OCTOBER):
        for basis in Basis:
            for viewpoint in Viewpoint:
                scope = ReportScope(world.project, first, first, basis, viewpoint)
                add_up(rows(scope), scope)
    frozen = {row["task_id"]: row for row in rows(month(world.project, SEPTEMBER))}
    assert (frozen[t3]["row_type"], frozen[t3]["counted_unit"]) == ("ASSET", 1)
    restated = {row["task_id"]: row for row in rows(month(world.project, SEPTEMBER, Basis.RESTATED))}
    assert (restated[t3]["row_type"], restated[t3]["counted_unit"], restated[t3]["total_cost"]) == (
        "NON_YIELD",
        0,
        0,
    )
    later = {row["task_id"]: row for row in rows(month(world.project, OCTOBER))}
    assert (later[t3]["row_type"], later[t3]["counted_unit"]) == ("NON_YIELD", -1)
    to_date = ReportScope(world.project)
    add_up(rows(to_date), to_date)


@pytest.mark.django_db
def test_cost_that_comes_after_the_month_of_acceptance_is_an_adjustment() -> None:
    world = september()
    post(entry(world.project, "5.00", task_id=world.tasks["T1"].pk, incurred_on=date(2026, 10, 2)))
    scope = month(world.project, OCTOBER)
    found = rows(scope)
    assert [(row["row_type"], row["counted_unit"], row["total_cost"]) for row in found[:-1]] == [
        ("POST_ACCEPTANCE_ADJUSTMENT", 0, Decimal("5.00"))
    ]
    add_up(found, scope)


@pytest.mark.django_db
def test_without_a_counted_asset_nothing_is_absorbed() -> None:
    project = accounts()
    (task,) = make_tasks(project, {"open": ("pot", 1)}).values()
    post(entry(project, "12.34"), entry(project, "7.00", task_id=task.pk))
    scope = month(project, SEPTEMBER)
    found = rows(scope)
    assert [(row["row_type"], str(row["total_cost"]).rstrip("0")) for row in found] == [
        ("WIP", "7."),
        ("NON_YIELD", "0."),
        ("UNALLOCATED", "12.34"),
        ("TOTAL", "19.34"),
    ]
    add_up(found, scope)


@pytest.mark.django_db
def test_a_cancelled_task_is_spread_over_the_accepted_ones() -> None:
    """3 accepted x 10.00, cancelled 12.00: unit 14.00, rows 14.00 x 3, total 42.00."""
    project = accounts()
    tasks = list(make_tasks(project, {name: (name, 1) for name in ("a", "b", "c")}).values())
    post(*(entry(project, "10.00", task_id=task.pk) for task in tasks), entry(project, "12.00"))
    for task in tasks:
        accept(task, day=15)
    scope = month(project, SEPTEMBER)
    *assets, _, total = rows(scope)
    assert [row["total_cost"] for row in assets] == [Decimal("14.00")] * 3
    assert total["total_cost"] == Decimal("42.00")
    assert totals(scope).ratio.value == Decimal("14.00")


@pytest.mark.django_db
def test_terms_may_spread_by_what_each_asset_cost() -> None:
    project = accounts()
    Terms.objects.create(
        project=project, number=1, valid_from=SEPTEMBER, currency="CNY", non_yield_by="direct_cost"
    )
    tasks = list(make_tasks(project, {name: (name, 1) for name in ("a", "b", "c")}).values())
    post(
        *(
            entry(project, amount, task_id=task.pk)
            for amount, task in zip(("10.00", "20.00", "0.01"), tasks, strict=True)
        ),
        entry(project, "10.00"),
        entry(project, "-0.05", kind="supplier_credit"),
    )
    for task in tasks:
        accept(task, day=15)
    scope = month(project, SEPTEMBER)
    found = rows(scope)
    # 9.95 by 10 : 20 : 0.01 is 3.3156…, 6.6312…, 0.0033…
    assert [row["absorbed_non_yield"] for row in found[:3]] == [
        Decimal("3.32"),
        Decimal("6.63"),
        Decimal("0.00"),
    ]
    add_up(found, scope)


@pytest.mark.django_db
def test_a_credit_that_belongs_to_nothing_is_spread_by_its_magnitude() -> None:
    """-0.05 over 1:1:1 is -0.02, -0.02, -0.01."""
    project = accounts()
    tasks = list(make_tasks(project, {name: (name, 1) for name in ("a", "b", "c")}).values())
    post(entry(project, "-0.05", kind="supplier_credit"))
    for task in tasks:
        accept(task, day=15)
    found = rows(month(project, SEPTEMBER))
    assert [row["absorbed_non_yield"] for row in found[:3]] == [
        Decimal("-0.02"),
        Decimal("-0.02"),
        Decimal("-0.01"),
    ]


@pytest.mark.django_db
def test_an_acceptance_that_is_taken_back_puts_the_task_back_into_work() -> None:
    project = accounts()
    (task,) = make_tasks(project, {"a": ("a", 1)}).values()
    post(entry(project, "10.00", task_id=task.pk), entry(project, "1.00", task_id=task.pk, origin=OCTOBER))
    count(accept(task, day=15), "acceptance_revoked", OCTOBER)
    (row, _) = rows(month(project, OCTOBER))
    assert (row["row_type"], row["counted_unit"], row["total_cost"]) == ("WIP", -1, Decimal("1.00"))
    bridge = wip_bridge(month(project, OCTOBER))
    moved = [bridge.wip_open, bridge.posted_cost, bridge.to_assets, bridge.wip_close]
    assert [int(amount) for amount in moved] == [0, 1, -10, 11]


def test_no_column_comes_twice() -> None:
    assert len(set(NAMES)) == len(NAMES)
