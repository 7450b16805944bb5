"""For how long a project keeps content."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from once_delivery.accounts.access import must_be_admin
from once_delivery.accounts.models import Project, User
from once_delivery.common.digits import whole_number
from once_delivery.common.errors import InvalidInputError, Problem
from once_delivery.ledger.clock import database_now
from once_delivery.retention.models import LEAST_DAYS, MOST_DAYS, ForgettingRule
from once_delivery.retention.rules import rule_of

BAD_DAYS = gettext_noop("Content is kept for %(least)s to %(most)s days, or for ever where nothing is said.")


def days_of(text: str) -> int | None:
    """The days as they were typed; None: everything is kept. Raises InvalidInputError (``bad-days``)."""
    typed = text.strip()
    if not typed:
        return None
    return _checked(whole_number(typed) or 0)


def set_rule(*, project: Project, after_days: int | None, user: User) -> ForgettingRule:
    """Afterwards content is forgotten after so many days, from the next night on; the same again changes nothing.

    Raises NotAdminError, InvalidInputError (``bad-days``).
    """
    must_be_admin(user, project)
    if after_days is not None:
        _checked(after_days)
    now = rule_of(project)
    if now is not None and now.after_days == after_days:
        return now
    return ForgettingRule.objects.create(
        project=project, after_days=after_days, set_by=user, set_at=database_now()
    )


def _checked(days: int) -> int:
    if not LEAST_DAYS <= days <= MOST_DAYS:
        raise InvalidInputError(
            (
                Problem(
                    code="bad-days",
                    template=BAD_DAYS,
                    params={"least": LEAST_DAYS, "most": MOST_DAYS},
                    column="days",
                ),
            )
        )
    return days
