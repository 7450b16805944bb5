"""Open a month again that was held for the close."""

from __future__ import annotations

from datetime import date

from django.db import transaction

from billing.models import Period, PeriodStatus
from billing.people import must_keep_books
from billing.services.hold_period import PeriodArrowError, locked_period
from once_delivery.accounts.models import Project, User


def lift_hold(*, project: Project, month: date, user: User) -> Period:
    """Afterwards pulls post in the month again; a closed one stays closed for ever.

    Raises NotFinanceError, NoSuchPeriodError, PeriodArrowError.
    """
    must_keep_books(user, project)
    with transaction.atomic():
        period = locked_period(project, month)
        if period.status != PeriodStatus.HOLD:
            raise PeriodArrowError(status=period.get_status_display())
        period.status, period.held_by, period.held_at = PeriodStatus.OPEN, None, None
        period.save(update_fields=["status", "held_by", "held_at"])
    return period
