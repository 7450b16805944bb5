"""Save what a provider asks for a unit, from a day on."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from django.db import transaction

from billing.amounts import checked_currency, checked_dates, checked_price
from billing.models import PriceVersion
from billing.people import must_keep_books
from billing.services.price_usage import price_usage
from once_delivery.accounts.models import Project, User
from once_delivery.common.redact import storable


def save_price(
    *,
    project: Project,
    user: User,
    provider: str,
    unit: str,
    price: Decimal,
    currency: str,
    valid_from: date,
    valid_until: date | None = None,
    model: str = "",
    source: str,
) -> PriceVersion:
    """A new version; earlier ones stay, and hold for the days before. What was unknown is accrued at it.

    ``model`` "" is any of the provider's. Raises NotFinanceError, NegativeAmountError, UnknownCurrencyError,
    EndsBeforeItBeginsError and what ``price_usage`` raises.
    """
    must_keep_books(user, project)
    checked_dates(valid_from, valid_until)
    with transaction.atomic():
        saved = PriceVersion.objects.create(
            project=project,
            provider=storable(provider).strip()[:50],
            model=storable(model).strip()[:200],
            unit=storable(unit).strip()[:60],
            price=checked_price(price),
            currency=checked_currency(currency),
            valid_from=valid_from,
            valid_until=valid_until,
            source=storable(source).strip()[:300],
            saved_by=user,
        )
        price_usage(project=project, actor=user.username)
    return saved
