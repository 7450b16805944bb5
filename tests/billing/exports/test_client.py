"""The client's form: nothing of another project, nothing of what the vendor bears or buys."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from billing.exports.files import Format
from billing.exports.writing import write_report
from billing.models import (
    AllocationRun,
    Bearer,
    Cause,
    DocumentKind,
    EntryKind,
    Supplier,
    SupplierDocument,
    SupplierLine,
)
from billing.reports.registry import REPORTS
from billing.reports.scope import ReportScope
from tests.billing.exports.reading import csv_rows, sheets, summed
from tests.billing.reports.world import SEPTEMBER, Books2026, accept, accounts, entry, make_tasks, post

SECRETS = (
    "borealis",
    "Secret product",
    "secret-sku",
    "666.66",
    "wholesale-gmbh",
    "Wholesale",
    "INV-4711",
    "req-of-provider",
    "5555.55",
    "vendor",
    "margin",
    "weights 9:8",
    "125.32",
)


@pytest.fixture
def told(world: Books2026) -> Books2026:
    """Beside the worked example: another project, a supplier's bill, and costs that the vendor bears."""
    other = accounts("borealis")
    (task,) = make_tasks(other, {"s": ("secret-sku", 1)}, product_name="Secret product").values()
    post(entry(other, "666.66", task_id=task.pk))
    accept(task, day=15)
    supplier = Supplier.objects.create(project=world.project, code="wholesale-gmbh", name="Wholesale")
    document = SupplierDocument(
        project=world.project,
        supplier=supplier,
        kind=DocumentKind.USAGE,
        number="INV-4711",
        dated=date(2026, 9, 30),
        period=SEPTEMBER,
        currency="CNY",
        total=Decimal("8.00"),
        functional_total=Decimal("8.00"),
        file_name="bill.csv",
        file_sha256="0" * 64,
        raw=b"",
    )
    document.save()
    line = SupplierLine.objects.create(
        document=document,
        number=1,
        key="1",
        request_id="req-of-provider",
        used_on=date(2026, 9, 14),
        amount=Decimal("8.00"),
        functional_amount=Decimal("8.00"),
        sub_bucket="generation",
    )
    run = AllocationRun.objects.create(
        project=world.project,
        period=SEPTEMBER,
        level="tasks",
        method="weights 9:8",
        weights={"borealis": "8"},
        made_by="x",
    )
    t1 = world.tasks["T1"].pk
    post(
        entry(
            world.project,
            "8.00",
            task_id=t1,
            document_id=document.pk,
            supplier_line_id=line.pk,
            description="margin 12 %",
        ),
        entry(world.project, "0.00", kind=EntryKind.ALLOCATION_IN, task_id=t1, allocation_run_id=run.pk),
        entry(world.project, "5555.55", task_id=t1, bearer=Bearer.VENDOR, cause=Cause.VENDOR_FAULT),
    )
    return world


def text_of(path: Path, form: Format) -> str:
    if form is not Format.XLSX:
        return path.read_text(encoding="utf-8-sig")
    found = {name: rows for name, rows in sheets(path).items() if name != "Definitions"}
    return repr(found)


@pytest.mark.django_db
@pytest.mark.parametrize("form", [Format.CSV_EXCEL, Format.XLSX])
@pytest.mark.parametrize("report", [code for code, found in REPORTS.items() if found.for_client])
def test_the_clients_file_has_no_trace_of_others(
    told: Books2026, tmp_path: Path, report: str, form: Format
) -> None:
    def text(profile: str) -> str:
        path = tmp_path / profile
        write_report(
            report=REPORTS[report],
            scope=ReportScope(told.project, SEPTEMBER, SEPTEMBER),
            format=form,
            profile=profile,
            path=path,
            exporter="finance",
        )
        return text_of(path, form)

    client = text("client").replace("attempts_vendor_rework", "")
    assert [secret for secret in SECRETS if secret in client] == []
    inner = text("internal")
    others = SECRETS[:4]
    assert [secret for secret in others if secret in inner] == []
    if report != "units":
        assert {"5555.55", "INV-4711", "vendor"} <= {secret for secret in SECRETS if secret in inner}


@pytest.mark.django_db
def test_the_clients_file_adds_up_to_what_the_client_bears(told: Books2026, tmp_path: Path) -> None:
    scope = ReportScope(told.project, SEPTEMBER, SEPTEMBER)
    for report, column in (("per_asset", "total_cost"), ("ledger", "BilledCost")):
        path = tmp_path / report
        written = write_report(
            report=REPORTS[report],
            scope=scope,
            format=Format.CSV_SYSTEMS,
            profile="client",
            path=path,
            exporter="x",
        )
        rows = csv_rows(path)
        assert summed(rows, column) == Decimal("831.66")
        assert written.control["by_bearer"] == {"client": Decimal("831.66")}
    by_task = {row["task_id"]: row for row in csv_rows(tmp_path / "per_asset")}
    t2 = by_task[f"TSK-{told.tasks['T2'].uuid}"]
    assert (t2["attempts_vendor_rework"], t2["attempts_total"]) == (
        "1",
        "2",
    )  # events are counted, not priced
    assert t2["direct_total"] == "150.32"
