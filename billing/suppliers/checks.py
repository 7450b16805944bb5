"""What is wrong with a bill as a whole, or beside what the books know; each at its row and column."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from django.utils.translation import gettext_noop

from billing.allocation import rounded
from billing.money import quantum_of, written
from billing.suppliers.line import ReadLine
from billing.typed import NEEDED, TOO_LONG
from once_delivery.common.sheets.characters import bad_character
from once_delivery.common.sheets.places import Place
from once_delivery.common.sheets.problems import Problems

NUMBER_LONGEST = 120
_A_DAY = timedelta(days=1)  # where it is already tomorrow

NO_CURRENCY = gettext_noop("In which currency is this? Neither the file nor the form says it.")
MIXED = gettext_noop(
    "This line is in %(currency)s, the lines before it in %(first)s. A document has one currency."
)
OTHER_DOCUMENT = gettext_noop("This line is of the document “%(said)s”, not of “%(number)s”.")
LATER = gettext_noop("This was used on %(day)s, after the date of the document (%(dated)s).")
CLOSED = gettext_noop(
    "%(month)s is closed. A late cost is a correction in the month that is open now: say that it is late."
)
WRONG_TOTAL = gettext_noop("The lines sum to %(sum)s %(currency)s, the document says %(total)s.")
TOTAL_TOO_FINE = gettext_noop("%(total)s is no amount of %(currency)s, whose smallest is %(quantum)s.")
NO_ATTEMPT = gettext_noop("There is no attempt “%(said)s” in this project.")
MIXED_SIGNS = gettext_noop("A credit note gives back: its lines are all below 0, or all above.")


@dataclass(frozen=True, slots=True)
class Stated:
    """What whoever imports says of the document."""

    number: str
    dated: date
    total: Decimal | None
    late: bool
    credit_note: bool


def currency_of_lines(lines: Sequence[ReadLine], problems: Problems) -> str:
    """The one currency of all lines."""
    first = next((line.currency for line in lines if line.currency), "")
    for line in lines:
        if not line.currency:
            problems.add("no-currency", NO_CURRENCY, place=line.place("currency"))
        elif line.currency != first:
            problems.add(
                "mixed-currencies", MIXED, place=line.place("currency"), currency=line.currency, first=first
            )
    return first


def check_lines(
    lines: Sequence[ReadLine],
    days: Sequence[date],
    stated: Stated,
    closed: Collection[date],
    problems: Problems,
) -> None:
    """Adds what is wrong with single lines; ``closed`` are the closed months."""
    for line, day in zip(lines, days, strict=True):
        if line.document and line.document != stated.number:
            problems.add(
                "other-document",
                OTHER_DOCUMENT,
                place=line.place("document"),
                said=line.document,
                number=stated.number,
            )
        if day > stated.dated + _A_DAY:
            problems.add(
                "date-after-document",
                LATER,
                place=line.place("used_at"),
                day=day.isoformat(),
                dated=stated.dated.isoformat(),
            )
        elif day.replace(day=1) in closed and not stated.late and not stated.credit_note:
            problems.add("period-closed", CLOSED, place=line.place("used_at"), month=f"{day:%Y-%m}")


def check_signs(lines: Sequence[ReadLine], problems: Problems) -> None:
    """A credit note is of one sign, whichever the supplier writes."""
    signs = [(line, line.amount or line.tax) for line in lines if line.amount or line.tax]
    positive = [line for line, sign in signs if sign > 0]
    if len(positive) < len(signs):
        for line in positive:
            place = line.place("amount" if line.amount else "tax")
            problems.add("mixed-signs", MIXED_SIGNS, place=place)


def check_attempts(lines: Sequence[ReadLine], known: Collection[str], problems: Problems) -> None:
    """One that is another project's is told like one that is nowhere."""
    for line in lines:
        if line.attempt and line.attempt.lower() not in known:
            problems.add("unknown-attempt", NO_ATTEMPT, place=line.place("attempt"), said=line.attempt)


def check_total(summed: Decimal, currency: str, stated: Stated, problems: Problems) -> None:
    """The stated total is the sum, or the sum rounded to the currency's minor unit: lines may be finer than a bill is."""
    total = stated.total
    if total is None:
        return
    quantum = quantum_of(currency)
    if total % quantum:
        problems.add(
            "too-many-decimals", TOTAL_TOO_FINE, place=Place(column="total"), total=written(total), currency=currency,
            quantum=quantum,
        )  # fmt: skip
    elif total not in {summed, rounded(summed, quantum)}:
        problems.add(
            "wrong-total",
            WRONG_TOTAL,
            place=Place(column="total"),
            sum=written(summed),
            total=written(total),
            currency=currency,
        )


def check_number(number: str, problems: Problems) -> None:
    """Raises ImportRefusedError for a document without a number that can be kept."""
    if not number.strip() or bad_character(number):
        problems.add("needed", NEEDED, place=Place(column="number"))
    elif len(number) > NUMBER_LONGEST:
        problems.add("too-long", TOO_LONG, place=Place(column="number"), most=NUMBER_LONGEST)
    problems.stop_if_any()
