"""However many rows there are, one is in memory: shown with a few, proven with a million in the benchmark."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from billing.exports.files import CsvFile, RowsFile
from billing.exports.xlsx_file import XlsxFile
from billing.reports.columns import Column, Kind, Row
from billing.reports.streaming import CHUNK, stream

COLUMNS = tuple(
    Column(f"c{place}", Kind.TEXT if place % 2 else Kind.MONEY, "A column.") for place in range(10)
)
FEW, MANY = 500, 5_000
MOST = 300_000  # bytes that ten times the rows may add


def rows(count: int) -> Iterator[Row]:
    for number in range(count):
        yield tuple(f"text {number} {place}" if place % 2 else Decimal(number) / 100 for place in range(10))


def peak(file: RowsFile, count: int) -> int:
    tracemalloc.start()
    try:
        with file as opened:
            for row in rows(count):
                opened.write(row)
            opened.finish({"rows": count})
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_ten_times_the_rows_take_no_more_memory(tmp_path: Path, kind: str) -> None:
    def file(name: str) -> RowsFile:
        path = tmp_path / name
        return (
            XlsxFile(path, COLUMNS, decimals=2)
            if kind == "xlsx"
            else CsvFile(path, COLUMNS, decimals=2, bom=True)
        )

    peak(file("warm"), 10)
    assert peak(file("many"), MANY) - peak(file("few"), FEW) < MOST


@pytest.mark.django_db
def test_the_database_keeps_the_rows_that_were_not_asked_for_yet() -> None:
    def read(count: int) -> int:
        tracemalloc.start()
        try:
            seen = sum(
                1 for _ in stream("SELECT n, repeat('x', 100) FROM generate_series(1, %(n)s) n", {"n": count})
            )
            assert seen == count
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    read(10)
    assert read(CHUNK * 8) - read(CHUNK * 2) < MOST
