"""Files of exchange rates: one rate a row, or the European Central Bank's table of what a euro is worth each day."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, tzinfo
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.utils.translation import gettext_noop

from billing.suppliers.fields import normal
from billing.suppliers.values import amount_of, currency_of, moment_of
from once_delivery.common.sheets.cells import CellError, word_of
from once_delivery.common.sheets.csv_file import read_csv
from once_delivery.common.sheets.formats import Format, check_size, format_of
from once_delivery.common.sheets.json_file import read_json
from once_delivery.common.sheets.json_rows import sheet_of_objects
from once_delivery.common.sheets.limits import Limits
from once_delivery.common.sheets.places import Place
from once_delivery.common.sheets.problems import Problems
from once_delivery.common.sheets.sheet import Cell, Row, Sheet, is_blank
from once_delivery.common.sheets.xlsx_file import read_xlsx

FINEST = Decimal("1e-10")  # of a rate, as it is kept
_LARGEST = Decimal(10) ** 10
_COLUMNS = {
    **dict.fromkeys(("date", "day", "日期"), "day"),
    **dict.fromkeys(("currency", "from", "币种", "外币"), "currency"),
    **dict.fromkeys(("into", "to", "quote", "本币"), "into"),
    **dict.fromkeys(("rate", "汇率"), "rate"),
    **dict.fromkeys(("source", "来源"), "source"),
}
_NONE_PUBLISHED = frozenset({"N/A", "-"})  # as the ECB writes a currency that it did not quote that day

NO_COLUMN = gettext_noop("The column “%(name)s” is missing.")
BAD_RATE = gettext_noop("“%(value)s” is no rate: a number above 0 is expected.")
NO_OWN = gettext_noop("The table has no column for %(currency)s, the currency of these accounts.")
NOT_RATES = gettext_noop("This JSON holds no rates: a list of rows, or “base”, “date” and “rates”.")
UNKNOWN = gettext_noop("“%(heading)s” is no column of a file of rates.")


@dataclass(frozen=True, slots=True)
class ReadRate:
    """One unit of ``currency`` is ``rate`` of ``into``; ``source`` "" where the file does not say it."""

    currency: str
    into: str
    day: date
    rate: Decimal
    source: str = ""


def read_rates(
    data: bytes, file_name: str, *, into: str, base: str, zone: tzinfo, limits: Limits, problems: Problems
) -> list[ReadRate]:
    """The rates into ``into``; of a table for a ``base`` currency they are worked out through it.

    Raises ImportRefusedError with every problem and its place.
    """
    check_size(len(data), limits, problems)
    kind = format_of(data, file_name, problems)
    if kind is Format.JSON:
        document = read_json(data, limits, problems, exact=True)
        sheet = _sheet_of_json(document, limits, problems)
        base = str(document.get("base", base)) if isinstance(document, Mapping) else base
    else:
        read = read_csv if kind is Format.CSV else read_xlsx
        sheet = read(data, limits, problems)
    names = {normal(heading): index for index, heading in enumerate(sheet.header) if heading}
    found = {_COLUMNS[name]: index for name, index in names.items() if name in _COLUMNS}
    reader = _Reader(sheet, into, zone, problems)
    rates = list(reader.rows(found) if "rate" in found else reader.table(found, base.upper()))
    problems.stop_if_any()
    return rates


def _sheet_of_json(document: Any, limits: Limits, problems: Problems) -> Sheet:
    rows: Any = document
    if isinstance(document, Mapping) and isinstance(said := document.get("rates"), Mapping):
        by_day = (
            said if all(isinstance(one, Mapping) for one in said.values()) else {document.get("date"): said}
        )
        rows = [{"date": day, **one} for day, one in by_day.items() if isinstance(one, Mapping)]
    if not isinstance(rows, list):
        problems.add("unknown-shape", NOT_RATES)
        raise problems.refusal()
    return sheet_of_objects(rows, limits, problems)


@dataclass(frozen=True, slots=True)
class _Reader:
    sheet: Sheet
    into: str
    zone: tzinfo
    problems: Problems

    def rows(self, found: Mapping[str, int]) -> Iterator[ReadRate]:
        """One rate a row."""
        self._need(found, "day", "currency")
        for index, heading in enumerate(self.sheet.header):
            if heading and index not in found.values():
                place = self.sheet.header_place(index)
                self.problems.add("unknown-column", UNKNOWN, place=place, heading=heading[:80])
        self.problems.stop_if_any()
        for row in self.sheet.rows:
            day = self._day(row, found["day"])
            currency = self._cell(row, found["currency"], currency_of)
            rate = self._cell(row, found["rate"], _rate)
            into = self._cell(row, found["into"], currency_of) if "into" in found else self.into
            source = self._cell(row, found["source"], _source) if "source" in found else ""
            if day and currency and rate and into:
                yield ReadRate(currency, into, day, rate, source or "")

    def table(self, found: Mapping[str, int], base: str) -> Iterator[ReadRate]:
        """What one unit of ``base`` is worth each day, a column for each currency."""
        self._need(found, "day")
        columns = dict(self._currencies(found["day"]))
        if self.into != base and self.into not in columns.values():
            self.problems.add("no-functional-currency", NO_OWN, place=self._header(), currency=self.into)
        self.problems.stop_if_any()
        for row in self.sheet.rows:
            day = self._day(row, found["day"])
            said = {
                currency: rate
                for index, currency in columns.items()
                if not _not_published(row.cells[index]) and (rate := self._cell(row, index, _rate))
            }
            own = Decimal(1) if self.into == base else said.get(self.into)
            if day and own:
                yield from self._through(base, own, said, day)

    def _through(self, base: str, own: Decimal, said: Mapping[str, Decimal], day: date) -> Iterator[ReadRate]:
        for currency, rate in {base: Decimal(1), **said}.items():
            cross = (own / rate).quantize(FINEST, rounding=ROUND_HALF_UP)
            if currency != self.into and cross:
                yield ReadRate(currency, self.into, day, cross)

    def _currencies(self, day: int) -> Iterator[tuple[int, str]]:
        for index, heading in enumerate(self.sheet.header):
            if not heading or index == day:
                continue
            try:
                yield index, currency_of(heading)
            except CellError as error:
                place = self.sheet.header_place(index)
                self.problems.add(error.code, error.template, place=place, **error.params)

    def _day(self, row: Row, index: int) -> date | None:
        moment = self._cell(row, index, lambda cell: moment_of(cell, self.zone))
        return moment.date() if moment else None

    def _cell(self, row: Row, index: int, read: Callable[[Cell], Any]) -> Any:
        try:
            return read(row.cells[index])
        except CellError as error:
            place = self.sheet.place(row, index)
            self.problems.add(error.code, error.template, place=place, **error.params)
            return None

    def _need(self, found: Mapping[str, int], *names: str) -> None:
        for name in names:
            if name not in found:
                self.problems.add("missing-column", NO_COLUMN, place=self._header(), name=name)
        self.problems.stop_if_any()

    def _header(self) -> Place:
        return Place() if self.sheet.pointers else Place(row=self.sheet.header_row)


def _not_published(cell: Cell) -> bool:
    return is_blank(cell) or (isinstance(cell, str) and cell.strip().upper() in _NONE_PUBLISHED)


def _rate(cell: Cell) -> Decimal:
    if is_blank(cell):
        raise CellError("bad-rate", BAD_RATE, value="")
    rate = amount_of(cell, round_finer=True).quantize(FINEST, rounding=ROUND_HALF_UP)
    if rate <= 0 or rate >= _LARGEST:
        raise CellError("bad-rate", BAD_RATE, value=str(cell)[:40])
    return rate


def _source(cell: Cell) -> str:
    return "" if is_blank(cell) else word_of(cell, 100)
