"""Import exchange rates as a source published them."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils.translation import gettext_noop

from billing.models import Books
from billing.people import must_keep_books
from billing.services.post_entries import NoBooksError
from billing.suppliers.rate_files import read_rates
from billing.tables import kept_rates
from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import DomainError
from once_delivery.common.sheets.limits import current_limits
from once_delivery.common.sheets.problems import Problems


class SourceNeededError(DomainError):
    """A rate without a source proves nothing."""

    code = "source-needed"
    template = gettext_noop("Say who published this.")


def import_rates(
    *,
    project: Project,
    data: bytes,
    file_name: str,
    source: str = "",
    base: str = "EUR",
    user: User | None = None,
) -> int:
    """Afterwards the file's rates into the project's currency are kept; returns how many were new.

    A file has one rate a row (date, currency, rate; into and source if it likes) or one currency a column beside the
    date, as the European Central Bank publishes for the euro (``base``): then each rate is worked out through it.
    Raises ImportRefusedError with all problems by row and column, SourceNeededError, NotFinanceError, NoBooksError.
    """
    if user is not None:
        must_keep_books(user, project)
    books = Books.objects.filter(project=project).first()
    if books is None:
        raise NoBooksError
    rates = read_rates(
        data,
        file_name,
        into=books.currency,
        base=base,
        zone=ZoneInfo(project.timezone),
        limits=current_limits(),
        problems=Problems(),
    )
    source = source.strip()[:100]
    if not source and not all(rate.source for rate in rates):
        raise SourceNeededError
    rows = [(one.currency, one.into, one.day, one.rate, one.source or source) for one in rates]
    with transaction.atomic():
        return kept_rates(rows, project=project, user=user)
