"""Hold a month for the close: no pull posts in it any more."""

from __future__ import annotations

from collections.abc import Mapping
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


class NotAllPulledError(DomainError):
    """What a pull refuses would be missing in the month; it stays open."""

    code = "not-all-pulled"
    template = gettext_noop(
        "The month is not held: not everything could be pulled into the accounts (%(refused)s). Put that right first."
    )

    def __init__(self, refused: Mapping[str, str]) -> None:
        super().__init__(refused=", ".join(f"{step}: {codes}" for step, codes in refused.items()))


def locked_period(project: Project, month: date) -> Period:
    """The month, held to the end of the transaction; nothing is posted meanwhile. Raises NoSuchPeriodError."""
    lock_books([project.pk])
    period = Period.objects.select_for_update(of=("self",)).filter(project=project, month=month).first()
    if period is None:
        raise NoSuchPeriodError
    return period


def hold_period(*, project: Project, month: date, user: User) -> Period:
    """Afterwards everything is pulled, common costs are shared out, and only finance posts in the month.

    A hold of before the month's end is for a look only: it is lifted and repeated before the close (gate ``over``).
    Raises NotFinanceError, NoSuchPeriodError, PeriodArrowError, NotAllPulledError.
    """
    must_keep_books(user, project)
    began = database_now()  # what is told while it pulls may be seen no more
    refused = pull_costs(project=project, allocate_now=True)
    with transaction.atomic():
        period = locked_period(project, month)
        if period.status != PeriodStatus.OPEN:
            raise PeriodArrowError(status=period.get_status_display())
        if refused:
            raise NotAllPulledError(refused)
        period.status, period.held_by, period.held_at = PeriodStatus.HOLD, user, began
        period.save(update_fields=["status", "held_by", "held_at"])
    return period
