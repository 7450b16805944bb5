"""Import prices of units, and price with them what was unknown."""

from __future__ import annotations

from dataclasses import astuple, dataclass, replace
from datetime import date
from zoneinfo import ZoneInfo

from django.db import transaction

from billing.people import must_keep_books
from billing.services.import_rates import SourceNeededError
from billing.services.price_usage import Priced, price_usage
from billing.suppliers.price_files import read_prices
from billing.tables import kept_prices
from once_delivery.accounts.models import Project, User
from once_delivery.common.sheets.limits import current_limits
from once_delivery.common.sheets.problems import Problems


@dataclass(frozen=True, slots=True)
class PricesImported:
    """``new`` versions, of ``read`` prices; and what they priced."""

    read: int
    new: int
    priced: Priced


def import_prices(
    *,
    project: Project,
    data: bytes,
    file_name: str,
    source: str = "",
    valid_from: date | None = None,
    user: User | None = None,
) -> PricesImported:
    """Afterwards the file's prices are kept, each version once, and usage that waited for one of them is accrued.

    ``valid_from``: for prices whose file tells no day, as LiteLLM's map. Raises ImportRefusedError with all problems by
    row and column, SourceNeededError, NotFinanceError and what ``price_usage`` raises.
    """
    if user is not None:
        must_keep_books(user, project)
    prices = read_prices(
        data,
        file_name,
        valid_from=valid_from,
        zone=ZoneInfo(project.timezone),
        limits=current_limits(),
        problems=Problems(),
    )
    source = source.strip()[:300]
    if not source and not all(one.source for one in prices):
        raise SourceNeededError
    rows = [astuple(replace(one, source=one.source or source)) for one in prices]
    with transaction.atomic():
        new = kept_prices(rows, project=project, user=user)
        priced = price_usage(project=project, actor=user.username if user else "import")
    return PricesImported(read=len(prices), new=new, priced=priced)
