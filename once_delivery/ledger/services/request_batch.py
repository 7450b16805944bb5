"""Ask for deliveries together: what exists is referred to, what is new is made, all of it or nothing."""

from __future__ import annotations

from collections import Counter

from django.db import connection, transaction

from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import InvalidInputError, Problem
from once_delivery.ledger.intent import actions, files, products, tasks
from once_delivery.ledger.intent.canonical import Wanted, canonical
from once_delivery.ledger.intent.originals import take_on
from once_delivery.ledger.intent.supersede import supersede_older
from once_delivery.ledger.models import Batch
from once_delivery.ledger.requests import BatchRequest, BatchResult
from once_delivery.ledger.transitions import Actor

# What the batch refers to already was no new task, so that each request for it is a repeat. In the order of the tasks'
# IDs, so that no two requests wait for each other.
_REFER = """
INSERT INTO ledger_batchtask AS known (batch_id, task_id, existed, repeats, position)
SELECT %(batch)s, given.task, given.existed, given.repeats, given.place - 1
FROM unnest(%(tasks)s::bigint[], %(existed)s::boolean[], %(repeats)s::int[])
     WITH ORDINALITY AS given (task, existed, repeats, place)
ORDER BY given.task
ON CONFLICT (batch_id, task_id) DO UPDATE SET repeats = known.repeats + excluded.repeats
"""


def request_batch(
    *,
    project: Project,
    request: BatchRequest,
    user: User | None,
    dry_run: bool = False,
    actor: Actor | None = None,
    alone: bool = True,
) -> BatchResult:
    """Afterwards the batch refers to every task asked for, and each task has its actions.

    A task that existed is referred to and counted as a suppressed repeat. ``dry_run`` does all of it and takes
    it back. Not ``alone``: the caller's transaction ends with what is raised here. Raises InvalidInputError with every
    problem (row, code): unknown product or target, a bad identity, other content under an approved version or under a
    task's action (R9).
    """
    actor = actor or Actor(
        name=f"user:{user.username}" if user else "system:request", user_id=user.pk if user else None
    )
    problems: list[Problem] = []
    wanted = canonical(project=project, deliveries=request.deliveries, problems=problems)
    _stop_on(problems)
    with transaction.atomic(savepoint=alone or dry_run):
        result = _keep(
            project=project, request=request, wanted=wanted, user=user, actor=actor, problems=problems
        )
        _stop_on(problems)
        if dry_run:
            transaction.set_rollback(True)
    return result


def _stop_on(problems: list[Problem]) -> None:
    if problems:
        raise InvalidInputError(tuple(problems))


def _keep(
    *,
    project: Project,
    request: BatchRequest,
    wanted: list[Wanted],
    user: User | None,
    actor: Actor,
    problems: list[Problem],
) -> BatchResult:
    found = products.ensure(project=project, wanted=wanted, user=user, problems=problems)
    _stop_on(problems)
    files.ensure(project=project, files=request.files.values())
    kept = tasks.ensure(project=project, wanted=wanted, found=found)
    made = actions.ensure(project=project, wanted=wanted, kept=kept, problems=problems, actor=actor)
    _stop_on(problems)
    several = found.products_with_several_versions()
    beside_others = [task for task in kept.new if task.product_id in several]
    superseded = supersede_older(tasks=beside_others, actor=actor)
    sent_by_house = {action.task_id for action in made if not action.by_permit}
    take_on(tasks=[task for task in beside_others if task.pk in sent_by_house])
    batch = _batch(project, request, user)
    suppressed = _refer(batch, wanted, kept)
    return BatchResult(
        batch=batch,
        tasks_new=len(kept.new),
        actions_new=len(made),
        suppressed=suppressed,
        superseded=superseded,
        versions_new=len(found.new),
        products_new=found.products_new,
        task_ids=tuple(kept.by_key[one.key].pk for one in wanted),
        made=tuple(made),
    )


def _batch(project: Project, request: BatchRequest, user: User | None) -> Batch:
    batch, _ = Batch.objects.get_or_create(
        project=project,
        name=request.name,
        defaults={
            "source_name": request.source_name,
            "source_sha256": request.source_sha256,
            "requested_by": user,
        },
    )
    return batch


def _refer(batch: Batch, wanted: list[Wanted], kept: tasks.Kept) -> int:
    """Add the batch's references; returns how many requests made nothing new."""
    new = {task.pk for task in kept.new}
    asked = Counter(kept.by_key[one.key].pk for one in wanted)
    existed = [task_id not in new for task_id in asked]
    repeats = [times - (task_id in new) for task_id, times in asked.items()]
    with connection.cursor() as cursor:
        cursor.execute(
            _REFER, {"batch": batch.pk, "tasks": list(asked), "existed": existed, "repeats": repeats}
        )
    return sum(repeats)
