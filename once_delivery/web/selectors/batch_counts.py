"""Where the actions of a batch stand, and which runs touched them: all of them are read once, by PostgreSQL."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from once_delivery.ledger.models import Batch
from once_delivery.ledger.states import State
from once_delivery.web.selectors.states import Tally

_READ = """
WITH acts AS MATERIALIZED (
    SELECT a.id, a.target_id, a.state, a.next_step, a.presence, a.checked_at, a.state_since,
           a.state = %(waits)s AND a.reason = %(many)s AS twice
    FROM ledger_batchtask r JOIN ledger_action a ON a.task_id = r.task_id WHERE r.batch_id = %(batch)s
), began AS (
    SELECT started_at FROM ledger_run WHERE batch_id = %(batch)s AND status = 'running'
    ORDER BY started_at DESC, id DESC LIMIT 1
)
SELECT target_id, state, next_step, presence, twice, count(*),
       count(*) FILTER (WHERE state_since >= (SELECT started_at FROM began)), max(checked_at),
       -- by all their IDs at once: the index is walked, not asked ten thousand times
       ARRAY(SELECT DISTINCT run_id FROM ledger_attempt WHERE action_id = ANY(ARRAY(SELECT id FROM acts)))
FROM acts GROUP BY target_id, state, next_step, presence, twice
"""


@dataclass(frozen=True, slots=True)
class Alike:
    """Actions of one target that stand alike: ``many``; of these since the run that is on began; checked last when.

    ``twice``: more than one object was found there, and a person has not yet said which of them it is.
    """

    target_id: int
    state: str
    next_step: str
    presence: str
    twice: bool
    many: int
    since_began: int
    checked_at: datetime | None


@dataclass(frozen=True, slots=True)
class BatchCounts:
    """All actions of a batch, and the IDs of the runs that sent something for one of them."""

    groups: Sequence[Alike]
    run_ids: Sequence[int]

    @property
    def tally(self) -> Tally:
        by_state: Counter[str] = Counter()
        for one in self.groups:
            by_state[one.state] += one.many
        return Tally(dict(by_state))


def counts_of_batch(batch: Batch) -> BatchCounts:
    """One query."""
    with connection.cursor() as cursor:
        cursor.execute(_READ, {"batch": batch.pk, "waits": State.RECONCILE, "many": "found-many"})
        rows = cursor.fetchall()
    return BatchCounts([Alike(*row[:-1]) for row in rows], rows[0][-1] or [] if rows else [])
