"""What a rate card, a fee or a price must be."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from django.utils.translation import gettext_noop

from billing.money import CURRENCIES, UnknownCurrencyError
from once_delivery.common.errors import DomainError


class NegativeAmountError(DomainError):
    """A price, a rate and a fee cost something, or nothing."""

    code = "negative-amount"
    template = gettext_noop("This cannot be below 0.")


class EndsBeforeItBeginsError(DomainError):
    """A validity of no day."""

    code = "ends-before-begin"
    template = gettext_noop("The end is before the beginning.")


def checked_price(amount: Decimal) -> Decimal:
    """``amount``; raises NegativeAmountError."""
    if not amount.is_finite() or amount < 0:
        raise NegativeAmountError
    return amount


def checked_currency(code: str) -> str:
    """The code in capitals; raises UnknownCurrencyError."""
    found = code.strip().upper()
    if found not in CURRENCIES:
        raise UnknownCurrencyError(typed=code[:30])
    return found


def checked_dates(begin: date, end: date | None) -> None:
    """Raises EndsBeforeItBeginsError."""
    if end is not None and end < begin:
        raise EndsBeforeItBeginsError
