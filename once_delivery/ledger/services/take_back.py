"""What a person decided is taken back, where nothing has come of it yet. Where an arrow would be needed, nothing is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_noop

from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Action
from once_delivery.ledger.states import NextStep, State
from once_delivery.ledger.transitions import Actor, note, reschedule
from once_delivery.targets.base import Presence

_ALLOWED = "retry-allowed"  # what a person's permission to send leaves as a reason


class TooLateToTakeBackError(DomainError):
    """Something has come of it."""

    code = "too-late-to-take-back"
    template = gettext_noop("It cannot be undone any more: something has come of it already.")


@dataclass(frozen=True, slots=True)
class Before:
    """How an action stood when somebody decided about it; kept with the decision."""

    state: str
    revision: int
    reason: str

    @classmethod
    def of(cls, action: Action) -> Before:
        return cls(action.state, action.revision, action.reason)


def is_unsent(action: Action, before: Before) -> bool:
    """Sending was allowed and no sender has taken the action since: its state is what it was."""
    return (
        action.state in {State.REFUSED, State.PLANNED}
        and (action.state, action.revision) == (before.state, before.revision)
        and action.next_step == NextStep.PERFORM
        and action.reason == _ALLOWED
    )


def take_back_permission(*, action: Action, before: Before, user: User) -> None:
    """Afterwards the action waits for a person as it did, and nothing is sent. Raises TooLateToTakeBackError."""
    with transaction.atomic():
        locked = Action.objects.select_for_update(of=("self",)).get(pk=action.pk)
        if not is_unsent(locked, before):
            raise TooLateToTakeBackError
        reschedule(
            action_id=locked.pk,
            revision=locked.revision,
            next_step=NextStep.PERSON,
            at=database_now(),
            reason=before.reason,
        )
        _note(locked, user)


def is_uncounted(action: Action, since: datetime) -> bool:
    """A duplicate was said to be dealt with, and the target has not been counted since."""
    checked = action.checked_at
    return action.presence == Presence.UNCHECKED and (checked is None or checked < since)


def take_back_settling(*, action: Action, since: datetime, user: User) -> None:
    """Afterwards two are known at the target as before. Raises TooLateToTakeBackError."""
    with transaction.atomic():
        locked = Action.objects.select_for_update(of=("self",)).get(pk=action.pk)
        if not is_uncounted(locked, since):
            raise TooLateToTakeBackError
        Action.objects.filter(pk=locked.pk).update(presence=Presence.DUPLICATE, check_due_at=None)
        _note(locked, user)


def _note(action: Action, user: User) -> None:
    note(
        action_id=action.pk,
        project_id=action.project_id,
        kind="decided",
        reason="taken-back",
        actor=Actor(f"user:{user.username}", user.pk),
    )
