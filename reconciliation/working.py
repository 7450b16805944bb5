"""Changing a case: locked, compared with what the person saw, written down with who and why."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.utils.formats import date_format
from django.utils.functional import lazy
from django.utils.timezone import localtime
from django.utils.translation import gettext_noop

from once_delivery.accounts.access import role_of
from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError
from once_delivery.common.redact import storable
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.reasons import sentence
from reconciliation.decisions import DECIDERS
from reconciliation.models import Case, CaseEvent, CaseEventKind, CaseStatus

_sentence = lazy(sentence, str)


class CaseClosedError(DomainError):
    """Somebody decided before."""

    code = "case-closed"
    template = gettext_noop("This case has been decided already.")


class CaseChangedError(DomainError):
    """Somebody was faster; what was seen is not what is."""

    code = "case-changed"
    template = gettext_noop("Somebody else has worked on this case since you opened it; look at it again.")


class NotYoursToDecideError(DomainError):
    """Deciding needs an ops owner or admin of the project; so does agreeing."""

    code = "not-yours-to-decide"
    template = gettext_noop("“%(user)s” is no ops owner or admin of this project.")


def must_decide(case: Case, *people: User) -> None:
    """Raises NotYoursToDecideError."""
    for person in people:
        if role_of(person, case.project) not in DECIDERS:
            raise NotYoursToDecideError(user=person.username)


@contextmanager
def worked_on(case: Case, *, revision: int | None = None) -> Iterator[Case]:
    """The case, locked and open; saved with a new revision at the end, together with everything done in between.

    ``revision`` is the one that the person saw. Raises CaseClosedError, CaseChangedError.
    """
    with transaction.atomic():
        locked = locked_case(case)
        if locked.status != CaseStatus.OPEN:
            raise CaseClosedError
        if revision is not None and locked.revision != revision:
            raise CaseChangedError
        yield locked
        locked.revision += 1
        locked.save()


def locked_case(case: Case) -> Case:
    """The case as it is now, open or not, held to the end of the transaction."""
    return (
        Case.objects.select_for_update(of=("self",))
        .select_related("action__target", "action__task__product", "action__task__input_version", "project")
        .get(pk=case.pk)
    )


def write(case: Case, kind: CaseEventKind, *, user: User | None, text: str = "", **data: Any) -> CaseEvent:
    """Who did what, when and why."""
    return CaseEvent.objects.create(
        project_id=case.project_id,
        case=case,
        kind=kind,
        user=user,
        text=storable(text).strip()[:4000],
        data=_kept(data),
        at=database_now(),
    )


def told_of(case: Case, **more: Any) -> dict[str, Any]:
    """What a notice about a case carries; its words are translated for each reader, when they are written."""
    action = case.action
    return {
        "case": str(case.uuid),
        "task": str(action.task),
        "target": action.target.name,
        "marker": action.marker,
        "state": action.state,
        "reason": _sentence(case.reason),
        "reason_code": case.reason,
        "owner": case.owner.get_full_name() or case.owner.username,
        "due": date_format(localtime(case.due_at), "Y-m-d H:i T"),
        "due_at": case.due_at.isoformat(),
        "path": f"/cases/{case.uuid}/",
        **_kept(more),
    }


def _kept(data: dict[str, Any]) -> dict[str, Any]:
    """Words that people typed, without what cannot be stored."""
    return {name: storable(value) if isinstance(value, str) else value for name, value in data.items()}
