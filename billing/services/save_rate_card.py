"""Save what an hour of manual work costs, from a day on."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from billing.amounts import checked_currency, checked_price
from billing.models import RateCard
from billing.people import must_keep_books
from once_delivery.accounts.models import Project, User


def save_rate_card(
    *, project: Project, user: User, hourly: Decimal, currency: str, valid_from: date, role: str = ""
) -> RateCard:
    """A new version; work of the days before keeps its rate. ``role`` "" is for who has no line of their own.

    Raises NotFinanceError, NegativeAmountError, UnknownCurrencyError.
    """
    must_keep_books(user, project)
    return RateCard.objects.create(
        project=project,
        role=role.strip()[:20],
        hourly=checked_price(hourly),
        currency=checked_currency(currency),
        valid_from=valid_from,
        saved_by=user,
    )
