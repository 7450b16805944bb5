"""Finance's month: a bill is tried, read and imported, its line answered, the month closed, the report added up."""

from __future__ import annotations

import csv
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from django.utils import timezone
from openpyxl import load_workbook

from billing.models import Export, Period, PeriodStatus, SupplierDocument
from billing.months import month_of
from billing.reports.scope import ReportScope
from billing.reports.totals import totals
from billing.services.make_export import make_export
from billing.services.open_books import open_books
from billing.services.pull_costs import pull_costs
from once_delivery.web.selectors.finance import report
from tests.browser.conftest import NewVisitor
from tests.browser.demo import Demo
from tests.browser.visitor import Visitor

pytestmark = pytest.mark.real

BILL = "Day,What,Price\n{day},generation of pictures,100.10\n{day},storage,20.05\n"


def test_finance_closes_a_month_and_its_report_adds_up(
    demo: Demo, visitor: NewVisitor, tmp_path: Path
) -> None:
    last = month_of(timezone.localdate()) - timedelta(days=1)
    open_books(project=demo.project, since=month_of(last))
    file = tmp_path / "bill.csv"
    file.write_text(BILL.format(day=last.isoformat()), encoding="utf-8")
    finance = visitor("finance", demo.passwords["finance"])
    at = f"/finance/{demo.project.code}/"

    _imports(finance, at, file, last.isoformat())
    document = SupplierDocument.objects.get(project=demo.project)
    assert document.functional_total == Decimal("120.15")

    for _line in range(2):
        finance.go(f"{at}lines/")
        finance.page.locator(".ledger__what a").first.click()
        finance.press("For no attempt in particular: share it")
        finance.waits_for(f"{at}lines/$")
    finance.sees("Every line is matched")
    pull_costs(project=demo.project)  # as the beat does

    finance.go(f"{at}months/{last:%Y-%m}/")
    finance.press("Hold the month")
    finance.press("Close the month for ever")  # who has just signed in has shown who they are
    finance.sees("Certificate")
    assert Period.objects.get(project=demo.project, month=month_of(last)).status == PeriodStatus.CLOSED

    scope = ReportScope(project=demo.project, first=month_of(last), last=month_of(last))
    assert totals(scope).n == Decimal("120.15")
    assert _sum_of_xlsx(_file(finance, at, f"{last:%Y-%m}", "xlsx", tmp_path)) == Decimal("120.15")
    assert _sum_of_csv(_file(finance, at, f"{last:%Y-%m}", "csv_excel", tmp_path)) == Decimal("120.15")


def test_a_long_report_fetches_its_parts_by_itself(
    demo: Demo, visitor: NewVisitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "AT_ONCE", -1)
    open_books(project=demo.project)
    finance = visitor("finance", demo.passwords["finance"])
    finance.go(f"/finance/{demo.project.code}/")
    finance.sees("Control totals")
    assert not finance.page.locator("[data-lazy]").count()


def test_a_part_that_could_not_be_fetched_is_asked_for_again(
    demo: Demo, visitor: NewVisitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "AT_ONCE", -1)
    open_books(project=demo.project)
    finance = visitor("finance", demo.passwords["finance"])
    finance.watched.meant |= {503}
    finance.page.route(
        lambda url: True,
        lambda route: (
            route.fulfill(status=503) if "hx-request" in route.request.headers else route.continue_()
        ),
    )
    finance.go(f"/finance/{demo.project.code}/")
    finance.sees("This part could not be loaded.")
    assert not finance.page.locator("[data-lazy-waits]").is_visible()
    finance.page.unroute_all()
    finance.press("Try again")
    finance.sees("Control totals")
    (said,) = finance.watched.problems  # htmx tells the console too
    assert "503" in said
    finance.watched.problems.clear()


def _imports(finance: Visitor, at: str, file: Path, day: str) -> None:
    finance.go(f"{at}documents/")
    finance.page.locator("#f-file").set_input_files(file)
    finance.page.locator("#f-supplier_name").fill("Pictures & Co")
    finance.page.locator("#f-number").fill("2026-1")
    finance.page.locator("#f-dated").fill(day)
    finance.page.locator("#f-currency").fill("CNY")
    finance.watched.meant |= {422}
    finance.press("Try it")
    # its columns are named as nobody else names them
    for heading, field in (("Day", "used_at"), ("What", "description"), ("Price", "amount")):
        finance.page.get_by_label(heading, exact=True).select_option(field)
    finance.press("Read it so")
    finance.sees("What it would post")
    assert SupplierDocument.objects.count() == 0
    finance.page.locator("button[value=import]").dblclick()  # impatient
    finance.waits_for(f"{at}documents/[0-9a-f-]{{36}}/$")


def _file(finance: Visitor, at: str, month: str, form: str, tmp_path: Path) -> Path:
    finance.go(f"{at}reports/?report=per_asset&first={month}&last={month}")
    finance.page.locator("#f-format").select_option(form)
    finance.press("Make the file")
    make_export(export_id=Export.objects.latest("pk").pk)  # as a worker does
    link = finance.page.locator("#files tbody tr").first.locator("a[download]")  # the newest
    link.wait_for()  # the page sees it by itself
    with finance.page.expect_download() as waiting:
        link.click()
    path = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def _sum_of_xlsx(path: Path) -> Decimal:
    book = load_workbook(path, read_only=True)
    rows = book["Rows"].iter_rows(values_only=True)
    header = [str(cell) for cell in next(rows)]
    total, kind = header.index("total_cost"), header.index("row_type")
    return sum((Decimal(str(row[total])) for row in rows if row[kind] != "TOTAL"), Decimal(0))


def _sum_of_csv(path: Path) -> Decimal:
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    return sum((Decimal(row["total_cost"]) for row in rows if row["row_type"] != "TOTAL"), Decimal(0))
