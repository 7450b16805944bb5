from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from billing.exports.control import ControlError
from billing.exports.files import Format
from billing.exports.writing import Written, write_report
from billing.exports.xlsx_file import XlsxFile
from billing.models import Profile
from billing.reports.columns import Column, Kind, Report
from billing.reports.registry import REPORTS
from billing.reports.scope import ReportScope
from tests.billing.exports.reading import csv_rows, sheets, summed, xlsx_rows
from tests.billing.reports.world import (
    OCTOBER,
    SEPTEMBER,
    Books2026,
    accounts,
    entry,
    make_tasks,
    october,
    post,
)


def written(scope: ReportScope, path: Path, report: str = "per_asset", **changes: Any) -> Written:
    given: dict[str, Any] = {"format": Format.CSV_EXCEL, "profile": Profile.INTERNAL, "exporter": "finance"}
    return write_report(report=REPORTS[report], scope=scope, path=path, **given | changes)


@pytest.mark.django_db
@pytest.mark.parametrize(("report", "column"), [("per_asset", "total_cost"), ("ledger", "BilledCost")])
def test_an_independent_reader_gets_the_same_sums_from_every_kind_of_file(
    world: Books2026, tmp_path: Path, report: str, column: str
) -> None:
    october(world)
    for month, cost in ((SEPTEMBER, "977.47"), (OCTOBER, "796.51")):
        scope = ReportScope(world.project, month, month)
        told = [
            written(scope, tmp_path / form, report, format=form)
            for form in (Format.CSV_EXCEL, Format.CSV_SYSTEMS, Format.XLSX)
        ]
        excel, systems = csv_rows(tmp_path / "csv_excel"), csv_rows(tmp_path / "csv_systems")
        book = xlsx_rows(tmp_path / "xlsx")
        for rows in (excel, systems, book):
            assert summed(rows, column) == Decimal(cost)
            assert len(rows) == told[0].rows
        control = dict(sheets(tmp_path / "xlsx")["Control"])
        assert Decimal(str(control["cost"])) == Decimal(cost)
        assert control["rows"] == len(book)
        buckets = sum(Decimal(str(value)) for key, value in control.items() if key.startswith("by_bucket."))
        bearers = sum(Decimal(str(value)) for key, value in control.items() if key.startswith("by_bearer."))
        assert buckets == bearers == Decimal(cost)


@pytest.mark.django_db
def test_the_bytes_of_the_two_kinds_of_csv(world: Books2026, tmp_path: Path) -> None:
    scope = ReportScope(world.project, SEPTEMBER, SEPTEMBER)
    written(scope, tmp_path / "excel")
    written(scope, tmp_path / "systems", format=Format.CSV_SYSTEMS)
    excel, systems = (tmp_path / "excel").read_bytes(), (tmp_path / "systems").read_bytes()
    assert excel.startswith(b"\xef\xbb\xbfreport_id,generated_at,")
    assert systems.startswith(b"report_id,generated_at,")
    for content in (excel, systems):
        assert content.count(b"\r\n") == content.count(b"\n") == 10  # headings, 8 rows, TOTAL


@pytest.mark.django_db
def test_the_definitions_say_each_column_in_both_languages(world: Books2026, tmp_path: Path) -> None:
    written(ReportScope(world.project), tmp_path / "book", format=Format.XLSX)
    found = sheets(tmp_path / "book")
    assert list(found) == ["Rows", "Control", "Definitions"]
    head, *definitions = found["Definitions"]
    assert head == ("column", "kind", "zh-hans", "en")
    assert [row[0] for row in definitions] == list(found["Rows"][0])
    assert all(all(row) for row in definitions)


@pytest.mark.django_db
def test_texts_of_others_never_become_formulas(tmp_path: Path) -> None:
    project = accounts()
    (task,) = make_tasks(project, {"a": ("=2+5", 1)}).values()
    post(entry(project, "1.00", task_id=task.pk, description='=HYPERLINK("http://evil.example")'))
    scope = ReportScope(project)
    written(scope, tmp_path / "csv", "ledger")
    written(scope, tmp_path / "xlsx", "ledger", format=Format.XLSX)
    (row,) = csv_rows(tmp_path / "csv")
    assert row["ChargeDescription"] == '\'=HYPERLINK("http://evil.example")'
    (cells,) = xlsx_rows(tmp_path / "xlsx")
    assert cells["ChargeDescription"] == row["ChargeDescription"]
    written(scope, tmp_path / "assets")
    assert csv_rows(tmp_path / "assets")[0]["sku"] == "'=2+5"


@pytest.mark.django_db
def test_rows_that_do_not_add_up_give_no_file(world: Books2026, tmp_path: Path) -> None:
    def all_but_one(scope: ReportScope) -> Any:
        rows = list(REPORTS["ledger"].rows(scope))
        yield from rows[:-1]

    found = REPORTS["ledger"]
    short = Report(found.code, found.number, found.title, found.columns, all_but_one, found.cost_column)
    with pytest.raises(ControlError):
        write_report(
            report=short,
            scope=ReportScope(world.project),
            format=Format.CSV_EXCEL,
            profile=Profile.INTERNAL,
            path=tmp_path / "short",
            exporter="finance",
        )


@pytest.mark.django_db
@pytest.mark.parametrize("report", sorted(REPORTS))
def test_every_report_is_written_as_every_kind_of_file(world: Books2026, tmp_path: Path, report: str) -> None:
    scope = ReportScope(world.project, SEPTEMBER, OCTOBER)
    for form in Format:
        found = written(scope, tmp_path / form, report, format=form)
        assert found.size == (tmp_path / form).stat().st_size > 0
    names = [column.name for column in REPORTS[report].columns]
    assert len(set(names)) == len(names)
    assert (tmp_path / "csv_systems").read_text().splitlines()[0] == ",".join(names)


COLUMNS = (Column("name", Kind.TEXT, "Name."), Column("amount", Kind.MONEY, "Amount."))


def test_a_full_sheet_is_followed_by_another(tmp_path: Path) -> None:
    path = tmp_path / "many"
    with XlsxFile(path, COLUMNS, decimals=2, rows_a_sheet=4) as file:
        for number in range(7):
            file.write([f"n{number}", Decimal(number)])
        file.finish({"rows": 7})
    found = sheets(path)
    assert [len(found[name]) for name in ("Rows", "Rows 2", "Rows 3")] == [4, 4, 2]
    rows = [row for name in ("Rows", "Rows 2", "Rows 3") for row in found[name][1:]]
    assert rows == [(f"n{number}", number) for number in range(7)]


def test_what_a_double_cannot_hold_stays_text(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with XlsxFile(path, COLUMNS, decimals=2) as file:
        file.write(["exact", Decimal("1234567890123.45")])
        file.write(["too long", Decimal("12345678901234.56")])
        file.write(["x" * 40_000, Decimal(1)])
        file.finish({})
    _, exact, long, cut = sheets(path)["Rows"]
    assert (exact[1], long[1]) == (1234567890123.45, "12345678901234.56")
    assert len(cut[0]) == 32_767
