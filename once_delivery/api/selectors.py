"""How deliveries stand, as the API tells it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from once_delivery.accounts.models import ApiToken
from once_delivery.api.schemas.deliveries import DeliveriesQuery
from once_delivery.common import canonical
from once_delivery.ledger.models import Action, BatchTask, RunTask, Task
from once_delivery.ledger.reasons import sentence
from once_delivery.ledger.states import FINAL, NextStep, State

# what a delivery is called when its actions differ: first what needs somebody, last what is done
_ATTENTION = (
    State.RECONCILE,
    State.UNCERTAIN,
    State.REFUSED,
    State.SENDING,
    State.ACCEPTED,
    State.PLANNED,
    State.CANCELLED,
    State.SUPERSEDED,
    State.CONFIRMED,
)

# of an action; its ID for the target and its profile for who performs it
_TOLD = (
    "uuid", "task", "kind", "slot", "state", "reason", "marker", "client_id", "fingerprint", "by_permit", "result_id",
    "result_url", "confirmed_at", "presence", "checked_at", "next_step", "next_step_at",
)  # fmt: skip


def tasks_asked_for(token: ApiToken, query: DeliveriesQuery) -> QuerySet[Task]:
    """The project's tasks that ``query`` names, in the order in which they were made. Raises DomainError."""
    found = _by_identity(Task.objects.filter(project=token.project_id).order_by("pk"), query)
    if query.execution is not None:
        asked = RunTask.objects.filter(task=OuterRef("pk"), run__project=token.project_id)
        found = found.filter(Exists(asked.filter(run__external_id=query.execution)))
    if query.batch is not None:
        found = found.filter(Exists(BatchTask.objects.filter(task=OuterRef("pk"), batch__uuid=query.batch)))
    if query.state is not None:
        found = found.filter(Exists(Action.objects.filter(task=OuterRef("pk"), state=query.state)))
    if query.after is not None:
        last = Task.objects.filter(project=token.project_id, uuid=query.after).values("pk")
        found = found.filter(pk__gt=last[:1])
    return found.select_related("product", "input_version").defer("input_version__content")


def _by_identity(found: QuerySet[Task], query: DeliveriesQuery) -> QuerySet[Task]:
    parts = {
        "product__code": query.product and canonical.code(query.product, name="product"),
        "locale": query.locale and canonical.locale(query.locale),
        "purpose": query.purpose and canonical.code(query.purpose, name="purpose"),
        "input_version__number": query.input_version,
    }
    return found.filter(**{name: value for name, value in parts.items() if value is not None})


def deliveries(tasks: Sequence[Task]) -> list[dict[str, Any]]:
    """Each task with its actions, in the order of ``tasks``."""
    by_task: dict[int, list[Action]] = defaultdict(list)
    for action in actions_of(Action.objects.filter(task__in=tasks)):
        by_task[action.task_id].append(action)
    return [_delivery(task, by_task[task.pk]) for task in tasks]


def actions_of(found: QuerySet[Action]) -> QuerySet[Action]:
    """With what an answer says of them, and without what it does not."""
    return (
        found.select_related("target")
        .only(*_TOLD, "target__name", "target__profile_data", "target__refuted")
        .order_by("pk")
    )


def _delivery(task: Task, actions: Sequence[Action]) -> dict[str, Any]:
    return {
        "id": task.uuid,
        "identity": {
            "product": task.product.code,
            "locale": task.locale,
            "purpose": task.purpose,
            "input_version": task.input_version.number,
        },
        "state": state_of(action.state for action in actions),
        "settled": all(is_settled(action) for action in actions),
        "actions": [action_out(action) for action in actions],
        "created_at": task.created_at,
    }


def state_of(states: Iterable[str]) -> State:
    """Of several states the one that needs most attention."""
    named = {State(state) for state in states} or {State.PLANNED}
    return next(state for state in _ATTENTION if state in named)


def is_settled(action: Action) -> bool:
    """Nothing moves any more by itself: it is over, or a person's."""
    return action.state in FINAL or action.next_step == NextStep.PERSON


def action_out(action: Action) -> dict[str, Any]:
    """One action, in the active language."""
    return {
        "id": action.uuid,
        "target": action.target.name,
        "kind": action.kind,
        "slot": action.slot,
        "state": action.state,
        "label": str(State(action.state).label),
        "reason": action.reason,
        "why": sentence(action.reason, {"result_id": action.result_id}),
        "marker": action.marker,
        "fingerprint": action.fingerprint,
        "performed_by": "permit" if action.by_permit else "once",
        "result_id": action.result_id,
        "result_url": action.result_url,
        "confirmed_at": action.confirmed_at,
        "presence": action.presence,
        "checked_at": action.checked_at,
        "next_step": action.next_step,
        "next_step_at": action.next_step_at,
    }
