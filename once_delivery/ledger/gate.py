"""A target's limits, kept over all processes: lanes (concurrency), rate, Retry-After, and the breaker.

All of it is one short transaction on the target's gate row, before anything is claimed, so that a target that
is down burns no attempt and a target with a limit never sees more than its profile says.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from django.db import connection

from once_delivery.targets.profile import Profile

LANE_SIZE = 4  # senders of one lane; a target's concurrency is cut into lanes of at most this size
BREAKER_AFTER = 5  # failures in a row
BREAKER_FIRST_S = 5.0
BREAKER_LONGEST_S = 300.0


@dataclass(frozen=True, slots=True)
class TakenLane:
    """A share of a target's concurrency."""

    holder: UUID
    threads: int


# A process that is frozen while it holds the row would hold up the whole target: PostgreSQL ends its transaction
# when it says nothing for as long as a lease (it could not send under that lease any more).
_LOCK = """
INSERT INTO ledger_gate AS g (target_id, failures, opened, tokens) VALUES (%(target)s, 0, 0, 0)
ON CONFLICT (target_id) DO UPDATE SET target_id = g.target_id
RETURNING not_before > clock_timestamp(), open_until > clock_timestamp(), open_until IS NOT NULL,
    tokens, extract(epoch FROM clock_timestamp() - tokens_at)::float8,
    set_config('idle_in_transaction_session_timeout', %(patience_ms)s::text, true)
"""


def allowance(*, target_id: int, profile: Profile, wanted: int, reads: bool = False) -> int:
    """How many requests may be made now (0 when the target must be left alone). Locks the gate row.

    Look-ups (``reads``) pass an open breaker: they burn no attempt.
    """
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, {"target": target_id, "patience_ms": int(profile.lease_s * 1000)})
        told_to_wait, is_open, was_open, tokens, elapsed, _ = cursor.fetchone()
    if told_to_wait or (is_open and not reads):
        return 0
    if was_open and not reads:
        wanted = 1  # half open: one action tries the target
    if profile.rate_per_s is None:
        return wanted
    burst = max(1.0, profile.rate_per_s)
    full = burst if elapsed is None else min(burst, tokens + elapsed * profile.rate_per_s)
    return min(wanted, int(full))


def spend(*, target_id: int, profile: Profile, count: int, reads: bool = False) -> None:
    """Take ``count`` tokens of the rate, and let only one try through while the breaker is half open."""
    rate = profile.rate_per_s or 0.0
    with connection.cursor() as cursor:
        cursor.execute(
            """UPDATE ledger_gate SET
                   tokens = CASE WHEN %(rate)s::float8 = 0 THEN 0 ELSE least(
                       greatest(1.0, %(rate)s), coalesce(tokens + extract(epoch FROM clock_timestamp() - tokens_at)
                       * %(rate)s, greatest(1.0, %(rate)s))) - %(count)s END,
                   tokens_at = clock_timestamp(),
                   open_until = CASE WHEN open_until IS NULL OR %(reads)s THEN open_until
                                     ELSE clock_timestamp() + %(lease)s * interval '1 second' END
               WHERE target_id = %(target)s""",
            {"rate": rate, "count": count, "target": target_id, "lease": profile.lease_s, "reads": reads},
        )


def take_lane(*, target_id: int, profile: Profile) -> TakenLane | None:
    """Hold a free lane for one lease; None when all of them are held."""
    lanes = -(-profile.concurrency // LANE_SIZE)
    holder = uuid4()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM ledger_lane WHERE target_id = %s AND index < %s", [target_id, lanes]
        )
        if cursor.fetchone()[0] < lanes:  # the gate row is locked, so no other process adds lanes now
            cursor.execute(
                """INSERT INTO ledger_lane (target_id, index) SELECT %s, generate_series(0, %s)
                   ON CONFLICT (target_id, index) DO NOTHING""",
                [target_id, lanes - 1],
            )
        cursor.execute(
            """UPDATE ledger_lane SET holder = %(holder)s,
                      held_until = clock_timestamp() + %(lease)s * interval '1 second'
               WHERE id = (SELECT id FROM ledger_lane
                           WHERE target_id = %(target)s AND index < %(lanes)s
                             AND coalesce(held_until, '-infinity') < clock_timestamp()
                           ORDER BY index LIMIT 1 FOR UPDATE SKIP LOCKED)
               RETURNING index""",
            {"holder": holder, "lease": profile.lease_s, "target": target_id, "lanes": lanes},
        )
        row = cursor.fetchone()
    if row is None:
        return None
    return TakenLane(holder=holder, threads=min(LANE_SIZE, profile.concurrency - row[0] * LANE_SIZE))


def give_back_lane(*, holder: UUID) -> None:
    """The group is over: others may use the lane."""
    with connection.cursor() as cursor:
        cursor.execute("UPDATE ledger_lane SET held_until = NULL, holder = NULL WHERE holder = %s", [holder])


def heard(*, target_id: int, answered: int, failed: int, retry_after_s: float | None) -> None:
    """Tell the gate how a group of requests went: any answer closes the breaker, failures in a row open it.

    Of look-ups only what they were asked to wait is told: what can be read need not be writable.
    """
    with connection.cursor() as cursor:
        if retry_after_s is not None:
            cursor.execute(
                """UPDATE ledger_gate SET not_before =
                       greatest(not_before, clock_timestamp() + %s * interval '1 second') WHERE target_id = %s""",
                [retry_after_s, target_id],
            )
        if answered:
            cursor.execute(
                """UPDATE ledger_gate SET failures = 0, opened = 0, open_until = NULL
                   WHERE target_id = %s AND (failures > 0 OR opened > 0 OR open_until IS NOT NULL)""",
                [target_id],
            )
        elif failed:
            cursor.execute(
                """UPDATE ledger_gate SET failures = failures + %(failed)s,
                       opened = opened + (failures + %(failed)s >= %(after)s)::int,
                       open_until = CASE WHEN failures + %(failed)s >= %(after)s
                           THEN clock_timestamp()
                                + least(%(first)s * 2 ^ least(opened, 20), %(longest)s) * interval '1 second'
                           ELSE open_until END
                   WHERE target_id = %(target)s""",
                {
                    "failed": failed,
                    "after": BREAKER_AFTER,
                    "first": BREAKER_FIRST_S,
                    "longest": BREAKER_LONGEST_S,
                    "target": target_id,
                },
            )


def opens_at(*, target_id: int) -> datetime | None:
    """When the target may be asked again, None when it may now."""
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT greatest(not_before, open_until) FROM ledger_gate
               WHERE target_id = %s AND greatest(not_before, open_until) > clock_timestamp()""",
            [target_id],
        )
        row = cursor.fetchone()
    moment: datetime | None = row[0] if row else None
    return moment
