"""Minor units of currencies (ISO 4217)."""

from __future__ import annotations

from decimal import Decimal

from babel.numbers import get_currency_precision


def quantum_of(currency: str) -> Decimal:
    """The smallest amount of a currency: 0.01 of CNY, 1 of JPY, 0.001 of BHD."""
    return Decimal(1).scaleb(-get_currency_precision(currency))
