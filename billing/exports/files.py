"""The kinds of files, and what each of them can do with rows that come one by one."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from billing.exports.cells import as_texts
from billing.reports.columns import Cell, Column


class Format(StrEnum):
    """What a report is written as."""

    CSV_EXCEL = "csv_excel"  # UTF-8 with a BOM: Excel takes any other for the machine's old code page
    CSV_SYSTEMS = "csv_systems"
    XLSX = "xlsx"

    @property
    def suffix(self) -> str:
        return "xlsx" if self is Format.XLSX else "csv"

    @property
    def content_type(self) -> str:
        """Of the answer that carries the file."""
        if self is Format.XLSX:
            return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        return "text/csv; charset=utf-8"


class RowsFile(Protocol):
    """A file that is being written; leaving the block closes it."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def write(self, row: Sequence[Cell]) -> None:
        """One row, in the order of the columns."""

    def finish(self, control: Mapping[str, Any]) -> None:
        """Everything was written; ``control`` is what it must add up to."""


class CsvFile:
    """RFC 4180: CRLF, quotes where they are needed, one line of headings. It has no place for the control."""

    def __init__(self, path: Path, columns: Sequence[Column], *, decimals: int, bom: bool) -> None:
        self._path, self._columns, self._decimals = path, columns, decimals
        self._encoding = "utf-8-sig" if bom else "utf-8"

    def __enter__(self) -> Self:
        self._file = self._path.open("w", encoding=self._encoding, newline="")
        self._writer = csv.writer(self._file)
        self._writer.writerow([column.name for column in self._columns])
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def write(self, row: Sequence[Cell]) -> None:
        self._writer.writerow(as_texts(row, self._columns, self._decimals))

    def finish(self, control: Mapping[str, Any]) -> None:
        """The control is kept beside the file, on the export's own page."""
