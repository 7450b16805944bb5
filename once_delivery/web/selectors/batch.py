"""Everything on the page of one batch. The number of queries does not grow with the batch."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from django.db.models import Sum

from once_delivery.ledger.models import Batch, BatchTask
from once_delivery.web.selectors.batch_counts import counts_of_batch
from once_delivery.web.selectors.deliveries import Deliveries, Within, deliveries_of
from once_delivery.web.selectors.matrix import Matrix, matrix_of
from once_delivery.web.selectors.outlook import Outlook, Progress, outlook_of, progress_of
from once_delivery.web.selectors.plan import Plan, plan_of
from once_delivery.web.selectors.runs import Runs, runs_of
from once_delivery.web.selectors.states import Tally
from once_delivery.web.selectors.tallies import sizes_of
from once_delivery.web.selectors.truth import Held, held_of

LARGE = 2_000  # actions


@dataclass(frozen=True, slots=True)
class BatchNow:
    """The batch at this moment. Runs and deliveries stand beside each other and are never mixed."""

    runs: Runs
    deliveries: Deliveries
    matrix: Matrix
    tally: Tally
    plan: Plan | Outlook  # the whole plan of a large batch is read on its own page
    progress: Progress | None
    held: list[Held]
    task_count: int
    repeats: int

    @property
    def moving(self) -> bool:
        """Something is under way. A run whose process was killed still says "running": it alone proves nothing."""
        to_do = self.plan.effects + self.plan.look_ups + self.plan.waits > 0
        return self.tally.moving > 0 or (self.runs.running and to_do)

    @property
    def twice(self) -> int:
        """How many of what is confirmed are known to stand more than once at their target (R11)."""
        return sum(one.duplicate for one in self.held)

    @property
    def whole_plan(self) -> Plan | None:
        return self.plan if isinstance(self.plan, Plan) else None

    @property
    def refresh_s(self) -> int:
        """When to look again; a large batch costs more to look at."""
        pause = 2 if self.moving else 30 if self.tally.complete else 4
        return pause * 5 if self.tally.total > LARGE else pause

    @property
    def version(self) -> str:
        """Another one as soon as anything on the page changes."""
        seen = (
            [(row.run.pk, row.run.status) for row in self.runs.rows],
            [(a.pk, a.revision, a.presence) for one in self.deliveries.rows for a in one.actions],
            sorted(self.tally.by_state.items()),
            self.plan.digest,
            self.progress and (self.progress.done, self.progress.total),
            [(held.latest, held.counted) for held in self.held],
        )
        return hashlib.sha256(repr(seen).encode()).hexdigest()[:16]


def batch_now(batch: Batch, *, key: str = "", chosen: Within = Within()) -> BatchNow:  # noqa: B008 - frozen
    """Read the batch; ``key`` is the place in a batch of more than a page, ``chosen`` which tasks are shown."""
    deliveries = deliveries_of(batch, key=key, chosen=chosen)
    repeats = BatchTask.objects.filter(batch=batch).aggregate(repeats=Sum("repeats"))["repeats"]
    sizes, counts = sizes_of([batch]), counts_of_batch(batch)
    tally = counts.tally
    plan: Plan | Outlook = plan_of(batch) if tally.total <= LARGE else outlook_of(counts)
    runs = runs_of(batch, counts.run_ids)
    return BatchNow(
        runs=runs,
        deliveries=deliveries,
        matrix=matrix_of(deliveries.rows),
        tally=tally,
        plan=plan,
        progress=progress_of(batch, runs, counts),
        held=held_of(counts),
        task_count=sizes[batch.pk].tasks if batch.pk in sizes else 0,
        repeats=repeats or 0,
    )
