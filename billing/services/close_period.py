"""Close a month for ever, when every gate is passed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django.db import transaction
from django.utils.translation import gettext_noop

from billing.certificate import certificate_of, hash_of
from billing.gates import Gate, gates_of
from billing.models import Period, PeriodStatus
from billing.people import must_keep_books
from billing.services.hold_period import PeriodArrowError, locked_period
from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now


class GatesNotPassedError(DomainError):
    """Something stands in the way; nothing was closed."""

    code = "gates-not-passed"
    template = gettext_noop("The month cannot be closed yet: %(codes)s.")

    def __init__(self, gates: Sequence[Gate]) -> None:
        self.gates = tuple(gate for gate in gates if not gate.passed)
        super().__init__(codes=", ".join(gate.code for gate in self.gates))


def close_period(*, project: Project, month: date, user: User) -> Period:
    """Afterwards the month, which was held, takes nothing more, and its certificate says what it was closed on.

    Raises NotFinanceError, NoSuchPeriodError, PeriodArrowError, GatesNotPassedError.
    """
    must_keep_books(user, project)
    with transaction.atomic():
        period = locked_period(project, month)
        if period.status != PeriodStatus.HOLD:
            raise PeriodArrowError(status=period.get_status_display())
        gates = gates_of(project, month)
        if not all(gate.passed for gate in gates):
            raise GatesNotPassedError(gates)
        now = database_now()
        period.certificate = certificate_of(project, month, gates, by=user.username, at=now.isoformat())
        period.certificate_hash = hash_of(period.certificate)
        period.status, period.closed_by, period.closed_at = PeriodStatus.CLOSED, user, now
        period.save()
    return period
