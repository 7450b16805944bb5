"""How long the plan of a resume takes, and how much room the ledger's rows take. Needs Django to be set up."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from django.db import connection

from bench.seed import Seeded, request_of
from once_delivery.ledger import gate
from once_delivery.ledger.claims import claim_group
from once_delivery.ledger.models import Run, RunKind
from once_delivery.ledger.resume import Verb
from once_delivery.ledger.services.plan_batch import plan_batch, tally
from once_delivery.ledger.services.record_answers import record_answers
from once_delivery.ledger.services.request_batch import request_batch
from once_delivery.ledger.services.work_target import work_target
from once_delivery.ledger.transitions import Actor
from once_delivery.targets.base import Answer, Outcome
from once_delivery.targets.models import Target

ACTOR = Actor("system:bench")
GROUP = 500


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan that was made: how long it took, and what it says."""

    actions: int
    seconds: float
    verbs: dict[Verb, int]


@dataclass(frozen=True, slots=True)
class Size:
    """Bytes of all tables of the ledger, with everything that belongs to them."""

    actions: int
    table_bytes: int
    index_bytes: int

    @property
    def per_million(self) -> tuple[float, float]:
        """Gigabytes of tables and of indexes a million actions."""
        return (
            self.table_bytes / self.actions * 1e6 / 1e9,
            self.index_bytes / self.actions * 1e6 / 1e9,
        )


@dataclass(frozen=True, slots=True)
class Asked:
    """Deliveries that were asked for by the ledger's own service: rows, identities and fingerprints, one transaction."""

    deliveries: int
    seconds: float

    @property
    def rate(self) -> float:
        """Deliveries per second."""
        return self.deliveries / self.seconds


def ask(target: Target, count: int) -> Asked:
    """Ask for ``count`` new drafts at once."""
    request = request_of(target, name="asked", count=count)
    begun = time.monotonic()
    request_batch(project=target.project, request=request, user=None)
    return Asked(count, time.monotonic() - begun)


def plan(seeded: Seeded) -> Planned:
    """Plan the whole batch once."""
    begun = time.monotonic()
    steps = plan_batch(batch=seeded.batch)
    seconds = time.monotonic() - begun
    return Planned(len(steps), seconds, {verb: count for verb, count in tally(steps).items() if count})


def fail_in_the_middle(seeded: Seeded, actions: int) -> None:
    """Half of the batch is done, one in twenty has lost its answer, the rest was never sent."""
    _in_groups(actions // 2, lambda limit: _answer(seeded, limit, Outcome.DONE))
    _in_groups(actions // 20, lambda limit: _answer(seeded, limit, Outcome.UNKNOWN))


def finish(seeded: Seeded) -> None:
    """Look up and perform until nothing of the batch is due."""
    while work_target(target_id=seeded.target.pk, actor=ACTOR, batch_id=seeded.batch.pk).total:
        pass


def size(actions: int) -> Size:
    """As the rows lie after the work, with the versions that were updated away and not yet reused."""
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT sum(pg_table_size(c.oid)), sum(pg_indexes_size(c.oid)) FROM pg_class c
               JOIN pg_namespace n ON n.oid = c.relnamespace
               WHERE c.relkind = 'r' AND n.nspname = 'public' AND c.relname LIKE 'ledger\\_%'"""
        )
        tables, indexes = cursor.fetchone()
    return Size(actions, int(tables), int(indexes))


def _in_groups(count: int, do: Callable[[int], int]) -> None:
    while count > 0:
        done = do(min(GROUP, count))
        if not done:
            raise RuntimeError("nothing could be claimed")
        count -= done


def _answer(seeded: Seeded, limit: int, outcome: Outcome) -> int:
    """Claim some and say how they went, without sending anything."""
    run, _ = Run.objects.get_or_create(
        project_id=seeded.batch.project_id, batch=seeded.batch, kind=RunKind.WORKER, process="bench"
    )
    profile = seeded.target.profile
    group = claim_group(
        target_id=seeded.target.pk,
        profile=profile,
        run_id=run.pk,
        actor=ACTOR,
        limit=limit,
        batch_id=seeded.batch.pk,
    )
    if group is None:
        return 0
    done = outcome == Outcome.DONE
    record_answers(
        [
            (one, Answer(outcome, "bench", result_id=f"noop-{one.marker}" if done else "", marker=one.marker))
            for one in group.items
        ],
        profile=profile,
        actor=ACTOR,
        run_id=run.pk,
    )
    gate.give_back_lane(holder=group.lane)
    return len(group.items)
