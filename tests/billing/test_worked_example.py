"""ACCOUNTING section 12 to the cent, from what happened through the services that book it."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from django.db.models import Sum

from billing.fees import fees_of
from billing.models import Books, CostEntry, Duplicate, Period, Terms, UnitEntry
from billing.reports.figures import figures
from billing.reports.per_asset import per_asset
from billing.reports.per_asset_columns import COLUMNS
from billing.reports.scope import Basis, ReportScope
from billing.reports.totals import totals
from billing.services.verify_costs import verify_costs
from billing.terms_on import all_terms
from tests.billing.worked_example import (
    Example,
    begin,
    finance_decides,
    october,
    september_happens,
    september_is_booked,
    september_is_closed,
)
from tests.billing.world import OCTOBER, SEPTEMBER, by

D = Decimal
# task → platform, orchestration, generation, storage, recovery and cleanup
DIRECT = {
    "T1": ("58.83", "1.50", "28.50", "2.67", "0"),
    "T2": ("117.65", "3.00", "57.00", "5.33", "0"),
    "T3": ("117.65", "3.00", "56.98", "5.33", "60.00"),
    "T6": ("58.82", "1.50", "46.30", "2.67", "0"),
    "T4": ("58.82", "1.50", "28.49", "2.67", "30.00"),
    "T5": ("58.82", "1.50", "46.30", "2.67", "0"),
    "T7": ("58.82", "1.50", "28.49", "2.67", "0"),
    "x1": ("0", "0", "28.49", "0", "0"),
}


@pytest.fixture
def made(db: None) -> Example:
    example = begin()
    september_happens(example)
    september_is_booked(example)
    finance_decides(example)
    return example


def test_september_is_booked_to_the_cent_and_booked_again_adds_nothing(made: Example) -> None:
    name_of = {task.pk: name for name, task in made.tasks.items()} | {None: "x1"}
    sums = by(made.project, "task", "sub_bucket")
    for name, columns in DIRECT.items():
        task = next(key for key, value in name_of.items() if value == name)
        cleanup = sums.get((task, "recovery"), D(0)) + sums.get((task, "cleanup"), D(0))
        found = [
            sums.get((task, one), D(0)) for one in ("platform", "orchestration", "generation", "storage")
        ]
        assert [*found, cleanup] == [D(one) for one in columns], name
    assert by(made.project, "bucket") == {"P": D("542.91"), "T": D("344.56"), "R": D("90.00")}
    assert by(made.project, "bearer") == {
        "client": D("823.66"),
        "vendor": D("125.32"),
        "provider": D("28.49"),
    }
    causes = by(made.project, "cause")
    assert causes["provider_double_bill"] == D("28.49")
    quality = sum(
        by(made.project, "cause", bucket__in=["P", "T"])[cause]
        for cause in ("vendor_fault", "platform_retry", "provider_double_bill")
    )
    assert D("90.00") + quality == D("183.81")
    assert UnitEntry.objects.filter(project=made.project).aggregate(d=Sum("sign"))["d"] == 4
    assert by(made.other, "bearer") == {"client": D("470.59")}
    before = CostEntry.objects.count(), UnitEntry.objects.count()
    september_is_booked(made)
    assert (CostEntry.objects.count(), UnitEntry.objects.count()) == before


def test_a_project_sees_nothing_of_anothers_share(made: Example) -> None:
    share = CostEntry.objects.get(
        project=made.project, document__project=None, document__isnull=False, task=None, kind="allocation_in"
    )
    assert share.details == {"driver_share_percent": "52.94"}


def cost_of(made: Example, basis: Basis, first: date | None, last: date | None) -> tuple[str, int, str]:
    found = totals(ReportScope(made.project, first=first, last=last, basis=basis))
    value = found.ratio.value
    assert value is not None
    return f"{found.n:.2f}", found.d, f"{value:.2f}"


def test_october_corrects_september_and_both_bases_agree_in_the_end(made: Example) -> None:
    september_is_closed(made)
    frozen = Period.objects.get(project=made.project, month=SEPTEMBER).certificate
    october(made)
    assert cost_of(made, Basis.POSTED, SEPTEMBER, SEPTEMBER) == ("977.47", 4, "244.37")
    assert cost_of(made, Basis.POSTED, OCTOBER, OCTOBER) == ("796.51", 2, "398.26")
    assert cost_of(made, Basis.RESTATED, SEPTEMBER, SEPTEMBER) == ("948.98", 3, "316.33")
    assert cost_of(made, Basis.RESTATED, OCTOBER, OCTOBER) == ("825.00", 3, "275.00")
    for basis in Basis:
        assert cost_of(made, basis, None, None) == ("1773.98", 6, "295.66")
    assert by(made.project, "bearer", origin_period=SEPTEMBER).get("provider") is None  # the claim is settled
    assert by(made.project, "kind", posted_period=OCTOBER)["fx_diff"] == D("-0.31")  # of 4 dollars, outside N
    assert frozen["posted"]["cost"] == "977.470000"
    assert frozen["posted"]["units"] == 4
    verified = verify_costs(project=made.project)
    assert (verified.months, verified.broken) == (1, ())


# name → direct, absorbed, asset total, unit; what no asset is of has no unit and gives its cost away
ROWS = {
    "T1": ("91.50", "87.69", "179.19", 1),
    "T2": ("182.98", "87.69", "270.67", 1),
    "T3": ("242.96", "87.68", "330.64", 1),
    "T6": ("109.29", "87.68", "196.97", 1),
    "T4": ("121.48", "-121.48", "0.00", 0),
    "T5": ("109.29", "-109.29", "0.00", 0),
    "T7": ("91.48", "-91.48", "0.00", 0),
    "": ("28.49", "-28.49", "0.00", 0),
}


def test_the_rows_of_the_report_and_every_figure_of_the_example(made: Example) -> None:
    scope = ReportScope(made.project, first=SEPTEMBER, last=SEPTEMBER)
    names = [column.name for column in COLUMNS]
    rows = [dict(zip(names, row, strict=True)) for row in per_asset(scope)]
    name_of = {f"TSK-{task.uuid}": name for name, task in made.tasks.items()}
    found = {
        name_of.get(str(row["task_id"]), ""): (
            *(f"{row[column]:.2f}" for column in ("direct_total", "absorbed_non_yield", "total_cost")),
            row["counted_unit"],
        )
        for row in rows
        if row["row_type"] in {"ASSET", "NON_YIELD"}
    }
    assert found == ROWS
    assert (rows[-1]["row_type"], rows[-1]["total_cost"], rows[-1]["counted_unit"]) == (
        "TOTAL",
        D("977.47"),
        4,
    )
    Books.objects.filter(project=made.project).update(minimum_n=1)
    said = {one.code: one for one in figures(scope)}
    assert said["client_per_asset"].value == D("205.92")
    assert said["completed_per_asset"].value == D("244.37")
    assert (said["quality_failure"].numerator, said["quality_failure"].value) == (D("183.81"), D("0.1880"))
    assert (said["duplicate_burden"].numerator, said["duplicate_burden"].value) == (D("121.48"), D("0.1243"))
    expected = {
        "recovery_burden": "0.0921",
        "duplicate_rate": "0.2000",
        "first_pass": "0.3333",
        "first_review": "0.6667",
    }
    assert {code: str(said[code].value) for code in expected} == expected
    assert (len(made.tasks), len(made.attempts)) == (7, 9)  # client requests, sends


def test_the_fee_counts_requests_and_never_the_vendors_own_faults(made: Example) -> None:
    latest = all_terms(made.project.pk)[0]
    Terms.objects.create(
        project=made.project,
        number=latest.number + 1,
        valid_from=SEPTEMBER,
        currency="CNY",
        output_fee=D("100.00"),
        includes=latest.includes,
        bearers=latest.bearers,
    )
    fees = fees_of(made.project, SEPTEMBER)
    assert fees is not None
    counted = {row.line.code: row.quantity for row in fees.rows}
    assert counted["output"] + counted["new_version"] == 7  # T1 to T7
    assert (counted["vendor_rework"], counted["platform_retry"]) == (1, 1)  # a3, a4
    assert (fees.credited, fees.total) == (0, D("700.00"))  # T4 is the client's own duplicate
    september_is_closed(made)
    october(made)
    later = fees_of(made.project, OCTOBER)
    assert later is not None
    assert (later.credited, later.total) == (0, D("300.00"))
    Duplicate.objects.filter(asset=made.assets["T3"]).update(cause="dedupe_miss")
    missed = fees_of(made.project, OCTOBER)
    assert missed is not None
    assert (missed.credited, missed.total) == (
        1,
        D("200.00"),
    )  # the client does not pay for what our check missed
