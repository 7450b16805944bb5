"""A protection that a probe refuted protects nothing: what was about to be sent again under it is looked for instead."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Q

from once_delivery.ledger.models import Action
from once_delivery.ledger.services.advance import advance
from once_delivery.ledger.states import NextStep, State
from once_delivery.ledger.transitions import Actor
from once_delivery.targets.base import Kind
from once_delivery.targets.refutations import kinds_held_back

_AT_ONCE = 1000


def look_instead(*, target_id: int, actor: Actor, run_id: int | None = None) -> int:
    """Afterwards no action of the target rests before a repetition that is held back; returns how many did.

    Each has the next step that is left: a look-up with its time, or a person.
    """
    held = kinds_held_back(target_id)
    if not held:
        return 0
    waiting = list(
        Action.objects.filter(
            _is_one_of(held), target_id=target_id, state=State.UNCERTAIN, next_step=NextStep.REPLAY
        )
        .order_by("pk")
        .values_list("pk", flat=True)[:_AT_ONCE]
    )
    advance(waiting, actor=actor, run_id=run_id)
    return len(waiting)


def _is_one_of(kinds: Sequence[Kind]) -> Q:
    """An update is kept as the draft that it brings up to date; only what it carries tells it."""
    named = Q(kind__in=kinds)
    return named | ~Q(object_marker="") if Kind.UPDATE_DRAFT in kinds else named
