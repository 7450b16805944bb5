"""docs/costs.md says what the services book: its tables are those of the worked example."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest

from tests.billing.test_worked_example import DIRECT, ROWS
from tests.house.sources import ROOT

PAGES = ("costs.md", "costs.zh-CN.md")
# what the tests of the example work out: see test_october_corrects_september_and_both_bases_agree_in_the_end
MONTHS = [
    ("977.47", "4", "244.37"),
    ("796.51", "2", "398.26"),
    ("948.98", "3", "316.33"),
    ("825.00", "3", "275.00"),
    ("1773.98", "6", "295.66"),
]


def rows_of(page: str, columns: int) -> list[list[str]]:
    """The cells of the page's tables with so many columns, headings left out."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    found = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"
    ]
    return [row for row in found if len(row) == columns and re.fullmatch(r"-?[\d.]+", row[-1])]


@pytest.mark.parametrize("page", PAGES)
def test_the_page_has_the_rows_that_are_booked(page: str) -> None:
    said = {row[0]: row[1:] for row in rows_of(page, 10)}
    assert set(said) == set(DIRECT)
    for name, columns in DIRECT.items():
        direct, absorbed, total, unit = ROWS["" if name == "x1" else name]
        wanted = [*map(Decimal, columns), Decimal(direct), Decimal(absorbed), Decimal(total), Decimal(unit)]
        assert [Decimal(cell) for cell in said[name]] == wanted, name


@pytest.mark.parametrize("page", PAGES)
def test_the_page_has_both_months_on_both_bases(page: str) -> None:
    assert [tuple(row[1:]) for row in rows_of(page, 4)] == MONTHS
