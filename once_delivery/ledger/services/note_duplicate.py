"""The target holds two of ours: seen, written down, shown; nothing is deleted by the program (R6)."""

from __future__ import annotations

from collections.abc import Sequence

from once_delivery.ledger.models import Action
from once_delivery.ledger.transitions import Actor, note
from once_delivery.targets.base import Presence


def note_duplicate(
    *, action_id: int, result_ids: Sequence[str], reason: str, actor: Actor, run_id: int | None = None
) -> None:
    """Afterwards the action's presence is "duplicate" and an event names the objects."""
    action = Action.objects.select_for_update().get(pk=action_id)
    Action.objects.filter(pk=action_id).update(presence=Presence.DUPLICATE)
    note(
        action_id=action_id,
        project_id=action.project_id,
        kind="duplicate.seen",
        reason=reason,
        actor=actor,
        run_id=run_id,
        data={"result_ids": sorted(set(result_ids))},
    )
