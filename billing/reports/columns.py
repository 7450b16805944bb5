"""A report as a table: named columns with their kinds and meanings, and rows that come one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from django.utils.functional import Promise

from billing.reports.scope import ReportScope

Cell = str | int | Decimal | date | datetime | None
Row = tuple[Cell, ...]


class Kind(StrEnum):
    """How a cell is written. MONEY has the decimals of the accounts, an ID a prefix, an INSTANT is in UTC."""

    TEXT = "text"
    ID = "id"
    MONEY = "money"
    NUMBER = "number"
    DATE = "date"
    INSTANT = "instant"


@dataclass(frozen=True, slots=True)
class Column:
    """``meaning`` is said in both languages on the sheet of definitions. ``client``: the client may see it."""

    name: str
    kind: Kind
    meaning: str | Promise
    client: bool = True


@dataclass(frozen=True, slots=True)
class Report:
    """``rows`` gives tuples in the order of ``columns``, from one statement or few, never all in memory.

    ``cost_column`` sums to N of the scope and ``unit_column`` to D, rows of type TOTAL left out; "" where it is another
    kind of report. ``with_fx``: differences of exchange are among the rows. ``for_client``: there is a form of it for the client, of what the client bears alone.
    """

    code: str
    number: str
    title: str | Promise
    columns: tuple[Column, ...]
    rows: Callable[[ReportScope], Iterator[Row]]
    cost_column: str = ""
    unit_column: str = ""
    with_fx: bool = False
    for_client: bool = False

    def columns_for(self, *, client: bool) -> tuple[Column, ...]:
        """Those that go into the file."""
        return tuple(column for column in self.columns if column.client or not client)

    def index(self, name: str) -> int:
        """Where a column is in a row."""
        return next(place for place, column in enumerate(self.columns) if column.name == name)
