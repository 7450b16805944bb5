"""Take look-ups that are due: two processes need not ask the same thing, though it would harm nothing."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from once_delivery.ledger.states import State
from once_delivery.targets.base import Kind, LookUpRequest, Original
from once_delivery.targets.profile import Profile


@dataclass(frozen=True, slots=True)
class DueLook:
    """One look-up to be made; ``revision`` guards what is concluded from it."""

    action_id: int
    project_id: int
    state: State
    revision: int
    look_ups: int
    sends: int
    looked_at: datetime  # the database's clock, before the look begins
    request: LookUpRequest


# An UPDATE returns its rows in whatever order the plan met them; the last line puts them in that of their times.
_TAKE = """
WITH due AS (
    SELECT a.id, a.{moment} AS due_at FROM ledger_action a
    WHERE a.target_id = %(target)s AND a.{moment} <= clock_timestamp() AND {wanted}
      AND (%(batch)s::bigint IS NULL OR EXISTS (
            SELECT 1 FROM ledger_batchtask r WHERE r.task_id = a.task_id AND r.batch_id = %(batch)s))
    ORDER BY a.{moment}, a.id LIMIT %(limit)s FOR UPDATE OF a SKIP LOCKED
), taken AS (
    UPDATE ledger_action a SET {moment} = clock_timestamp() + %(hold)s * interval '1 second'
    FROM due WHERE a.id = due.id
    RETURNING a.id, a.project_id, a.state, a.revision, a.look_ups, clock_timestamp() AS looked_at, a.kind, a.marker,
              a.client_id, a.result_id, a.payload, a.sends, a.object_marker, a.base_version,
              (SELECT o.result_id FROM ledger_action o WHERE o.id = a.original_id) AS original_result, due.due_at
)
SELECT id, project_id, state, revision, look_ups, looked_at, kind, marker, client_id, result_id, payload, sends,
       object_marker, base_version, original_result
FROM taken ORDER BY due_at, id
"""
_TAKE_OPEN = _TAKE.format(
    moment="next_step_at",
    wanted="a.next_step = 'look_up' AND a.state IN ('uncertain', 'accepted', 'reconcile')",
)
_TAKE_CHECKS = _TAKE.format(moment="check_due_at", wanted="a.state = 'confirmed'")


def take_due_looks(
    *, target_id: int, profile: Profile, limit: int, batch_id: int | None = None, checks: bool = False
) -> list[DueLook]:
    """Up to ``limit`` look-ups that are due, put off for one deadline so that others leave them alone.

    ``checks``: look-ups of confirmed actions whose target is to be counted, instead of open ones.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            _TAKE_CHECKS if checks else _TAKE_OPEN,
            {"target": target_id, "batch": batch_id, "limit": limit, "hold": profile.deadline_s + 1.0},
        )
        return [_due(row, profile, counting=checks) for row in cursor.fetchall()]


def _due(row: tuple[Any, ...], profile: Profile, *, counting: bool) -> DueLook:
    original = Original(row[14], row[12], row[13]) if row[12] else None
    result_id = original.result_id if original else row[9]
    return DueLook(
        action_id=row[0],
        project_id=row[1],
        state=State(row[2]),
        revision=row[3],
        look_ups=row[4],
        sends=row[11],
        looked_at=row[5],
        request=LookUpRequest(
            kind=Kind.UPDATE_DRAFT if original else Kind(row[6]),
            marker=row[7],
            client_id=str(row[8]),
            deadline_s=profile.deadline_s,
            # a count asks by the marker alone: reading one known ID would never show a second
            result_id="" if counting else result_id,
            payload=json.loads(row[10]) if isinstance(row[10], str) else row[10],
            original=original,
        ),
    )
