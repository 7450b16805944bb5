"""Ask for deliveries together: what exists is referred to, what is new is made, all of it or nothing."""

from __future__ import annotations

from django.db import transaction

from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import InvalidInputError, Problem
from once_delivery.ledger.intent import actions, files, products, tasks
from once_delivery.ledger.intent.canonical import Wanted, canonical
from once_delivery.ledger.intent.originals import take_on
from once_delivery.ledger.intent.supersede import supersede_older
from once_delivery.ledger.models import Batch, BatchTask, Task
from once_delivery.ledger.requests import BatchRequest, BatchResult
from once_delivery.ledger.transitions import Actor


def request_batch(
    *,
    project: Project,
    request: BatchRequest,
    user: User | None,
    dry_run: bool = False,
    actor: Actor | None = None,
) -> BatchResult:
    """Afterwards the batch refers to every task asked for, and each task has its actions.

    A task that existed is referred to and counted as a suppressed repeat. ``dry_run`` does all of it and takes
    it back. Raises InvalidInputError with every problem (row, code): unknown product or target, a bad identity,
    other content under an approved version or under a task's action (R9).
    """
    actor = actor or Actor(
        name=f"user:{user.username}" if user else "system:request", user_id=user.pk if user else None
    )
    problems: list[Problem] = []
    wanted = canonical(project=project, deliveries=request.deliveries, problems=problems)
    _stop_on(problems)
    with transaction.atomic():
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
    kept = tasks.ensure(project=project, wanted=wanted, versions=found.versions)
    actions_new = actions.ensure(
        project=project, wanted=wanted, tasks=kept.by_key, problems=problems, actor=actor
    )
    _stop_on(problems)
    superseded = supersede_older(tasks=kept.new, actor=actor)
    take_on(tasks=kept.new)
    batch = _batch(project, request, user)
    suppressed = _refer(batch, wanted, kept)
    return BatchResult(
        batch_id=batch.pk,
        tasks_new=len(kept.new),
        actions_new=actions_new,
        suppressed=suppressed,
        superseded=superseded,
        versions_new=found.versions_new,
        products_new=found.products_new,
        task_ids=tuple(kept.by_key[one.key].pk for one in wanted),
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
    asked: dict[int, int] = {}
    first: dict[int, Task] = {}
    for one in wanted:
        task = kept.by_key[one.key]
        asked[task.pk] = asked.get(task.pk, 0) + 1
        first.setdefault(task.pk, task)
    known = {
        row.task_id: row
        for row in BatchTask.objects.select_for_update()
        .filter(batch=batch, task_id__in=list(asked))
        .order_by("pk")
    }
    again, added, suppressed = [], [], 0
    for position, (task_id, times) in enumerate(asked.items()):
        repeats = times - (1 if task_id in new else 0)
        suppressed += repeats
        if task_id in known:
            known[task_id].repeats += times
            again.append(known[task_id])
        else:
            added.append(
                BatchTask(
                    batch=batch,
                    task=first[task_id],
                    existed=task_id not in new,
                    repeats=repeats,
                    position=position,
                )
            )
    BatchTask.objects.bulk_create(added, batch_size=2000)
    BatchTask.objects.bulk_update(again, ["repeats"], batch_size=2000)
    return suppressed
