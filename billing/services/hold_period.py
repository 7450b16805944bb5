"""Hold a month for the close: no pull posts in it any more."""

from __future__ import annotations

from datetime import date

from django.db import transaction
from django.utils.translation import gettext_noop

from billing.locking import lock_books
from billing.models import Period, PeriodStatus
from billing.people import must_keep_books
from billing.services.pull_costs import pull_costs
from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now


class NoSuchPeriodError(DomainError):
    """A month that nothing was posted in."""

    code = "period-unknown"
    template = gettext_noop("There is no such month in the accounts of this project.")


class PeriodArrowError(DomainError):
    """Months go from open to held to closed, and back from held only."""

    code = "period-arrow"
    template = gettext_noop("A month that is %(status)s cannot be changed so.")


def locked_period(project: Project, month: date) -> Period:
    """The month, held to the end of the transaction; nothing is posted meanwhile. Raises NoSuchPeriodError."""
    lock_books([project.pk])
    period = Period.objects.select_for_update(of=("self",)).filter(project=project, month=month).first()
    if period is None:
        raise NoSuchPeriodError
    return period


def hold_period(*, project: Project, month: date, user: User) -> Period:
    """Afterwards everything is pulled, common costs are shared out, and only finance posts in the month.

    Raises NotFinanceError, NoSuchPeriodError, PeriodArrowError.
    """
    must_keep_books(user, project)
    pull_costs(project=project, allocate_now=True)
    with transaction.atomic():
        period = locked_period(project, month)
        if period.status != PeriodStatus.OPEN:
            raise PeriodArrowError(status=period.get_status_display())
        period.status, period.held_by, period.held_at = PeriodStatus.HOLD, user, database_now()
        period.save(update_fields=["status", "held_by", "held_at"])
    return period
