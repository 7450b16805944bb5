"""What outside programs wait to be told goes to the outbox. May run at any time, twice; each change is told once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import partial
from typing import Any

from django.db import transaction
from django.utils.functional import lazy

from once_delivery.ledger.models import Action, News, RunTask
from once_delivery.ledger.reasons import sentence
from once_delivery.notices.models import Event
from once_delivery.notices.services.announce import announce_many

AT_ONCE = 500


def tell_news(*, limit: int = AT_ONCE) -> int:
    """Afterwards up to ``limit`` changes are in the outbox of their project's routes; returns how many."""
    with transaction.atomic():
        news = list(
            News.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related("project")
            .order_by("pk")[:limit]
        )
        if not news:
            return 0
        actions = _actions({one.action_id for one in news})
        executions = _executions({action.task_id for action in actions.values()})
        told: dict[int, list[tuple[Event, dict[str, Any]]]] = defaultdict(list)
        for one in news:
            action = actions[one.action_id]
            data = _data(one, action, executions.get(action.task_id, []))
            told[one.project_id].append((Event(one.event), data))
        for project in {one.project for one in news}:
            announce_many(project=project, told=told[project.pk])
        News.objects.filter(pk__in=[one.pk for one in news]).delete()
    return len(news)


def _actions(ids: Iterable[int]) -> dict[int, Action]:
    found = Action.objects.select_related("target", "task__product", "task__input_version").defer(
        "payload", "target__declaration", "target__credentials_sealed", "task__input_version__content"
    )
    return found.in_bulk(list(ids))


def _executions(task_ids: Iterable[int]) -> dict[int, list[str]]:
    """The outside executions that asked for each task, the latest first."""
    found: dict[int, list[str]] = defaultdict(list)
    rows = RunTask.objects.filter(task__in=list(task_ids)).order_by("-pk")
    for task_id, external_id in rows.values_list("task_id", "run__external_id"):
        found[task_id].append(external_id)
    return found


def _data(one: News, action: Action, executions: list[str]) -> dict[str, Any]:
    """What is told: the change, and how the action stood when it was told. No content, no credential."""
    task = action.task
    return {
        "delivery": str(task.uuid),
        "action": str(action.uuid),
        "identity": {
            "product": task.product.code,
            "locale": task.locale,
            "purpose": task.purpose,
            "input_version": task.input_version.number,
        },
        "task": str(task),
        "target": action.target.name,
        "kind": action.kind,
        "slot": action.slot,
        "marker": action.marker,
        "state": one.event.removeprefix("delivery."),
        "revision": one.revision,
        "reason": lazy(partial(_said, one.reason, action.result_id), str)(),
        "reason_code": one.reason,
        "result_id": action.result_id,
        "result_url": action.result_url,
        "executions": executions[:20],
        "path": f"/tasks/{task.uuid}/",
    }


def _said(code: str, result_id: str) -> str:
    return sentence(code, {"result_id": result_id})
