"""Rows of a table as lines: a supplier's own columns, and FOCUS."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import tzinfo
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext_noop

from billing.models import Tax
from billing.suppliers.fields import BY_NAME, FOCUS_CATEGORIES, Field, Holds
from billing.suppliers.line import ReadLine
from billing.suppliers.mapping import Columns
from billing.suppliers.raw import raw_row
from billing.suppliers.values import amount_of, currency_of, moment_of, units_of
from once_delivery.common.sheets.cells import CellError, text_of, word_of
from once_delivery.common.sheets.places import Place
from once_delivery.common.sheets.problems import Problems
from once_delivery.common.sheets.sheet import Cell, Flaw, Row, Sheet, is_blank

REQUIRED = gettext_noop("“%(name)s” is missing.")
NO_CHOICE = gettext_noop("“%(value)s” is none of: %(known)s.")
NEGATIVE = gettext_noop(
    "A charge cannot be below 0. If it is a credit, say so in “category”, or import a credit note."
)
UNTIL = gettext_noop("The end is not after the beginning.")
NO_UNITS_BELOW = gettext_noop("Units cannot be below 0.")
TAX_SIGN = gettext_noop("The tax must have the sign of the amount.")


@dataclass(frozen=True, slots=True)
class Asked:
    """What holds for a whole file where its lines do not say it."""

    currency: str
    zone: tzinfo
    tax_treatment: Tax
    credit_note: bool = False
    focus: bool = False  # its words for the kinds of charges
    floats: bool = False  # amounts with more decimals than are kept are rounded, units of 0 are none


class TableReader:
    """Reads the rows of one sheet; each problem is told at its cell, and the row is left out then."""

    def __init__(self, sheet: Sheet, columns: Columns, asked: Asked, problems: Problems) -> None:
        self._sheet = sheet
        self._columns = columns
        self._asked = asked
        self._problems = problems
        self._read: Mapping[Holds, Callable[[Cell, Field], Any]] = {
            Holds.WORD: lambda cell, field: word_of(cell, field.longest),
            Holds.AMOUNT: lambda cell, _: amount_of(cell, round_finer=asked.floats),
            Holds.UNITS: lambda cell, _: (
                amount_of(cell, round_finer=True) if asked.floats else units_of(cell)
            ),
            Holds.CURRENCY: lambda cell, _: currency_of(cell),
            Holds.TIME: lambda cell, _: moment_of(cell, asked.zone),
            Holds.CHOICE: self._choice,
        }

    def lines(self) -> list[ReadLine]:
        """The lines; problems were added."""
        return [line for row in self._sheet.rows if (line := self._line(row)) is not None]

    def _line(self, row: Row) -> ReadLine | None:
        before = self._problems.count
        values = {name: self._value(row, BY_NAME[name], index) for name, index in self._columns.items()}
        if any(isinstance(cell, Flaw) for cell in row.cells) or self._problems.count > before:
            return None
        line = self._made(row, values)
        self._check(line, values.get("category"))
        return line if self._problems.count == before else None

    def _value(self, row: Row, field: Field, index: int) -> Any:
        cell = row.cells[index]
        if isinstance(cell, Flaw):
            return None
        if is_blank(cell):
            if field.required:
                place = self._sheet.place(row, index)
                self._problems.add("missing-value", REQUIRED, place=place, name=field.name)
            return None
        try:
            return self._read[field.holds](cell, field)
        except CellError as error:
            self._problems.add(
                error.code, error.template, place=self._sheet.place(row, index), **error.params
            )
            return None

    def _choice(self, cell: Cell, field: Field) -> str:
        choices = FOCUS_CATEGORIES if self._asked.focus else field.choices or {}
        said = text_of(cell).strip()
        found = choices.get(said.casefold(), choices.get(said))
        if found is None:
            known = ", ".join(dict.fromkeys(choices.values()))
            raise CellError("unknown-choice", NO_CHOICE, value=said[:40], known=known)
        return found

    def _made(self, row: Row, values: Mapping[str, Any]) -> ReadLine:
        said = {name: value for name, value in values.items() if value is not None}
        category, units = said.get("category", "charge"), said.get("units")
        amount, tax = said.get("amount", Decimal(0)), said.get("tax", Decimal(0))
        treatment = Tax(said["tax_treatment"]) if "tax_treatment" in said else self._asked.tax_treatment
        if category == "tax":
            amount, tax = Decimal(0), tax + amount
        return ReadLine(
            row=row.number,
            amount=-abs(amount) if category == "credit" else amount,
            tax=-abs(tax) if category == "credit" else tax,
            tax_treatment=treatment if tax else Tax.NONE,
            currency=said.get("currency", self._asked.currency),
            used_at=said.get("used_at"),
            used_until=said.get("used_until"),
            units=units or None,  # some write 0 where nothing was measured
            is_credit=category == "credit" or amount < 0,
            place=lambda name: self.place(row, name),
            raw=raw_row(self._sheet, row),
            **{
                name: said[name]
                for name in (
                    "request_id", "idempotency_key", "attempt", "model", "unit", "sub_bucket", "description",
                    "document", "credits",
                )
                if name in said
            },
        )  # fmt: skip

    def _check(self, line: ReadLine, category: str | None) -> None:
        add = self._problems.add
        signed = self._asked.credit_note or category in {"credit", "adjustment", "tax"}
        if (line.amount < 0 or line.tax < 0) and not signed:
            add("negative-charge", NEGATIVE, place=line.place("amount"))
        elif line.amount and line.tax and (line.amount < 0) != (line.tax < 0):
            add("tax-sign", TAX_SIGN, place=line.place("tax"))
        if line.used_until is not None and (line.used_at is None or line.used_until <= line.used_at):
            add("ends-before-begin", UNTIL, place=line.place("used_until"))
        if line.units is not None and line.units < 0 and not signed:
            add("bad-units", NO_UNITS_BELOW, place=line.place("units"))

    def place(self, row: Row, name: str) -> Place:
        """Where the field ``name`` of ``row`` stands."""
        return self._sheet.place(row, self._columns.get(name))
