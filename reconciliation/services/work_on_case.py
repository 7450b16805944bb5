"""What an ops owner does with a case short of deciding it: hand over, put off, comment, have it looked up again."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.translation import gettext_noop

from once_delivery.accounts.access import role_of
from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError
from once_delivery.common.redact import storable
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.services import decide
from once_delivery.notices.models import Event
from once_delivery.notices.services.announce import announce
from reconciliation.models import Case, CaseEvent, CaseEventKind
from reconciliation.working import must_decide, told_of, worked_on, write

SNOOZE_LONGEST = timedelta(days=7)


class BadSnoozeError(DomainError):
    """R13: put off, not put away."""

    code = "bad-snooze"
    template = gettext_noop(
        "A case is put off until a moment within the next %(days)s days, and with a reason."
    )


class EmptyCommentError(DomainError):
    """A comment has words."""

    code = "empty-comment"
    template = gettext_noop("Write something.")


def hand_over(*, case: Case, to: User, user: User, words: str = "", revision: int | None = None) -> None:
    """Afterwards ``to`` owns the case, and is told. Raises NotYoursToDecideError, CaseClosedError, CaseChangedError."""
    must_decide(case, user, to)
    with worked_on(case, revision=revision) as locked:
        before = locked.owner_id
        locked.owner = to
        write(locked, CaseEventKind.HANDED, user=user, text=words, before=before, to=to.pk)
        data = told_of(locked, by=user.get_full_name() or user.username, words=words.strip())
        announce(
            project=locked.project, event=Event.CASE_HANDED, data=data, people=[to] if to != user else []
        )


def snooze(*, case: Case, until: datetime, reason: str, user: User, revision: int | None = None) -> None:
    """Afterwards the case is out of the queue until then; its clock runs on.

    Raises NotYoursToDecideError, BadSnoozeError, CaseClosedError, CaseChangedError.
    """
    must_decide(case, user)
    now = database_now()
    if not storable(reason).strip() or not now < until <= now + SNOOZE_LONGEST:
        raise BadSnoozeError(days=SNOOZE_LONGEST.days)
    with worked_on(case, revision=revision) as locked:
        before = locked.snoozed_until.isoformat() if locked.snoozed_until else ""
        locked.snoozed_until = until
        write(locked, CaseEventKind.SNOOZED, user=user, text=reason, before=before, until=until.isoformat())


def comment(*, case: Case, user: User, text: str) -> CaseEvent:
    """Afterwards the words stand with the case, open or not. Raises EmptyCommentError, NotYoursToDecideError."""
    if role_of(user, case.project) is None:
        must_decide(case, user)
    if not storable(text).strip():
        raise EmptyCommentError
    return write(case, CaseEventKind.COMMENTED, user=user, text=text)


def look_again(*, case: Case, user: User) -> None:
    """Afterwards a look-up is due now; it only reads. Raises NotYoursToDecideError, CaseClosedError, ChangedMeanwhileError."""
    must_decide(case, user)
    with worked_on(case) as locked:
        decide.look_again(action=locked.action)
        write(locked, CaseEventKind.LOOKED, user=user)
