"""The limits that a project's books are kept by."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from billing.models import Books
from billing.people import must_keep_books
from billing.services.post_entries import NoBooksError
from billing.typed import Typed
from once_delivery.accounts.models import Project, User


def save_limits(*, project: Project, user: User, typed: Mapping[str, str]) -> None:
    """Afterwards these limits hold: ``two_people_above``, ``undetermined_limit`` and ``minimum_n``.

    Raises NotFinanceError, NoBooksError; InvalidInputError with a problem for each field.
    """
    must_keep_books(user, project)
    form = Typed(typed)
    limits = {
        "two_people_above": form.number("two_people_above") or Decimal(0),
        "undetermined_limit": form.number("undetermined_limit") or Decimal(0),
        "minimum_n": form.whole("minimum_n", most=1000),
    }
    form.judge()
    if not Books.objects.filter(project=project).update(**limits):
        raise NoBooksError
