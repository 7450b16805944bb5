"""A newer input version takes the place of what was never performed, and waits for what is unresolved."""

from __future__ import annotations

from django.db.models import F

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Action, ActionNeed, Condition, Task
from once_delivery.ledger.states import State
from once_delivery.ledger.transitions import Actor, Move, move

_NEVER_PERFORMED = (State.PLANNED, State.REFUSED)
_UNRESOLVED = (State.SENDING, State.ACCEPTED, State.UNCERTAIN, State.RECONCILE)


def supersede_older(*, project: Project, tasks: list[Task], actor: Actor) -> int:
    """For each new task: its older versions' actions that made nothing become superseded; returns how many.

    The new task's own action waits until an older one that may have arrived is resolved (DESIGN section 4).
    """
    superseded = 0
    ids = [task.pk for task in tasks if task.input_version.number > 1]
    for task in Task.objects.filter(pk__in=ids).select_related("input_version"):
        older = list(
            Action.objects.select_for_update(of=("self",))
            .filter(
                project=project,
                task__product=task.product_id,
                task__locale=task.locale,
                task__purpose=task.purpose,
                task__input_version__number__lt=task.input_version.number,
                state__in=[*_NEVER_PERFORMED, *_UNRESOLVED],
            )
            .order_by("pk")
            .annotate(number=F("task__input_version__number"))
        )
        superseded += len(_supersede([one for one in older if one.state in _NEVER_PERFORMED], task, actor))
        _wait_for([one for one in older if one.state in _UNRESOLVED], task)
    return superseded


def _supersede(older: list[Action], task: Task, actor: Actor) -> set[int]:
    return move(
        [
            Move(
                action_id=one.pk,
                source=State(one.state),
                to=State.SUPERSEDED,
                reason="result-superseded",
                revision=one.revision,
                data={"by_version": task.input_version.number},
            )
            for one in older
        ],
        actor=actor,
    )


def _wait_for(older: list[Action], task: Task) -> None:
    own = {(one.target_id, one.kind, one.slot): one for one in Action.objects.filter(task=task)}
    ActionNeed.objects.bulk_create(
        [
            ActionNeed(action=own[place], needs=one, condition=Condition.SETTLED)
            for one in older
            if (place := (one.target_id, one.kind, one.slot)) in own
        ],
        ignore_conflicts=True,
    )
