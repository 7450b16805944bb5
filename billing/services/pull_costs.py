"""Pull everything that costs and counts into a project's accounts."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import date

from django.db.models import QuerySet

from billing.held import held_months, unclosed_months
from billing.models import Terms
from billing.months import bounds_of, day_at, month_of
from billing.services.allocate import allocate
from billing.services.open_period import open_months
from billing.services.pull_duplicates import Found, pull_duplicates
from billing.services.pull_labour import pull_labour
from billing.services.pull_platform_fees import pull_platform_fees
from billing.services.pull_units import Pulled, pull_units
from billing.services.pull_usage import pull_usage
from billing.services.settle_fault import settle_fault
from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now

ACTOR = "pull_costs"
logger = logging.getLogger(__name__)


def projects_with_books() -> QuerySet[Project]:
    """Whose costs are pulled."""
    return Project.objects.filter(books__isnull=False).order_by("pk")


def pull_costs(*, project: Project, allocate_now: bool = False) -> dict[str, str]:
    """Afterwards usage, fees, time, units and duplicates stand in the ledgers, and each cost has its cause and bearer.

    Common costs are shared out for months that are over, or for all with ``allocate_now``: while a month goes on its
    sends change every minute. Months on hold are left alone; while all are, nothing is pulled. Months begin by
    themselves. A step that is refused leaves the others, and so does what is left out of a step; returns the codes of
    refusals by their step. A second pull posts nothing.
    """
    _begin_months(project)
    unclosed, held = unclosed_months(project), held_months(project)
    months = [month for month in unclosed if month not in held]
    if not months:
        return {}
    # also what was told in a month on hold: it waits there, but once it is closed nobody looks back so far
    since, _ = bounds_of(project, unclosed[0])
    today = month_of(day_at(project, database_now()))
    shared = [month for month in months if allocate_now or month < today]
    steps: dict[str, Callable[[], object]] = {
        "usage": lambda: pull_usage(project=project, actor=ACTOR, since=since),
        "fees": lambda: pull_platform_fees(project=project),
        "labour": lambda: pull_labour(project=project),
        "units": lambda: pull_units(project=project),
        "duplicates": lambda: pull_duplicates(project=project),
        "allocations": lambda: _allocate(project, shared),
        "faults": lambda: settle_fault(project=project, actor=ACTOR, automatic=True),
    }
    refused = {}
    for name, step in steps.items():
        try:
            done = step()
        except DomainError as error:
            logger.warning("a pull of costs was refused", extra={"step": name, "code": error.code})
            refused[name] = error.code
        else:
            if isinstance(done, Found | Pulled) and done.refused:
                refused[name] = ", ".join(done.refused)
    return refused


def _begin_months(project: Project) -> None:
    """Whether anything was posted in them or not: what happens in a month without a row would be in none."""
    first = (
        Terms.objects.filter(project=project).order_by("number").values_list("valid_from", flat=True).first()
    )
    if first is not None:
        open_months(project=project, first=month_of(first))


def _allocate(project: Project, months: list[date]) -> None:
    for month in months:
        allocate(project=project, month=month, actor=ACTOR, automatic=True)
