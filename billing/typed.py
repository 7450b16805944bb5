"""What people type into the forms of the books: amounts, shares, dates, currencies. Every field's problem is listed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from django.utils.translation import gettext_noop

from billing.money import CURRENCIES, LARGEST, UnknownCurrencyError
from billing.months import YEARS
from once_delivery.common.errors import InvalidInputError, Problem

MOST = LARGEST - 1  # of an amount that the books keep
_NUMBER = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,12})?")
NEEDED = gettext_noop("This is needed.")
NO_NUMBER = gettext_noop(
    "“%(typed)s” is no number. Write 1234.50: a point before the decimals and nothing else."
)
TOO_SMALL = gettext_noop("This must be %(least)s or more.")
TOO_LARGE = gettext_noop("This must be %(most)s or less.")
NO_DATE = gettext_noop("“%(typed)s” is no date. Write 2026-10-01.")
NO_CHOICE = gettext_noop("“%(typed)s” is none of the choices.")
TOO_LONG = gettext_noop("At most %(most)s characters.")


@dataclass(slots=True)
class Typed:
    """The fields of one form. What is wrong is gathered; ``judge`` refuses them all at once."""

    values: Mapping[str, str]
    problems: list[Problem] = field(default_factory=list)

    def text(self, name: str, *, most: int = 200, needed: bool = True) -> str:
        """A line of text without what surrounds it."""
        found = self.values.get(name, "").strip()
        if needed and not found:
            self.wrong(name, "needed", NEEDED)
        if len(found) > most:
            self.wrong(name, "too-long", TOO_LONG, most=most)
        if "\x00" in found:
            self.wrong(name, "needed", NEEDED)
        return found

    def number(
        self,
        name: str,
        *,
        least: Decimal | int | None = 0,
        most: Decimal | int | None = None,
        needed: bool = True,
    ) -> Decimal | None:
        """An amount; None where it was left empty, or is wrong."""
        found = self.values.get(name, "").strip()
        if not found:
            if needed:
                self.wrong(name, "needed", NEEDED)
            return None
        read = Decimal(found) if _NUMBER.fullmatch(found) else None
        if read is None:
            self.wrong(name, "no-number", NO_NUMBER, typed=found[:30])
        elif least is not None and read < least:
            self.wrong(name, "too-small", TOO_SMALL, least=least)
        elif most is not None and read > most:
            self.wrong(name, "too-large", TOO_LARGE, most=most)
        else:
            return read
        return None

    def whole(self, name: str, *, least: int = 0, most: int = 2_000_000_000) -> int:
        """A whole number; ``least`` where it is wrong (the form is refused then)."""
        read = self.number(name, least=least, most=most)
        if read is not None and read != read.to_integral_value():
            self.wrong(name, "no-number", NO_NUMBER, typed=self.values.get(name, "")[:30])
        return int(read) if read is not None else least

    def day(self, name: str) -> date:
        """A date of our times; the first of all where it is wrong (the form is refused then)."""
        found = self.values.get(name, "").strip()
        try:
            read = date.fromisoformat(found)
        except ValueError:
            read = date.min
        if read.year not in YEARS:
            self.wrong(name, "no-date", NO_DATE, typed=found[:30])
        return read

    def currency(self, name: str) -> str:
        """A code of ISO 4217."""
        found = self.values.get(name, "").strip().upper()
        if found not in CURRENCIES:
            self.wrong(name, UnknownCurrencyError.code, str(UnknownCurrencyError.template), typed=found[:30])
        return found

    def choice(self, name: str, choices: frozenset[str]) -> str:
        """One of ``choices``."""
        found = self.values.get(name, "").strip()
        if found not in choices:
            self.wrong(name, "no-choice", NO_CHOICE, typed=found[:30])
        return found

    def judge(self) -> None:
        """Raises InvalidInputError with every problem that was found so far."""
        if self.problems:
            raise InvalidInputError(tuple(self.problems))

    def wrong(self, name: str, code: str, template: str, **params: object) -> None:
        """One problem of a field."""
        self.problems.append(Problem(code=code, template=template, params=params, column=name))
