"""Record how confirmed objects stand at the target: shown, never repaired by creating (R7)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import F

from once_delivery.ledger.clock import database_now
from once_delivery.ledger.looking import DueLook
from once_delivery.ledger.models import Action, Observation
from once_delivery.ledger.services.advance import pause_s
from once_delivery.ledger.services.note_duplicate import note_duplicate
from once_delivery.ledger.services.record_looks import as_json
from once_delivery.ledger.transitions import Actor
from once_delivery.targets.base import Kind, Look, Presence, Verdict
from once_delivery.targets.profile import Profile


def record_checks(
    checked: Sequence[tuple[DueLook, Look]], *, profile: Profile, actor: Actor, run_id: int | None = None
) -> None:
    """Afterwards each action's presence says what was seen; a look that cannot tell is made again later."""
    for due, look in checked:
        with transaction.atomic():
            _record(due, look, profile, actor, run_id)


def _record(due: DueLook, look: Look, profile: Profile, actor: Actor, run_id: int | None) -> None:
    now = database_now()
    Observation.objects.create(
        project_id=due.project_id,
        action_id=due.action_id,
        run_id=run_id,
        verdict=look.verdict,
        method=look.method[:100],
        complete=look.complete,
        code=look.code[:60],
        http_status=look.http_status,
        objects_seen=[as_json(found) for found in look.objects],
        candidates=[as_json(found) for found in look.candidates],
        detail=look.detail[:500],
        looked_at=due.looked_at,
        recorded_at=now,
    )
    if look.verdict == Verdict.CANNOT_TELL or (look.verdict == Verdict.ABSENT and not look.complete):
        later = now + timedelta(seconds=pause_s(profile, due.look_ups))
        Action.objects.filter(pk=due.action_id).update(check_due_at=later, look_ups=F("look_ups") + 1)
        return
    action = Action.objects.select_for_update().get(pk=due.action_id)
    presence = presence_of(action.result_id, look, kind=due.request.kind)
    if action.presence == Presence.DUPLICATE and presence == Presence.PRESENT:
        presence = Presence.DUPLICATE  # until a person has dealt with it
    Action.objects.filter(pk=action.pk).update(presence=presence, checked_at=now, check_due_at=None)
    seen = look.objects or look.candidates
    if presence == Presence.DUPLICATE and seen:
        note_duplicate(
            action_id=action.pk,
            result_ids=[action.result_id, *(found.result_id for found in seen)],
            reason="found-many",
            actor=actor,
            run_id=run_id,
        )


def presence_of(result_id: str, look: Look, *, kind: Kind = Kind.CREATE_DRAFT) -> Presence:
    """How the object ``result_id`` stands, by one complete look for its marker.

    A job carries none: when it stands among others that are just like it and nobody else's, one is too many.
    """
    if look.verdict == Verdict.ABSENT:
        alike = {found.result_id for found in look.candidates} if kind is Kind.START_JOB else set()
        if result_id in alike:
            return Presence.DUPLICATE if len(alike) > 1 else Presence.PRESENT
        return Presence.MISSING
    if {found.result_id for found in look.objects} != {result_id}:
        return Presence.DUPLICATE  # another one of ours was made, even if only that one is left
    return Presence.TRASHED if look.objects[0].trashed else Presence.PRESENT
