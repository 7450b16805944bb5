"""One vendor's prices for a scope; the first one freezes it."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from billing.models import Quote, Scope
from billing.normal_output import FEE_LINES
from billing.people import must_keep_books
from billing.typed import MOST, Typed
from once_delivery.accounts.models import User
from once_delivery.ledger.clock import database_now


def save_quote(*, scope: Scope, user: User, typed: Mapping[str, str]) -> Quote:
    """The vendor's quote with these prices, in place of an earlier one; a field left empty was not quoted.

    ``typed``: ``vendor``, ``currency`` and one field a line of the scope, by its code.
    Raises NotFinanceError; InvalidInputError with a problem for each field.
    """
    must_keep_books(user, scope.project)
    form = Typed(typed)
    vendor, currency = form.text("vendor"), form.currency("currency")
    prices = {
        line.code: format(price, "f")
        for line in FEE_LINES
        if (price := form.number(line.code, most=MOST, needed=False)) is not None
    }
    form.judge()
    with transaction.atomic():
        Scope.objects.filter(pk=scope.pk, frozen_at__isnull=True).update(frozen_at=database_now())
        quote, _ = Quote.objects.update_or_create(
            scope=scope,
            vendor=vendor,
            defaults={
                "project_id": scope.project_id,
                "currency": currency,
                "prices": prices,
                "saved_by": user,
            },
        )
    return quote


def attach_drill(*, quote: Quote, user: User, drill: str | None) -> None:
    """Afterwards the quote stands beside this drill of the vendor's workflow (None: beside none).

    The caller has fetched the drill for this person. Raises NotFinanceError.
    """
    must_keep_books(user, quote.project)
    Quote.objects.filter(pk=quote.pk).update(drill=drill)
