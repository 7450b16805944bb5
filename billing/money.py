"""Currencies and their minor units (ISO 4217)."""

from __future__ import annotations

from decimal import Decimal

from babel.numbers import get_currency_precision, list_currencies
from django.utils.translation import gettext_noop

from once_delivery.common.errors import DomainError

CURRENCIES = frozenset(list_currencies())


class UnknownCurrencyError(DomainError):
    """Currencies go by their codes (ISO 4217)."""

    code = "unknown-currency"
    template = gettext_noop("“%(typed)s” is no currency. Write its code, as in CNY.")


LARGEST = Decimal(10) ** 12  # what the ledger can keep is below this


def quantum_of(currency: str) -> Decimal:
    """The smallest amount of a currency: 0.01 of CNY, 1 of JPY, 0.001 of BHD. Raises UnknownCurrencyError."""
    if currency not in CURRENCIES:
        raise UnknownCurrencyError(typed=currency[:30])
    return Decimal(1).scaleb(-get_currency_precision(currency))


def written(number: Decimal) -> str:
    """As a person writes it: 11 and 4.01, neither 11.000000000000, as it is kept, nor 1.1E+1."""
    return format(number.normalize(), "f")
