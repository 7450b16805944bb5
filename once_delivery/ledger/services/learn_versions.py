"""Before a draft is updated: in which state did we leave it? Asked only where its creation did not tell."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction

from once_delivery.ledger import gate
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Action, Observation
from once_delivery.ledger.services.advance import pause_s
from once_delivery.ledger.services.record_looks import as_json
from once_delivery.ledger.states import NextStep, State
from once_delivery.ledger.transitions import reschedule
from once_delivery.ledger.trust import trusted_look
from once_delivery.targets import updating
from once_delivery.targets.base import Connector, Kind, Look, LookUpRequest, Original, Verdict
from once_delivery.targets.profile import Profile

logger = logging.getLogger(__name__)

VERSION_UNKNOWN = "version-unknown"


@dataclass(frozen=True, slots=True)
class _Waiting:
    """An update that may be performed once the version of its original is known."""

    action_id: int
    project_id: int
    revision: int
    look_ups: int
    since: datetime
    original_id: int
    kind: Kind
    original: Original
    payload: Mapping[str, Any]  # of the original: what should stand there


_TAKE = """
WITH due AS (
    SELECT a.id, o.id AS original_id, o.kind, o.result_id, coalesce(nullif(o.object_marker, ''), o.marker) AS marker,
           o.payload
    FROM ledger_action a JOIN ledger_action o ON o.id = a.original_id
    WHERE a.target_id = %(target)s AND a.next_step = 'perform' AND a.next_step_at <= clock_timestamp()
      AND a.state IN ('planned', 'refused') AND a.base_version = ''
      AND o.state = 'confirmed' AND o.result_version = ''
      AND (%(batch)s::bigint IS NULL OR EXISTS (
            SELECT 1 FROM ledger_batchtask r WHERE r.task_id = a.task_id AND r.batch_id = %(batch)s))
    ORDER BY a.next_step_at, a.id LIMIT %(limit)s FOR UPDATE OF a SKIP LOCKED
)
UPDATE ledger_action a SET next_step_at = clock_timestamp() + %(hold)s * interval '1 second'
FROM due WHERE a.id = due.id
RETURNING a.id, a.project_id, a.revision, a.look_ups, a.state_since, due.original_id, due.kind, due.result_id, due.marker,
          due.payload
"""


def learn_versions(
    *,
    target_id: int,
    profile: Profile,
    connector: Connector,
    limit: int,
    run_id: int | None = None,
    batch_id: int | None = None,
) -> int:
    """Afterwards up to ``limit`` drafts that wait to be updated have a known version, or a person has been asked.

    The version counts as ours only when our text still stands there. Returns how many were read. Reads only.
    """
    taken = _take(target_id, profile, limit, batch_id)
    if taken is None:
        return 0
    waiting, lane = taken
    try:
        for one in waiting:
            looked_at = database_now()
            _record(one, _read(one, connector, profile), looked_at, profile, run_id)
    finally:
        gate.give_back_lane(holder=lane.holder)
    return len(waiting)


def _take(
    target_id: int, profile: Profile, limit: int, batch_id: int | None
) -> tuple[list[_Waiting], gate.TakenLane] | None:
    with transaction.atomic():
        allowed = gate.allowance(target_id=target_id, profile=profile, wanted=limit, reads=True)
        waiting = _waiting(target_id, profile, allowed, batch_id) if allowed else []
        lane = gate.take_lane(target_id=target_id, profile=profile) if waiting else None
        if lane is None:
            transaction.set_rollback(True)
            return None
        gate.spend(target_id=target_id, profile=profile, count=len(waiting), reads=True)
    return waiting, lane


def _waiting(target_id: int, profile: Profile, limit: int, batch_id: int | None) -> list[_Waiting]:
    with connection.cursor() as cursor:
        cursor.execute(
            _TAKE,
            {
                "target": target_id,
                "batch": batch_id,
                "limit": limit,
                "hold": profile.deadline_s * limit + 1.0,
            },
        )
        return [
            _Waiting(
                action_id=row[0],
                project_id=row[1],
                revision=row[2],
                look_ups=row[3],
                since=row[4],
                original_id=row[5],
                kind=Kind(row[6]),
                original=Original(row[7], row[8], ""),
                payload=json.loads(row[9]) if isinstance(row[9], str) else row[9],
            )
            for row in cursor.fetchall()
        ]


def _read(one: _Waiting, connector: Connector, profile: Profile) -> Look:
    """Found: our text stands there. Everything else is no basis for an update."""
    request = LookUpRequest(one.kind, one.original.marker, "", profile.deadline_s, one.original.result_id)
    try:
        read = connector.read(kind=one.kind, result_id=one.original.result_id, deadline_s=profile.deadline_s)
        # judged by all of its text: what is kept as evidence may be its beginning only
        look = trusted_look(request, updating.judged(read, original=one.original, payload=one.payload))
    except Exception as error:  # a fault in a connector tells nothing about the target
        logger.exception("connector failed", extra={"action": one.action_id})
        return Look(
            Verdict.CANNOT_TELL, "", complete=False, code="connector-error", detail=type(error).__name__
        )
    if look.verdict == Verdict.FOUND and not look.objects[0].version:
        return replace(look, verdict=Verdict.CANNOT_TELL, complete=False, code=VERSION_UNKNOWN)
    return look


def _record(one: _Waiting, look: Look, looked_at: datetime, profile: Profile, run_id: int | None) -> None:
    now = database_now()
    with transaction.atomic():
        Observation.objects.create(
            project_id=one.project_id,
            action_id=one.action_id,
            run_id=run_id,
            verdict=look.verdict,
            method=look.method[:100],
            complete=look.complete,
            code=look.code[:60],
            http_status=look.http_status,
            objects_seen=[as_json(found) for found in look.objects],
            candidates=[as_json(found) for found in look.candidates],
            detail=look.detail[:500],
            looked_at=looked_at,
            recorded_at=now,
        )
        if look.verdict == Verdict.FOUND:
            Action.objects.filter(pk=one.original_id, state=State.CONFIRMED, result_version="").update(
                result_version=look.objects[0].version
            )
            _put(one, NextStep.PERFORM, now)
        elif look.code in updating.FOR_A_PERSON or look.code == VERSION_UNKNOWN:
            _put(one, NextStep.PERSON, now, reason=look.code)
        elif now >= one.since + timedelta(seconds=profile.patience_s):
            _put(one, NextStep.PERSON, now, reason="target-cannot-tell")
        else:
            _put(one, NextStep.PERFORM, now + timedelta(seconds=pause_s(profile, one.look_ups)))


def _put(one: _Waiting, step: NextStep, at: datetime, *, reason: str = "") -> None:
    reschedule(
        action_id=one.action_id, revision=one.revision, next_step=step, at=at, looked=True, reason=reason
    )
