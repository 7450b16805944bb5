"""Open a project's accounts: its currency, the first version of its terms, its first month."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from django.db import transaction

from billing.fault import DEFAULT_BEARERS
from billing.models import Books, Terms
from billing.money import quantum_of
from billing.months import day_at, month_of
from billing.normal_output import included_by_default
from billing.services.open_period import open_months
from once_delivery.accounts.models import Project

FIRST_HOURS = {"first_look_hours": Decimal(4), "resolution_hours": Decimal(8)}


def open_books(*, project: Project, currency: str = "CNY", since: date | None = None) -> Books:
    """The project's accounts. Where there are none, afterwards they are kept in ``currency`` by its minor unit.

    The terms have the defaults of ACCOUNTING section 9 and hold from the month of ``since`` on (by default: of the day
    on which the project was made); the months from then to now are open. Where there are accounts, nothing changes.
    Raises UnknownCurrencyError.
    """
    found = Books.objects.filter(project=project).first()
    if found is not None:
        return found
    quantum = quantum_of(currency)
    first = month_of(since or day_at(project, project.created_at))
    with transaction.atomic():
        books, made = Books.objects.get_or_create(
            project=project, defaults={"currency": currency, "quantum": quantum}
        )
        if made:
            Terms.objects.create(
                project=project,
                number=1,
                valid_from=first,
                currency=currency,
                includes=included_by_default(),
                bearers={cause.value: bearer.value for cause, bearer in DEFAULT_BEARERS.items()},
                **FIRST_HOURS,
            )
            open_months(project=project, first=first)
    return books
