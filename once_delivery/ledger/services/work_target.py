"""Do what is due at one target until nothing is, or the time is up: look-ups, sends, counts."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import connection

from once_delivery.ledger.clock import process_name
from once_delivery.ledger.gate import LANE_SIZE
from once_delivery.ledger.models import Run, RunKind, RunStatus
from once_delivery.ledger.services.doubt import doubt_due
from once_delivery.ledger.services.expire_leases import expire_leases
from once_delivery.ledger.services.finish_run import finish_run
from once_delivery.ledger.services.learn_versions import learn_versions
from once_delivery.ledger.services.look_instead import look_instead
from once_delivery.ledger.services.look_up import look_up_due
from once_delivery.ledger.services.perform_group import Performed, perform_group
from once_delivery.ledger.transitions import Actor
from once_delivery.targets.base import Connector
from once_delivery.targets.connecting import connected
from once_delivery.targets.models import Target
from once_delivery.targets.profile import Profile

GROUP_FIRST = LANE_SIZE * 4
GROUP_MOST = 500
LOOKS_AT_ONCE = LANE_SIZE * 8  # a lane's threads are through with them well within its lease


@dataclass(slots=True)
class Worked:
    """What was done at one target."""

    expired: int = 0
    looked: int = 0
    performed: int = 0
    checked: int = 0
    released: int = 0  # claimed, but never had their turn
    doubted: int = 0  # sent perhaps before the database was restored: the target is asked first
    turned: int = 0  # from sending again to looking, because a probe refuted the protection

    @property
    def total(self) -> int:
        """Everything that was done; 0 means that nothing was due."""
        return self.expired + self.looked + self.performed + self.checked + self.doubted + self.turned


@dataclass(frozen=True, slots=True)
class _Errand:
    """What one call is to do, and until when (monotonic seconds)."""

    target: Target
    connector: Connector
    run: Run
    actor: Actor
    batch_id: int | None
    until: float
    group_most: int


def work_target(
    *,
    target_id: int,
    actor: Actor,
    run: Run | None = None,
    batch_id: int | None = None,
    budget_s: float = 20.0,
    group_most: int = GROUP_MOST,
) -> Worked:
    """Afterwards nothing of the target (of the batch there) is due, or ``budget_s`` seconds have passed.

    Without ``run`` a worker's run is written down, but only when there is something to do. ``group_most``: how many
    are claimed at once. Raises DomainError when the target's settings are not usable; nothing is sent then.
    """
    done = Worked(expired=expire_leases(target_id=target_id, run_id=run.pk if run else None))
    if not _something_due(target_id, batch_id):
        return done
    target = Target.objects.get(pk=target_id)
    until = time.monotonic() + budget_s
    with connected(target) as connector:
        if run is not None:
            _until_done(done, _Errand(target, connector, run, actor, batch_id, until, group_most))
        else:
            with _own_run(target, done) as own:
                _until_done(done, _Errand(target, connector, own, actor, batch_id, until, group_most))
    return done


@contextmanager
def _own_run(target: Target, done: Worked) -> Iterator[Run]:
    run = Run.objects.create(project_id=target.project_id, kind=RunKind.WORKER, process=process_name())
    status = RunStatus.FAILED
    try:
        yield run
        status = RunStatus.FINISHED
    finally:
        if status == RunStatus.FINISHED and not (
            done.looked or done.checked or done.performed or done.released or done.doubted or done.turned
        ):
            run.delete()  # all that was due is blocked or left alone: a run a sweep would be rows without end
        else:
            finish_run(run=run, status=status, summary={"looked": done.looked, "performed": done.performed})


def _until_done(done: Worked, errand: _Errand) -> None:
    limit = min(GROUP_FIRST, errand.group_most)
    while time.monotonic() < errand.until:
        before = done.total
        profile = Target.objects.get(pk=errand.target.pk).profile  # a probe may have refuted something of it
        done.doubted += doubt_due(target_id=errand.target.pk, actor=errand.actor, run_id=errand.run.pk)
        done.turned += look_instead(target_id=errand.target.pk, actor=errand.actor, run_id=errand.run.pk)
        done.looked += _look(errand, profile, checks=False)
        done.checked += _look(errand, profile, checks=True)
        done.looked += _learn(errand, profile)
        performed = perform_group(
            target_id=errand.target.pk,
            profile=profile,
            connector=errand.connector,
            run_id=errand.run.pk,
            actor=errand.actor,
            limit=limit,
            batch_id=errand.batch_id,
        )
        if performed is not None:
            done.performed += performed.claimed - performed.released
            done.released += performed.released
            limit = min(next_limit(limit, performed), errand.group_most)
        if done.total == before:
            return


def _look(errand: _Errand, profile: Profile, *, checks: bool) -> int:
    return look_up_due(
        target_id=errand.target.pk,
        profile=profile,
        connector=errand.connector,
        actor=errand.actor,
        limit=LOOKS_AT_ONCE,
        run_id=errand.run.pk,
        batch_id=errand.batch_id,
        checks=checks,
    )


def _learn(errand: _Errand, profile: Profile) -> int:
    return learn_versions(
        target_id=errand.target.pk,
        profile=profile,
        connector=errand.connector,
        limit=LANE_SIZE,
        run_id=errand.run.pk,
        batch_id=errand.batch_id,
    )


def next_limit(limit: int, performed: Performed) -> int:
    """The size of the next group: grows while groups are quick, shrinks when some never had their turn."""
    if performed.released:
        return max(1, min(limit, performed.claimed - performed.released) // 2)
    if performed.claimed == limit and performed.seconds < 1.0:
        return min(limit * 2, GROUP_MOST)
    return limit


def _something_due(target_id: int, batch_id: int | None) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT EXISTS (
                   SELECT 1 FROM ledger_action a WHERE a.target_id = %(target)s
                     AND a.next_step IN ('perform', 'replay', 'look_up') AND a.next_step_at <= clock_timestamp()
                     AND (%(batch)s::bigint IS NULL OR EXISTS (
                         SELECT 1 FROM ledger_batchtask r WHERE r.task_id = a.task_id AND r.batch_id = %(batch)s))
               ) OR EXISTS (
                   SELECT 1 FROM ledger_action a WHERE a.target_id = %(target)s AND a.check_due_at <= clock_timestamp())""",
            {"target": target_id, "batch": batch_id},
        )
        return bool(cursor.fetchone()[0])
