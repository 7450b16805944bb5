"""What finance exports, opened by LibreOffice: the same rows, the same totals, nothing computed that was text."""

from __future__ import annotations

import csv
import shutil
import subprocess
from decimal import Decimal
from pathlib import Path

import pytest

from billing.exports.files import Format
from billing.exports.writing import write_report
from billing.reports.registry import REPORTS
from billing.reports.scope import ReportScope
from tests.billing.exports.reading import summed
from tests.billing.reports.world import SEPTEMBER, entry, post, september

FILTER = (
    "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,1"  # the first sheet, UTF-8
)

pytestmark = [pytest.mark.real, pytest.mark.django_db]


@pytest.mark.parametrize("form", [Format.XLSX, Format.CSV_EXCEL])
@pytest.mark.parametrize(("report", "column"), [("per_asset", "total_cost"), ("ledger", "BilledCost")])
def test_libreoffice_adds_up_to_the_same(tmp_path: Path, form: Format, report: str, column: str) -> None:
    world = september()
    post(entry(world.project, "0.03", task_id=world.tasks["T1"].pk, description="=1+1"))
    path = tmp_path / f"exported.{form.suffix}"
    write_report(
        report=REPORTS[report],
        scope=ReportScope(world.project, SEPTEMBER, SEPTEMBER),
        format=form,
        profile="internal",
        path=path,
        exporter="finance",
    )
    found = _opened(path, tmp_path)
    assert summed(list(found), column) == Decimal("977.50")
    if report == "ledger":
        assert "'=1+1" in {row["ChargeDescription"] for row in found}


def _opened(path: Path, place: Path) -> list[dict[str, str]]:
    """Loaded and written again as CSV."""
    office = shutil.which("soffice")
    assert office is not None, "LibreOffice is not installed: tests/real/install-servers"
    out = place / "out"
    subprocess.run(
        [
            office,
            f"-env:UserInstallation=file://{place}/profile",
            "--headless",
            "--convert-to",
            FILTER,
            "--outdir",
            str(out),
            str(path),
        ],
        check=True,
        capture_output=True,
        timeout=180,
    )
    (written,) = out.glob("*.csv")
    with written.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
