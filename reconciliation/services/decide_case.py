"""A person decides a case; the ledger carries it out; the case says how it ended."""

from __future__ import annotations

import enum

from django.db import transaction
from django.utils.translation import gettext_noop

from once_delivery.accounts.access import role_of
from once_delivery.accounts.models import Role, User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.services import decide
from once_delivery.ledger.services.settle_duplicate import settle_duplicate
from reconciliation.models import Case, CaseStatus

DECIDERS = frozenset({Role.OPS_OWNER, Role.ADMIN})


class Decision(enum.StrEnum):
    """What may be decided."""

    ADOPT = "adopt"
    ABSENT = "absent"
    GIVE_UP = "give_up"
    RETRY = "retry"
    OVERWRITE = "overwrite"  # the new version takes the place of what an editor wrote meanwhile
    SETTLE = "settle"  # a duplicate has been dealt with at the target, which is counted again


class CaseClosedError(DomainError):
    """Somebody decided before."""

    code = "case-closed"
    template = gettext_noop("This case has been decided already.")


class NotYoursToDecideError(DomainError):
    """Deciding needs an ops owner or admin of the project; so does agreeing."""

    code = "not-yours-to-decide"
    template = gettext_noop("“%(user)s” is no ops owner or admin of this project.")


class ResultNeededError(DomainError):
    """Adopting needs the object."""

    code = "result-id-needed"
    template = gettext_noop("Name the result ID that is to be adopted.")


def decide_case(
    *, case: Case, decision: Decision, user: User, result_id: str = "", second: User | None = None
) -> None:
    """Afterwards the decision is carried out and the case is resolved, both or neither.

    Raises CaseClosedError, NotYoursToDecideError, ResultNeededError, and what ledger/services/decide.py raises.
    """
    for person in (user, second):
        if person is not None and role_of(person, case.project) not in DECIDERS:
            raise NotYoursToDecideError(user=person.username)
    with transaction.atomic():
        locked = Case.objects.select_for_update(of=("self",)).select_related("action").get(pk=case.pk)
        if locked.status != CaseStatus.OPEN:
            raise CaseClosedError
        _carry_out(locked, decision, user, result_id, second)
        locked.status = CaseStatus.RESOLVED
        locked.resolved_at = database_now()
        locked.resolution = decision
        locked.resolved_by = user
        locked.save(update_fields=["status", "resolved_at", "resolution", "resolved_by"])


def _carry_out(case: Case, decision: Decision, user: User, result_id: str, second: User | None) -> None:
    match decision:
        case Decision.ADOPT:
            if not result_id:
                raise ResultNeededError
            decide.adopt(action=case.action, result_id=result_id, user=user)
        case Decision.ABSENT:
            decide.declare_absent(action=case.action, user=user, second=second)
        case Decision.GIVE_UP:
            decide.give_up(action=case.action, user=user)
        case Decision.RETRY:
            decide.retry_refused(action=case.action)
        case Decision.OVERWRITE:
            decide.overwrite(action=case.action, user=user)
        case Decision.SETTLE:
            settle_duplicate(action=case.action, user=user)
