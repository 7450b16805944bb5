"""Record what look-ups showed, and conclude what they allow."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from once_delivery.ledger import evidence as known_evidence
from once_delivery.ledger.absence import proves_absence
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.conclusions import move_after
from once_delivery.ledger.evidence import Known
from once_delivery.ledger.intent.supersede import supersede_overtaken
from once_delivery.ledger.looking import DueLook
from once_delivery.ledger.models import Observation
from once_delivery.ledger.services.advance import advance
from once_delivery.ledger.services.note_duplicate import note_duplicate
from once_delivery.ledger.states import OPEN_QUESTIONS, State
from once_delivery.ledger.transitions import Actor, Move, lock, move
from once_delivery.ledger.unmarked import without_what_others_hold
from once_delivery.targets.base import FoundObject, Look, Verdict
from once_delivery.targets.profile import Profile


@dataclass(frozen=True, slots=True)
class Looked:
    """A look-up with its result; ``witnessed``: a later object of ours was visible to the same look-up."""

    due: DueLook
    look: Look
    witnessed: bool = False


def record_looks(
    looked: Sequence[Looked], *, profile: Profile, actor: Actor, run_id: int | None = None
) -> None:
    """Afterwards each look is an observation, and its action stands where the evidence puts it."""
    if not looked:
        return
    with transaction.atomic():
        lock([one.due.action_id for one in looked])
        looked = [replace(one, look=without_what_others_hold(one.due, one.look)) for one in looked]
        known = known_evidence.load([one.due.action_id for one in looked])
        proven = {one.due.action_id for one in looked if _proven(one, known[one.due.action_id], profile)}
        Observation.objects.bulk_create([_observation(one, proven, run_id) for one in looked])
        now = database_now()
        moves: list[Move] = []
        for one in looked:
            move_made = move_after(one.due, one.look, now=now, profile=profile)
            if move_made is not None:
                moves.append(move_made)
        moved = move(moves, actor=actor, run_id=run_id)
        failed = [one.action_id for one in moves if one.to == State.REFUSED and one.action_id in moved]
        supersede_overtaken(action_ids=failed, actor=actor, run_id=run_id)
        for one in looked:
            if one.look.verdict == Verdict.FOUND_MANY:
                _note_many(one, actor, run_id)
        rest = [one.due.action_id for one in looked if one.due.action_id not in moved]
        advance(rest, actor=actor, run_id=run_id, looked=True)


def _proven(one: Looked, known: Known, profile: Profile) -> bool:
    if known.revision != one.due.revision or known.evidence.state not in OPEN_QUESTIONS:
        return False
    evidence = replace(known.evidence, profile=profile)
    return proves_absence(one.look, evidence=evidence, looked_at=one.due.looked_at, witnessed=one.witnessed)


def _observation(one: Looked, proven: set[int], run_id: int | None) -> Observation:
    look = one.look
    return Observation(
        project_id=one.due.project_id,
        action_id=one.due.action_id,
        run_id=run_id,
        verdict=look.verdict,
        method=look.method[:100],
        complete=look.complete,
        proves_absence=one.due.action_id in proven,
        code=look.code[:60],
        http_status=look.http_status,
        objects_seen=[as_json(found) for found in look.objects],
        candidates=[as_json(found) for found in look.candidates],
        detail=look.detail[:500],
        looked_at=one.due.looked_at,
        recorded_at=database_now(),
    )


def as_json(found: FoundObject) -> dict[str, Any]:
    """One object at the target, as evidence keeps it."""
    data: dict[str, Any] = {
        "result_id": found.result_id,
        "marker": found.marker,
        "url": found.url,
        "status": found.status,
        "title": found.title,
        "created_at": found.created_at.isoformat() if found.created_at else None,
        "content_hash": found.content_hash,
        "trashed": found.trashed,
    }
    if found.usage:
        data["usage"] = dict(found.usage)  # what it cost and where it can be fetched
    if not found.finished or found.failed:
        data |= {"finished": found.finished, "failed": found.failed}
    if found.version:
        data["version"] = found.version
    if found.content:  # an update was asked about: both texts are shown to whoever decides
        data["content"] = dict(found.content)
    return dict(json.loads(json.dumps(data).replace("\\u0000", "")))


def _note_many(one: Looked, actor: Actor, run_id: int | None) -> None:
    note_duplicate(
        action_id=one.due.action_id,
        result_ids=[found.result_id for found in one.look.objects],
        reason="found-many",
        actor=actor,
        run_id=run_id,
    )
