"""A new version of the terms of a project's contract."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import Decimal

from django.db import transaction
from django.db.models import Max

from billing.models import Bearer, Books, Cause, Terms
from billing.normal_output import FEE_LINES
from billing.people import must_keep_books
from billing.services.apply_terms import apply_terms
from billing.services.post_entries import NoBooksError
from billing.typed import MOST, Typed
from once_delivery.accounts.models import Project, User
from reconciliation.decisions import Decision

BEARERS = frozenset(Bearer.values)
FEE_BEARERS = frozenset({Bearer.CLIENT.value, Bearer.VENDOR.value})
SPREADS = frozenset({"equally", "direct_cost"})


def save_terms(
    *, project: Project, user: User, typed: Mapping[str, str], needs_approval: Collection[str] = ()
) -> Terms:
    """The next version, from ``valid_from`` on. What was posted under an older one stays as it is.

    ``typed``: the fields' names; ``include-<line>`` is "on" where the fee covers a line, ``bearer-<cause>`` a bearer.
    Raises NotFinanceError; InvalidInputError with a problem for each field; NoBooksError.
    """
    must_keep_books(user, project)
    form = Typed(typed)
    read = {
        "valid_from": form.day("valid_from"),
        "currency": form.currency("currency"),
        "output_fee": form.number("output_fee", most=MOST) or Decimal(0),
        "includes": {line.code: typed.get(f"include-{line.code}") == "on" for line in FEE_LINES},
        "bearers": {cause: form.choice(f"bearer-{cause}", BEARERS) for cause in Cause.values},
        "platform_fee_bearer": form.choice("platform_fee_bearer", FEE_BEARERS),
        "client_rounds": form.whole("client_rounds", most=100),
        "storage_days": form.whole("storage_days", most=100_000),
        "first_look_hours": form.number("first_look_hours", most=9999) or Decimal(0),
        "resolution_hours": form.number("resolution_hours", most=9999) or Decimal(0),
        "needs_approval": sorted({code for code in needs_approval if code in set(Decision)}),
        "counts_latest_only": typed.get("counts_latest_only") == "on",
        "non_yield_by": form.choice("non_yield_by", SPREADS),
        "text": form.text("text", most=10_000, needed=False),
    }
    form.judge()
    with transaction.atomic():
        # two versions at once get two numbers
        if Books.objects.select_for_update().filter(project=project).first() is None:
            raise NoBooksError
        last = Terms.objects.filter(project=project).aggregate(last=Max("number"))["last"] or 0
        made = Terms.objects.create(project=project, number=last + 1, saved_by=user, **read)
        apply_terms(project=project)
    return made
