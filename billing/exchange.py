"""The exchange rate of a day: that day's, or the last one published at most four days earlier."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from django.utils.translation import gettext_noop

from billing.models import FxRate
from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError

OLDEST_DAYS = 4  # a long weekend; what is older stops the posting


class NoExchangeRateError(DomainError):
    """Nothing is posted at a rate that nobody published."""

    code = "no-exchange-rate"
    template = gettext_noop(
        "There is no rate of %(currency)s in %(into)s for %(day)s, nor for the four days before. Import one first."
    )


@dataclass(frozen=True, slots=True)
class Rate:
    """One unit of the foreign currency in ours. ``day`` is the day of its publication, None for one currency."""

    rate: Decimal
    day: date | None
    source: str


SAME = Rate(Decimal(1), None, "")


def rate_on(*, project: Project, currency: str, into: str, day: date) -> Rate:
    """The rate of ``day``; among several of one day the one that was imported last. Raises NoExchangeRateError."""
    if currency == into:
        return SAME
    found = (
        FxRate.objects.filter(
            project=project,
            currency=currency,
            into=into,
            day__gte=day - timedelta(days=OLDEST_DAYS),
            day__lte=day,
        )
        .order_by("-day", "-id")
        .first()
    )
    if found is None:
        raise NoExchangeRateError(currency=currency, into=into, day=day.isoformat())
    return Rate(found.rate, found.day, found.source)
