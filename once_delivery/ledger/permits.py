"""Taking one action for somebody outside: intent, permit and event in one statement, as claims.py does for our own (R1, R2).

Nothing is answered before it is committed. The attempt's token never leaves; the permit's secret stands for it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from once_delivery.ledger.claims import Claimed, claimed_of
from once_delivery.ledger.clock import process_name
from once_delivery.ledger.models import Permit
from once_delivery.ledger.states import State
from once_delivery.ledger.transitions import Actor
from once_delivery.targets.base import Outcome
from once_delivery.targets.models import Target
from once_delivery.targets.profile import Profile


@dataclass(frozen=True, slots=True)
class Taken:
    """What was taken: the attempt that is now somebody's to make."""

    attempt_id: int
    number: int
    key_generation: int
    lease_until: datetime
    replay: bool


_TAKE = """
WITH taken AS (
    UPDATE ledger_action a SET
        state = 'sending', revision = a.revision + 1, reason = %(reason)s, sends = a.sends + 1, look_ups = 0,
        lease_token = gen_random_uuid(), lease_until = clock_timestamp() + %(lease)s * interval '1 second',
        next_step = 'wait', next_step_at = clock_timestamp() + %(lease)s * interval '1 second',
        state_since = clock_timestamp()
    WHERE a.id = %(action)s AND a.revision = %(revision)s AND a.state = %(source)s AND a.by_permit
    RETURNING a.id, a.project_id, a.lease_token, a.revision, a.kind, a.key_generation, a.lease_until, a.sends
), intent AS (
    INSERT INTO ledger_attempt (token, project_id, action_id, run_id, number, replay, key_generation, sender,
                                intended_at, lease_until, effect)
    SELECT lease_token, project_id, id, %(run)s, sends, %(source)s = 'uncertain', key_generation, %(sender)s,
           clock_timestamp(), lease_until, kind
    FROM taken
    RETURNING id, number, key_generation, lease_until
), permit AS (
    INSERT INTO ledger_permit (project_id, action_id, attempt_id, run_id, kind, secret_hash, revision, given_to,
                               given_at, lease_until, reported)
    SELECT taken.project_id, taken.id, intent.id, %(run)s, 'perform', %(hash)s, taken.revision, %(actor)s,
           clock_timestamp(), taken.lease_until, ''
    FROM taken, intent
), event AS (
    INSERT INTO ledger_event (project_id, action_id, run_id, kind, revision, from_state, to_state, reason, actor,
                              user_id, data, at)
    SELECT project_id, id, %(run)s, 'state', revision, %(source)s, 'sending', %(reason)s, %(actor)s, %(user)s,
           '{}', clock_timestamp()
    FROM taken
)
SELECT id, number, key_generation, lease_until FROM intent
"""


def take(
    *,
    action_id: int,
    source: State,
    revision: int,
    run_id: int,
    lease_s: float,
    secret_hash: str,
    actor: Actor,
) -> Taken | None:
    """The attempt, or None when the action changed meanwhile. To be called with the action's row locked."""
    replay = source == State.UNCERTAIN
    parameters: dict[str, Any] = {
        "action": action_id,
        "source": str(source),
        "revision": revision,
        "run": run_id,
        "lease": lease_s,
        "hash": secret_hash,
        "sender": f"permit:{process_name()}"[:100],
        "reason": "permit-replay" if replay else "permit-given",
        "actor": actor.name,
        "user": actor.user_id,
    }
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, parameters)
        row = cursor.fetchone()
    return Taken(row[0], row[1], row[2], row[3], replay=replay) if row is not None else None


_BEAT = """
WITH beaten AS (
    UPDATE ledger_action a SET
        lease_until = greatest(a.lease_until, clock_timestamp() + %(lease)s * interval '1 second'),
        next_step_at = greatest(a.lease_until, clock_timestamp() + %(lease)s * interval '1 second')
    WHERE a.id = %(action)s AND a.lease_token = %(token)s AND a.state = 'sending'
      AND a.lease_until > clock_timestamp()
    RETURNING a.lease_until
)
UPDATE ledger_permit p SET lease_until = beaten.lease_until FROM beaten WHERE p.id = %(permit)s
RETURNING p.lease_until
"""


def beat(*, permit: Permit, token: UUID, lease_s: float) -> datetime | None:
    """The new end of the lease; None when it is over already, or another's."""
    with connection.cursor() as cursor:
        cursor.execute(
            _BEAT, {"action": permit.action_id, "token": token, "lease": lease_s, "permit": permit.pk}
        )
        row = cursor.fetchone()
    end: datetime | None = row[0] if row else None
    return end


@dataclass(frozen=True, slots=True)
class Before:
    """What was reported of the attempt last."""

    outcome: Outcome
    code: str
    result_id: str
    late: bool


@dataclass(frozen=True, slots=True)
class Held:
    """The attempt of a permit, as if one of our own senders had made it, and what its report is judged by.

    ``is_anothers``: the result that is named is the one of another action at this target.
    """

    claimed: Claimed
    profile: Profile
    is_anothers: bool
    before: Before | None


_HELD = """
SELECT a.id, a.project_id, t.token, CASE WHEN t.replay THEN 'uncertain' ELSE 'planned' END, a.revision, a.kind,
       a.marker, a.client_id, t.key_generation, a.payload, p.lease_until, t.number, NULL, NULL, NULL,
       g.profile_data::text, g.refuted::text,
       %(result)s <> '' AND EXISTS (
           SELECT FROM ledger_action o WHERE o.project_id = a.project_id AND o.result_id = %(result)s AND o.result_id <> ''
             AND o.target_id = a.target_id AND o.kind = a.kind AND o.id <> a.id),
       r.outcome, r.code, r.result_id, r.late
FROM ledger_permit p JOIN ledger_attempt t ON t.id = p.attempt_id JOIN ledger_action a ON a.id = p.action_id
JOIN targets_target g ON g.id = a.target_id
LEFT JOIN LATERAL (
    SELECT outcome, code, result_id, late FROM ledger_receipt r WHERE r.attempt_id = t.id ORDER BY r.id DESC LIMIT 1
) r ON true
WHERE p.id = %(permit)s
"""


def held_under(permit: Permit, *, result_id: str) -> Held:
    """To be asked with the action's row locked, for a report that names this result ("" where it names none)."""
    with connection.cursor() as cursor:
        cursor.execute(_HELD, {"permit": permit.pk, "result": result_id})
        row = cursor.fetchone()
    profile, refuted, is_anothers, outcome, *said = row[15:]
    return Held(
        claimed=claimed_of(row[:15]),
        profile=Target(profile_data=json.loads(profile), refuted=json.loads(refuted)).profile,
        is_anothers=is_anothers,
        before=Before(Outcome(outcome), *said) if outcome else None,
    )


def note_report(permit: Permit, outcome: str) -> None:
    """The last thing that was reported for it, and when."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE ledger_permit SET reported = %s, reported_at = clock_timestamp() WHERE id = %s",
            [outcome, permit.pk],
        )
