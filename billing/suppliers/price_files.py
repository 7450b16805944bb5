"""Files of prices: one price a row, or LiteLLM's map of models (``model_prices_and_context_window.json``).

The map has dollars for one unit of what a provider bills and no dates (https://docs.litellm.ai/docs/proxy/model_cost_map),
so that whoever imports it says from which day on it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, tzinfo
from decimal import Decimal
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
from once_delivery.common.sheets.places import Place, pointer
from once_delivery.common.sheets.problems import Problems
from once_delivery.common.sheets.sheet import Cell, Row, Sheet, is_blank
from once_delivery.common.sheets.xlsx_file import read_xlsx

# the map's keys whose unit is one that attempts tell of; tiers and batches have other conditions and are left out
UNITS: Mapping[str, str] = {
    "input_cost_per_token": "input token",
    "output_cost_per_token": "output token",
    "input_cost_per_image": "input image",
    "output_cost_per_image": "image",
    "output_cost_per_pixel": "pixel",
    "input_cost_per_second": "input second",
    "output_cost_per_second": "second",
    "input_cost_per_character": "character",
    "input_cost_per_query": "query",
}
_OURS = {"fal_ai": "fal"}  # providers that are called otherwise here
_SPEC = "sample_spec"  # the map's own description
_COLUMNS = {
    **dict.fromkeys(("provider", "supplier", "供应商"), "provider"),
    **dict.fromkeys(("model", "模型"), "model"),
    **dict.fromkeys(("unit", "单位"), "unit"),
    **dict.fromkeys(("price", "单价"), "price"),
    **dict.fromkeys(("currency", "币种"), "currency"),
    **dict.fromkeys(("valid_from", "from", "生效日期"), "valid_from"),
    **dict.fromkeys(("valid_until", "until", "失效日期"), "valid_until"),
    **dict.fromkeys(("source", "来源"), "source"),
}
_NEEDED = ("provider", "unit", "price", "currency")

NEEDED = gettext_noop("“%(name)s” is missing.")
NEGATIVE = gettext_noop("A price cannot be below 0.")
NO_DAY = gettext_noop("From which day on does this price hold? Neither the file nor the form says it.")
BACKWARDS = gettext_noop("The price ends before it begins.")
UNKNOWN = gettext_noop("“%(heading)s” is no column of a file of prices.")
NOT_PRICES = gettext_noop("This JSON holds no prices.")


@dataclass(frozen=True, slots=True)
class ReadPrice:
    """What one unit costs; ``source`` "" where the file does not say it."""

    provider: str
    model: str
    unit: str
    price: Decimal
    currency: str
    valid_from: date
    valid_until: date | None = None
    source: str = ""


def read_prices(
    data: bytes, file_name: str, *, valid_from: date | None, zone: tzinfo, limits: Limits, problems: Problems
) -> list[ReadPrice]:
    """The prices; raises ImportRefusedError with every problem and its place."""
    check_size(len(data), limits, problems)
    kind = format_of(data, file_name, problems)
    document = read_json(data, limits, problems, exact=True) if kind is Format.JSON else None
    if isinstance(document, Mapping):
        found = list(_of_map(document, valid_from, problems))
    else:
        sheet = _sheet(kind, document, data, limits, problems)
        found = list(_Rows(sheet, valid_from, zone, problems).prices())
    problems.stop_if_any()
    if not found:
        problems.add("no-rows", NOT_PRICES)
        raise problems.refusal()
    return found


def _sheet(kind: Format, document: Any, data: bytes, limits: Limits, problems: Problems) -> Sheet:
    if kind is Format.CSV:
        return read_csv(data, limits, problems, lambda names: sum(normal(name) in _COLUMNS for name in names))
    if kind is Format.XLSX:
        return read_xlsx(data, limits, problems)
    return sheet_of_objects(document if isinstance(document, list) else [], limits, problems)


def _of_map(document: Mapping[str, Any], valid_from: date | None, problems: Problems) -> Iterator[ReadPrice]:
    if valid_from is None:
        problems.add("no-day", NO_DAY, place=Place(column="valid_from"))
        raise problems.refusal()
    for name, entry in document.items():
        if name == _SPEC or not isinstance(entry, Mapping):
            continue
        said = entry.get("litellm_provider")
        if not isinstance(said, str) or not said:
            continue
        for key, unit in UNITS.items():
            if entry.get(key) is not None:
                price = _price(entry[key], Place(pointer=pointer((name, key))), problems)
                if price:
                    model = name.removeprefix(f"{said}/")[:200]
                    yield ReadPrice(_OURS.get(said, said)[:50], model, unit, price, "USD", valid_from)


def _price(said: Any, place: Place, problems: Problems) -> Decimal | None:
    try:
        price = amount_of(said, round_finer=True)
    except CellError as error:
        problems.add(error.code, error.template, place=place, **error.params)
        return None
    if price < 0:
        problems.add("negative-price", NEGATIVE, place=place)
        return None
    return price


@dataclass(frozen=True, slots=True)
class _Rows:
    sheet: Sheet
    valid_from: date | None
    zone: tzinfo
    problems: Problems

    def prices(self) -> Iterator[ReadPrice]:
        columns = self._columns()
        read: Mapping[str, Callable[[Cell], Any]] = {
            "provider": lambda cell: word_of(cell, 50),
            "model": lambda cell: word_of(cell, 200),
            "unit": lambda cell: word_of(cell, 60),
            "price": amount_of,
            "currency": currency_of,
            "valid_from": self._day,
            "valid_until": self._day,
            "source": lambda cell: word_of(cell, 300),
        }
        for row in self.sheet.rows:
            before = self.problems.count
            said = {name: self._cell(row, index, read[name], name) for name, index in columns.items()}
            made = self._made(row, columns, said) if self.problems.count == before else None
            if made is not None:
                yield made

    def _made(self, row: Row, columns: Mapping[str, int], said: Mapping[str, Any]) -> ReadPrice | None:
        begin = said.get("valid_from") or self.valid_from
        if begin is None:
            self.problems.add("no-day", NO_DAY, place=self.sheet.place(row, columns.get("valid_from")))
            return None
        if said["price"] < 0:
            self.problems.add("negative-price", NEGATIVE, place=self.sheet.place(row, columns["price"]))
            return None
        until = said.get("valid_until")
        if until is not None and until < begin:
            self.problems.add(
                "ends-before-begin", BACKWARDS, place=self.sheet.place(row, columns["valid_until"])
            )
            return None
        return ReadPrice(
            provider=said["provider"],
            model=said.get("model") or "",
            unit=said["unit"],
            price=said["price"],
            currency=said["currency"],
            valid_from=begin,
            valid_until=until,
            source=said.get("source") or "",
        )

    def _columns(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for index, heading in enumerate(self.sheet.header):
            name = _COLUMNS.get(normal(heading))
            if heading and name is None:
                place = self.sheet.header_place(index)
                self.problems.add("unknown-column", UNKNOWN, place=place, heading=heading[:80])
            elif name is not None:
                found.setdefault(name, index)
        for name in _NEEDED:
            if name not in found:
                place = Place() if self.sheet.pointers else Place(row=self.sheet.header_row)
                self.problems.add("missing-column", NEEDED, place=place, name=name)
        self.problems.stop_if_any()
        return found

    def _cell(self, row: Row, index: int, read: Callable[[Cell], Any], name: str) -> Any:
        cell, place = row.cells[index], self.sheet.place(row, index)
        if is_blank(cell):
            if name in _NEEDED:
                self.problems.add("missing-value", NEEDED, place=place, name=name)
            return None
        try:
            return read(cell)
        except CellError as error:
            self.problems.add(error.code, error.template, place=place, **error.params)
            return None

    def _day(self, cell: Cell) -> date:
        return moment_of(cell, self.zone).date()
