"""Amounts, shares and months, in the reader's language."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from babel.dates import format_skeleton
from babel.numbers import format_decimal, format_percent
from django import template
from django.utils.translation import get_language, to_locale

from billing.money import quantum_of

register = template.Library()
_NONE = "–"


def _locale() -> str:
    return "zh_Hans" if to_locale(get_language() or "") == "zh_Hans" else "en"


@register.filter
def money(value: Decimal | str | None, quantum: Decimal = Decimal("0.01")) -> str:
    """An amount, or its text, with its groups and exactly the decimals of ``quantum``; a dash for none."""
    if value is None:
        return _NONE
    places = max(0, -int(quantum.normalize().as_tuple().exponent))
    pattern = "#,##0" + ("." + "0" * places if places else "")
    return format_decimal(Decimal(value), pattern, locale=_locale()).replace("-", "−")


@register.filter
def plain(value: Decimal | None) -> str:
    """A number with as many decimals as it has; a dash for none."""
    return (
        _NONE
        if value is None
        else format_decimal(value, "#,##0.############", locale=_locale()).replace("-", "−")
    )


@register.filter
def native(value: Decimal | None, currency: str) -> str:
    """An amount as a supplier wrote it: with the decimals of its currency at least, and more where it has more."""
    if value is None:
        return _NONE
    least = max(0, -int(quantum_of(currency).normalize().as_tuple().exponent))
    pattern = f"#,##0.{'0' * least}{'#' * (12 - least)}"
    return format_decimal(value, pattern, locale=_locale()).replace("-", "−")


@register.filter
def grouped(value: int | None) -> str:
    """A whole number with its groups; a dash for none."""
    return _NONE if value is None else format_decimal(value, "#,##0", locale=_locale()).replace("-", "−")


@register.filter
def share(value: Decimal | None) -> str:
    """A share between 0 and 1 in per cent, with one decimal."""
    return _NONE if value is None else format_percent(value, "0.0 %", locale=_locale())


@register.filter
def month(value: date | None) -> str:
    """A month with its year."""
    return _NONE if value is None else format_skeleton("yMMMM", value, locale=_locale())


@register.filter
def day(value: date | None) -> str:
    """A day, as ISO 8601 writes it: the same in every language."""
    return _NONE if value is None else value.isoformat()
