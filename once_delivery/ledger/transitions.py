"""The only writer of an action's state: one guarded UPDATE with its event, set by set (R10).

A move that finds its row changed meanwhile does nothing and is not among the returned IDs: the loser leaves.
Claiming (planned → sending) is the same statement with its own choice of rows: see claims.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from once_delivery.ledger.states import FINAL, NextStep, State


@dataclass(frozen=True, slots=True)
class Actor:
    """Who changes something: a person, or a part of the program by its name."""

    name: str
    user_id: int | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """One change of state. Guarded by ``source`` and by the revision or the lease token."""

    action_id: int
    source: State
    to: State
    reason: str
    revision: int | None = None
    lease_token: UUID | None = None
    next_step: NextStep = NextStep.NONE
    next_step_at: datetime | None = None
    result_id: str = ""
    result_url: str = ""
    new_key: bool = False  # a new generation of the idempotency key
    released: bool = False  # the send never left
    check_due_at: datetime | None = None
    result_version: str = ""
    base_version: str = ""  # of an update: the state that it is for from now on
    presence: str = "unchecked"  # of what is confirmed: an answer is not yet a look at the target
    data: dict[str, Any] = field(default_factory=dict)


_MOVE = """
WITH wanted AS (
    SELECT * FROM unnest(
        %(ids)s::bigint[], %(sources)s::text[], %(revisions)s::int[], %(tokens)s::uuid[], %(tos)s::text[],
        %(reasons)s::text[], %(steps)s::text[], %(step_ats)s::timestamptz[], %(results)s::text[], %(urls)s::text[],
        %(new_keys)s::boolean[], %(released)s::boolean[], %(checks)s::timestamptz[], %(presences)s::text[], %(data)s::text[],
        %(versions)s::text[], %(bases)s::text[]
    ) AS w(id, source, revision, token, target_state, reason, step, step_at, result_id, result_url,
           new_key, released, check_due_at, presence, data, result_version, base_version)
), moved AS (
    UPDATE ledger_action a SET
        state = w.target_state, revision = a.revision + 1, reason = w.reason,
        next_step = CASE WHEN NOT a.by_permit OR w.step NOT IN ('perform', 'replay') THEN w.step
                         WHEN w.target_state = 'uncertain' THEN 'look_up' ELSE 'wait' END,
        next_step_at = w.step_at, lease_token = NULL, lease_until = NULL,
        result_id = CASE WHEN w.result_id <> '' THEN w.result_id ELSE a.result_id END,
        result_url = CASE WHEN w.result_url <> '' THEN w.result_url ELSE a.result_url END,
        result_version = CASE WHEN w.result_version <> '' THEN w.result_version ELSE a.result_version END,
        base_version = CASE WHEN w.base_version <> '' THEN w.base_version ELSE a.base_version END,
        key_generation = a.key_generation + w.new_key::int,
        releases = a.releases + w.released::int,
        confirmed_at = CASE WHEN w.target_state = 'confirmed' THEN clock_timestamp() ELSE a.confirmed_at END,
        presence = CASE WHEN w.target_state = 'confirmed' THEN w.presence ELSE a.presence END,
        checked_at = CASE WHEN w.target_state = 'confirmed' AND w.presence <> 'unchecked' THEN clock_timestamp()
                          ELSE a.checked_at END,
        -- an updated object carries another action's marker: it is counted for that one
        check_due_at = CASE WHEN a.object_marker <> '' THEN NULL ELSE coalesce(w.check_due_at, a.check_due_at) END,
        state_since = clock_timestamp()
    FROM wanted w
    WHERE a.id = w.id AND a.state = w.source
      AND (w.revision IS NULL OR a.revision = w.revision)
      AND (w.token IS NULL OR a.lease_token = w.token)
    RETURNING a.id, a.project_id, a.revision, w.source, w.target_state, w.reason, w.data, w.step
), told AS (
    SELECT m.*, CASE WHEN m.target_state IN ('confirmed', 'uncertain', 'refused') THEN 'delivery.' || m.target_state
                     WHEN m.step = 'person' THEN 'delivery.person' END AS event
    FROM moved m
), news AS (
    INSERT INTO ledger_news (project_id, action_id, event, revision, reason, at)
    SELECT project_id, id, event, revision, reason, clock_timestamp() FROM told
    WHERE event IS NOT NULL AND EXISTS (
        SELECT 1 FROM notices_route r
        WHERE r.project_id = told.project_id AND r.active AND r.events @> to_jsonb(event))
)
INSERT INTO ledger_event (project_id, action_id, run_id, kind, revision, from_state, to_state, reason, actor, user_id,
                          data, at)
SELECT project_id, id, %(run)s, 'state', revision, source, target_state, reason, %(actor)s, %(user)s,
       data::jsonb, clock_timestamp()
FROM moved
RETURNING action_id
"""


def lock(action_ids: Iterable[int]) -> None:
    """Hold these rows to the end of the transaction: in the order of their IDs, so that no two groups wait for each other."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM ledger_action WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE",
            [list(action_ids)],
        )


def move(moves: Sequence[Move], *, actor: Actor, run_id: int | None = None) -> set[int]:
    """Make these changes of state, each with its event, in one statement; returns the IDs that were moved.

    Every move needs a guard (revision or lease token). At most one move an action. Raises IntegrityError
    (rule ``known_arrows_only``) for an arrow that does not exist, and then the whole transaction changes nothing.
    """
    if not moves:
        return set()
    for one in moves:
        if one.revision is None and one.lease_token is None:
            raise AssertionError("a move without a guard")
        if (one.to in FINAL) != (one.next_step == NextStep.NONE):
            raise AssertionError(f"{one.to} with next step {one.next_step}")
    # locks are taken in the order of the IDs, everywhere, so that two groups cannot wait for each other
    moves = sorted(moves, key=lambda one: one.action_id)
    parameters: dict[str, Any] = {
        "ids": [one.action_id for one in moves],
        "sources": [str(one.source) for one in moves],
        "revisions": [one.revision for one in moves],
        "tokens": [one.lease_token for one in moves],
        "tos": [str(one.to) for one in moves],
        "reasons": [one.reason for one in moves],
        "steps": [str(one.next_step) for one in moves],
        "step_ats": [one.next_step_at for one in moves],
        "results": [one.result_id for one in moves],
        "urls": [one.result_url for one in moves],
        "new_keys": [one.new_key for one in moves],
        "released": [one.released for one in moves],
        "checks": [one.check_due_at for one in moves],
        "presences": [one.presence for one in moves],
        "versions": [one.result_version for one in moves],
        "bases": [one.base_version for one in moves],
        "data": [json.dumps(one.data) for one in moves],
        "run": run_id,
        "actor": actor.name,
        "user": actor.user_id,
    }
    with transaction.atomic(savepoint=False), connection.cursor() as cursor:
        cursor.execute(_MOVE, parameters)
        return {row[0] for row in cursor.fetchall()}


def note(
    *,
    action_id: int,
    project_id: int,
    kind: str,
    reason: str,
    actor: Actor,
    run_id: int | None = None,
    data: dict[str, Any] | None = None,
) -> None:
    """Write an event that is no change of state (a late answer, a duplicate that was seen)."""
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO ledger_event (project_id, action_id, run_id, kind, from_state, to_state, reason, actor,
                                         user_id, data, at)
               VALUES (%s, %s, %s, %s, '', '', %s, %s, %s, %s::jsonb, clock_timestamp())""",
            [project_id, action_id, run_id, kind, reason, actor.name, actor.user_id, json.dumps(data or {})],
        )


def reschedule(
    *,
    action_id: int,
    revision: int,
    next_step: NextStep,
    at: datetime,
    looked: bool = False,
    reason: str = "",
) -> bool:
    """Change what comes next (and why) without changing the state; False when the row changed meanwhile."""
    with connection.cursor() as cursor:
        cursor.execute(
            """UPDATE ledger_action SET
                      next_step = CASE WHEN NOT by_permit OR %s NOT IN ('perform', 'replay') THEN %s
                                       WHEN state = 'uncertain' THEN 'look_up' ELSE 'wait' END,
                      next_step_at = %s, look_ups = look_ups + %s,
                      reason = CASE WHEN %s = '' THEN reason ELSE %s END
               WHERE id = %s AND revision = %s AND state NOT IN ('sending', 'confirmed', 'superseded', 'cancelled')""",
            [str(next_step), str(next_step), at, int(looked), reason, reason, action_id, revision],
        )
        return bool(cursor.rowcount == 1)
