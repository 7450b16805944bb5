"""The draft that was to be updated is gone: a person decides that the new version makes one of its own."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F

from once_delivery.accounts.models import User
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Action, Receipt
from once_delivery.ledger.services.decide import ChangedMeanwhileError, DecisionDoesNotFitError
from once_delivery.ledger.states import NextStep, State
from once_delivery.ledger.transitions import Actor, Move, move, note, reschedule
from once_delivery.targets.updating import GONE

_WHY = "created-anew"


def original_is_gone(action: Action) -> bool:
    """A look showed it, or the target refused the update because of it."""
    if action.original_id is None:
        return False
    if action.state == State.RECONCILE:
        return action.reason == GONE
    if action.state != State.REFUSED:
        return False
    latest = Receipt.objects.filter(action=action).order_by("-received_at", "-pk")
    return latest.values_list("code", flat=True).first() == GONE


def create_anew(*, action: Action, user: User) -> None:
    """Afterwards the action names no original any more and will create a draft under its own marker and a new key.

    Only updates were ever sent for it, and an update creates nothing: what is made now is the first of this marker.
    Raises DecisionDoesNotFitError when nothing says that the original is gone, ChangedMeanwhileError.
    """
    if not original_is_gone(action):
        raise DecisionDoesNotFitError(state=action.get_state_display())
    gone = action.original_id
    actor = Actor(f"user:{user.username}", user.pk)
    with transaction.atomic():
        mine = Action.objects.filter(pk=action.pk, revision=action.revision, state=action.state)
        # under the old key the target would answer for the update
        freed = mine.update(
            original=None, base_version="", object_marker="", key_generation=F("key_generation") + 1
        )
        if not (freed and _plan(action, gone, actor)):
            raise ChangedMeanwhileError


def _plan(action: Action, gone: int | None, actor: Actor) -> bool:
    """What was refused stays refused until it is sent; there is no arrow from there to *not executed*."""
    now = database_now()
    if action.state == State.RECONCILE:
        one = Move(
            action_id=action.pk,
            source=State.RECONCILE,
            revision=action.revision,
            to=State.PLANNED,
            reason=_WHY,
            next_step=NextStep.PERFORM,
            next_step_at=now,
            data={"original": gone},
        )
        return bool(move([one], actor=actor))
    due = reschedule(
        action_id=action.pk, revision=action.revision, next_step=NextStep.PERFORM, at=now, reason=_WHY
    )
    note(
        action_id=action.pk,
        project_id=action.project_id,
        kind="decided",
        reason=_WHY,
        actor=actor,
        data={"original": gone},
    )
    return due
