from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from billing.models import Books
from billing.reports.drill import EVERYTHING, Selection, entries_behind, selection_of, units_behind
from billing.reports.figure import Figure
from billing.reports.figures import figures
from billing.reports.scope import BadScopeError, Basis, Dimension, ReportScope, scope_of
from billing.reports.slices import slices
from billing.reports.totals import totals
from billing.reports.wip_bridge import by_month, monthly, wip_bridge
from tests.billing.reports.world import (
    OCTOBER,
    SEPTEMBER,
    Books2026,
    accept,
    accounts,
    entry,
    make_tasks,
    october,
    post,
    september,
)


def of(scope: ReportScope) -> dict[str, Figure]:
    return {one.code: one for one in figures(scope)}


def may_show_all(world: Books2026) -> None:
    Books.objects.filter(project=world.project).update(minimum_n=1)


@pytest.mark.django_db
def test_the_figures_of_the_worked_example() -> None:
    world = september()
    may_show_all(world)
    found = of(ReportScope(world.project, SEPTEMBER, SEPTEMBER))
    said = {code: (one.value, one.n) for code, one in found.items()}
    assert said["cost_per_asset_posted"] == (Decimal("244.37"), 4)
    assert said["client_per_asset"] == (Decimal("205.92"), 4)
    assert said["recovery_burden"][0] == Decimal("0.0921")
    assert found["quality_failure"].numerator == Decimal("183.81")
    assert said["quality_failure"][0] == Decimal("0.1880")
    assert found["duplicate_burden"].numerator == Decimal("121.48")
    assert said["duplicate_burden"][0] == Decimal("0.1243")
    assert said["duplicate_rate"] == (Decimal("0.2000"), 5)
    assert said["first_pass"] == (Decimal("0.3333"), 6)
    assert said["first_review"] == (Decimal("0.6667"), 6)
    assert said["attempts_per_asset"] == (Decimal("1.50"), 4)  # T1 1, T2 2, T3 2, T6 1
    assert said["completed_per_asset"] == (Decimal("244.37"), 4)  # nothing was left in work


@pytest.mark.django_db
def test_a_rate_of_few_is_hidden_and_says_of_how_many() -> None:
    world = september()
    Books.objects.filter(project=world.project).update(minimum_n=6)
    found = of(ReportScope(world.project, SEPTEMBER, SEPTEMBER))
    assert (found["duplicate_rate"].hidden, found["duplicate_rate"].value, found["duplicate_rate"].n) == (
        True,
        None,
        5,
    )
    assert (found["first_pass"].hidden, found["first_pass"].value) == (False, Decimal("0.3333"))
    assert found["cost_per_asset_posted"].value == Decimal("244.37")  # no rate


@pytest.mark.django_db
def test_every_figure_of_costs_leads_to_entries_that_sum_to_it() -> None:
    world = september()
    october(world)
    for scope in (
        ReportScope(world.project, SEPTEMBER, SEPTEMBER),
        ReportScope(world.project, OCTOBER, OCTOBER),
        ReportScope(world.project, SEPTEMBER, SEPTEMBER, Basis.RESTATED).of_client(),
        ReportScope(world.project),
    ):
        for one in figures(scope):
            if one.selection is not None:
                behind = sum(found.amount for found in entries_behind(one.scope, one.selection))
                assert behind == (one.numerator or 0), (one.code, scope)
        whole = totals(scope)
        assert sum(found.amount for found in entries_behind(scope)) == whole.n
        assert sum(found.sign for found in units_behind(scope)) == whole.d


@pytest.mark.django_db
def test_every_part_and_every_slice_leads_to_entries_that_sum_to_it() -> None:
    world = september()
    october(world)
    scope = ReportScope(world.project)
    whole = totals(scope)
    for name, parts in (
        ("bucket", whole.by_bucket),
        ("sub_bucket", whole.by_sub_bucket),
        ("bearer", whole.by_bearer),
    ):
        for word, amount in parts.items():
            chosen = selection_of({name: word})
            assert sum(found.amount for found in entries_behind(scope, chosen)) == amount, (name, word)
    for dimension in (Dimension.PRODUCT, Dimension.BATCH):
        for part in slices(ReportScope(world.project), dimension):
            if part.key is not None:
                narrowed = scope_of(world.project, {dimension: part.key})
                assert sum(found.amount for found in entries_behind(narrowed)) == part.n == totals(narrowed).n


@pytest.mark.django_db
def test_an_entry_leads_on_to_its_attempt() -> None:
    world = september()
    task = world.tasks["T2"]
    scope = ReportScope(world.project, SEPTEMBER, SEPTEMBER)
    found = entries_behind(scope, Selection(task=str(task.uuid), causes="vendor_fault"))
    assert {one.attempt for one in found} == {world.attempts["T2", 2]}
    assert sum(one.amount for one in found) == Decimal("32.66")
    (x1,) = entries_behind(scope, Selection(task="none"))
    assert (x1.amount, x1.task) == (Decimal("28.49"), None)
    with pytest.raises(BadScopeError):
        selection_of({"task": "7"})
    assert EVERYTHING.filters() == {}


@pytest.mark.django_db
def test_the_bridge_of_work_in_progress_holds_in_every_month() -> None:
    world = september()
    scope = ReportScope(world.project, SEPTEMBER, OCTOBER)
    bridge = wip_bridge(ReportScope(world.project, SEPTEMBER, SEPTEMBER))
    assert (bridge.wip_open, bridge.posted_cost, bridge.wip_close) == (
        Decimal(0),
        Decimal("977.47"),
        Decimal(0),
    )
    assert (bridge.to_assets, bridge.as_non_yield) == (Decimal("626.73"), Decimal("350.74"))
    october(world)
    post(entry(world.project, "9.00", task_id=world.tasks["T1"].pk, origin=OCTOBER))
    for basis in Basis:
        months = list(monthly(scope.on(basis)))
        assert [month for month, _ in months] == [SEPTEMBER, OCTOBER]
        for month, one in months:
            assert one.wip_open + one.posted_cost == one.to_assets + one.as_non_yield + one.wip_close
            alone = ReportScope(world.project, month, month).on(basis)
            assert one == wip_bridge(alone)
            assert (one.posted_cost, one.units) == (totals(alone).n, totals(alone).d)
        assert months[0][1].wip_close == months[1][1].wip_open
        assert [row[0] for row in by_month(scope.on(basis))] == ["2026-09", "2026-10"]


@pytest.mark.django_db
def test_a_task_in_work_is_carried_over_and_released_when_it_is_accepted() -> None:
    project = accounts()
    (task,) = make_tasks(project, {"late": ("pot", 1)}).values()
    post(entry(project, "7.00", task_id=task.pk), entry(project, "2.00", task_id=task.pk, origin=OCTOBER))
    accept(task, day=5, month=10)
    (_, first), (_, second) = monthly(ReportScope(project, SEPTEMBER, OCTOBER))
    moved = [(one.wip_open, one.posted_cost, one.to_assets, one.wip_close) for one in (first, second)]
    assert [[int(amount) for amount in month] for month in moved] == [[0, 7, 0, 7], [7, 2, 9, 0]]
    assert [int(second.posted_cost), int(second.completed), second.units] == [2, 9, 1]


@pytest.mark.django_db
def test_the_bridge_of_many_months_is_asked_for_at_once() -> None:
    project = accounts()
    (task,) = make_tasks(project, {"late": ("pot", 1)}).values()
    post(entry(project, "7.00", task_id=task.pk))

    def asked(last: date) -> tuple[int, int]:
        with CaptureQueriesContext(connection) as caught:
            rows = list(by_month(ReportScope(project, SEPTEMBER, last)))
        return len(rows), len(caught)

    assert asked(SEPTEMBER) == (1, 3)
    assert asked(date(2027, 12, 1)) == (16, 3)
