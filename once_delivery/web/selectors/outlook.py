"""What lies before a batch, counted in SQL, and how far a run of it has come. Both come from rows: a reload loses nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from once_delivery.ledger.models import Batch, RunStatus
from once_delivery.ledger.states import NextStep, State
from once_delivery.web.selectors.batch_counts import BatchCounts
from once_delivery.web.selectors.runs import Runs

BY_ITSELF = (NextStep.PERFORM, NextStep.REPLAY, NextStep.LOOK_UP, NextStep.WAIT)
_LEAST_FOR_A_RATE = 3


@dataclass(frozen=True, slots=True)
class Outlook:
    """Next steps of a batch's actions by number; the reasons are on the page of the plan."""

    effects: int
    look_ups: int
    waits: int
    persons: int
    refused: int

    @property
    def worth_it(self) -> bool:
        return self.effects + self.look_ups + self.refused > 0

    @property
    def digest(self) -> str:
        return f"{self.effects}-{self.look_ups}-{self.waits}-{self.persons}-{self.refused}"


@dataclass(frozen=True, slots=True)
class Progress:
    """``done`` of ``total`` actions came to rest since the run began."""

    done: int
    total: int
    began_at: datetime
    now: datetime

    @property
    def per_minute(self) -> float:
        passed = (self.now - self.began_at).total_seconds()
        return self.done * 60 / passed if passed > 0 else 0.0

    @property
    def left(self) -> timedelta | None:
        """None while too little is known."""
        if self.done < _LEAST_FOR_A_RATE or not self.per_minute:
            return None
        return timedelta(minutes=(self.total - self.done) / self.per_minute)


def outlook_of(counts: BatchCounts) -> Outlook:
    """From what was counted of the batch."""
    by_step: Counter[str] = Counter()
    for one in counts.groups:
        refused = one.next_step == NextStep.PERSON and one.state == State.REFUSED
        by_step[State.REFUSED if refused else one.next_step] += one.many
    return Outlook(
        effects=by_step[NextStep.PERFORM] + by_step[NextStep.REPLAY],
        look_ups=by_step[NextStep.LOOK_UP],
        waits=by_step[NextStep.WAIT],
        persons=by_step[NextStep.PERSON],
        refused=by_step[State.REFUSED],
    )


def progress_of(batch: Batch, runs: Runs, counts: BatchCounts) -> Progress | None:
    """Of the latest run of the batch itself that still runs and still has something to do."""
    running = next(
        (
            row.run
            for row in runs.rows
            if row.run.status == RunStatus.RUNNING and row.run.batch_id == batch.pk
        ),
        None,
    )
    if running is None:
        return None
    to_go = sum(one.many for one in counts.groups if one.next_step in BY_ITSELF)
    if not to_go:
        return None
    done = sum(one.since_began for one in counts.groups if one.next_step not in BY_ITSELF)
    return Progress(done=done, total=done + to_go, began_at=running.started_at, now=timezone.now())
