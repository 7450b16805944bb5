"""Taking work: a lane of the target, then a group of due actions and their intents, in one transaction (R1, R2).

Whoever gets rows back holds them alone until the lease ends by the database's clock. Nothing has been sent yet.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import DatabaseError, InterfaceError, connection, transaction

from once_delivery.ledger import gate
from once_delivery.ledger.clock import process_name
from once_delivery.ledger.states import State
from once_delivery.ledger.transitions import Actor
from once_delivery.targets.base import Original
from once_delivery.targets.profile import Profile
from once_delivery.targets.refutations import kinds_held_back


@dataclass(frozen=True, slots=True)
class Claimed:
    """One action that this process may send for, until ``lease_until``."""

    action_id: int
    project_id: int
    token: UUID
    came_from: State
    revision: int
    kind: str
    marker: str
    client_id: UUID
    key_generation: int
    payload: dict[str, Any]
    lease_until: datetime
    number: int  # of the attempt
    original: Original | None = None  # the draft that is updated; None: one is created

    @property
    def replay(self) -> bool:
        """Sent again under the target's protection: an earlier request may have arrived."""
        return self.came_from == State.UNCERTAIN


@dataclass(frozen=True, slots=True)
class Group:
    """What one process sends together."""

    lane: UUID
    threads: int
    items: tuple[Claimed, ...]


_CLAIM = """
WITH due AS (
    SELECT a.id, a.state AS source, a.next_step_at AS due_at, o.result_id AS original_id,
           o.result_version AS version, coalesce(nullif(o.object_marker, ''), o.marker) AS object_marker
    FROM ledger_action a LEFT JOIN ledger_action o ON o.id = a.original_id AND o.state = 'confirmed'
    WHERE a.target_id = %(target)s AND a.next_step IN ('perform', 'replay') AND a.next_step_at <= clock_timestamp()
      AND a.state IN ('planned', 'refused', 'uncertain') AND a.kind <> ALL(%(held)s)
      AND NOT once_awaits_look(a.id, a.created_at)
      AND (%(batch)s::bigint IS NULL OR EXISTS (
            SELECT 1 FROM ledger_batchtask r WHERE r.task_id = a.task_id AND r.batch_id = %(batch)s))
      AND NOT EXISTS (
            SELECT 1 FROM ledger_actionneed n JOIN ledger_action d ON d.id = n.needs_id
            WHERE n.action_id = a.id AND (
                (n.condition = 'result' AND d.state <> 'confirmed')
                OR (n.condition = 'settled' AND d.state IN ('sending', 'accepted', 'uncertain', 'reconcile'))))
      AND (o.id IS NULL OR a.base_version <> '' OR o.result_version <> '')
      AND (o.id IS NULL OR 'update_draft' <> ALL(%(held)s))
    ORDER BY a.next_step_at, a.id
    LIMIT %(limit)s
    FOR UPDATE OF a SKIP LOCKED
), claimed AS (
    UPDATE ledger_action a SET
        state = 'sending', revision = a.revision + 1, reason = 'claimed', sends = a.sends + 1, look_ups = 0,
        lease_token = gen_random_uuid(), lease_until = clock_timestamp() + %(lease)s * interval '1 second',
        next_step = 'wait', next_step_at = clock_timestamp() + %(lease)s * interval '1 second',
        state_since = clock_timestamp(), object_marker = coalesce(due.object_marker, ''),
        base_version = CASE WHEN due.object_marker IS NULL THEN ''
                            WHEN a.base_version <> '' THEN a.base_version ELSE due.version END
    FROM due WHERE a.id = due.id
    RETURNING a.id, a.project_id, a.lease_token, due.source, a.revision, a.kind, a.marker, a.client_id,
              a.key_generation, a.payload, a.lease_until, a.sends, due.original_id, a.object_marker, a.base_version,
              due.due_at
), intents AS (
    INSERT INTO ledger_attempt (token, project_id, action_id, run_id, number, replay, key_generation, sender,
                                intended_at, lease_until, effect, base_version)
    SELECT lease_token, project_id, id, %(run)s, sends, source = 'uncertain', key_generation, %(sender)s,
           clock_timestamp(), lease_until, CASE WHEN object_marker <> '' THEN 'update_draft' ELSE kind END, base_version
    FROM claimed
), events AS (
    INSERT INTO ledger_event (project_id, action_id, run_id, kind, revision, from_state, to_state, reason, actor,
                              user_id, data, at)
    SELECT project_id, id, %(run)s, 'state', revision, source, 'sending',
           CASE WHEN source = 'uncertain' THEN 'replay' ELSE 'claimed' END, %(actor)s, %(user)s, '{}',
           clock_timestamp()
    FROM claimed
)
SELECT id, project_id, lease_token, source, revision, kind, marker, client_id, key_generation, payload, lease_until,
       sends, original_id, object_marker, base_version
FROM claimed
ORDER BY due_at, id  -- an UPDATE returns its rows in whatever order the plan met them
"""


class ClaimUnknownError(Exception):
    """Whether the claim of ``group`` was committed is not known; nothing of it may be sent."""

    def __init__(self, group: Group) -> None:
        super().__init__("claim unknown")
        self.group = group


def claim_group(
    *, target_id: int, profile: Profile, run_id: int, actor: Actor, limit: int, batch_id: int | None = None
) -> Group | None:
    """Take a lane and up to ``limit`` due actions of one target, their intents committed; None when there is none.

    What a probe found to be unprotected is left where it is, by what is known at this moment.
    A database error means that nothing may be sent: ClaimUnknownError when it came during the commit.
    """
    parameters: dict[str, Any] = {
        "target": target_id,
        "batch": batch_id,
        "lease": profile.lease_s,
        "run": run_id,
        "sender": process_name(),
        "actor": actor.name,
        "user": actor.user_id,
    }
    group: Group | None = None
    try:
        with transaction.atomic():
            allowed = gate.allowance(target_id=target_id, profile=profile, wanted=limit)
            if allowed < 1:
                return None
            lane = gate.take_lane(target_id=target_id, profile=profile)
            if lane is None:
                return None
            items = _claim(parameters | {"limit": allowed, "held": kinds_held_back(target_id)})
            if not items:
                transaction.set_rollback(True)
                return None
            gate.spend(target_id=target_id, profile=profile, count=len(items))
            group = Group(lane=lane.holder, threads=lane.threads, items=items)
    except (DatabaseError, InterfaceError) as error:
        if group is None:
            raise
        raise ClaimUnknownError(group) from error
    return group


def _claim(parameters: dict[str, Any]) -> tuple[Claimed, ...]:
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, parameters)
        return tuple(claimed_of(row) for row in cursor.fetchall())


def claimed_of(row: tuple[Any, ...]) -> Claimed:
    """What the columns of a claim say, in the order of ``Claimed``; the last three are of the original, or NULL."""
    return Claimed(
        action_id=row[0],
        project_id=row[1],
        token=row[2],
        came_from=State(row[3]),
        revision=row[4],
        kind=row[5],
        marker=row[6],
        client_id=row[7],
        key_generation=row[8],
        payload=json.loads(row[9]) if isinstance(row[9], str) else row[9],
        lease_until=row[10],
        number=row[11],
        original=Original(row[12], row[13], row[14]) if row[13] else None,
    )
