"""The tasks of a batch with their actions, light: without briefs and payloads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from once_delivery.ledger.models import Action, Batch, BatchTask, Task
from once_delivery.ui.templatetags.ui import person
from reconciliation.models import Case, CaseStatus

PAGE = 600
HEAVY = ("payload", "target__declaration", "target__credentials_sealed")


@dataclass(frozen=True, slots=True)
class Delivery:
    """A task as a batch refers to it, its actions in their order, and who decides on which of them."""

    reference: BatchTask
    task: Task
    actions: Sequence[Action]
    owners: dict[int, str]


@dataclass(frozen=True, slots=True)
class Deliveries:
    """One page of a batch's tasks."""

    rows: list[Delivery]
    next_key: str
    first: bool


def deliveries_of(batch: Batch, *, key: str = "") -> Deliveries:
    """The tasks after ``key`` (a position), with their actions: three queries."""
    references = (
        BatchTask.objects.filter(batch=batch)
        .select_related("task__product", "task__input_version")
        .defer("task__input_version__content")
        .order_by("position", "pk")
    )
    after = int(key) if key.isdecimal() and len(key) < 10 else None  # noqa: PLR2004
    if after is not None:
        references = references.filter(position__gt=after)
    found = list(references[: PAGE + 1])
    page = found[:PAGE]
    actions = _actions([reference.task_id for reference in page])
    owners = _owners([action.pk for group in actions.values() for action in group])
    return Deliveries(
        rows=[Delivery(one, one.task, actions.get(one.task_id, []), owners) for one in page],
        next_key=str(page[-1].position) if len(found) > PAGE else "",
        first=after is None,
    )


def _actions(task_ids: Sequence[int]) -> dict[int, list[Action]]:
    grouped: dict[int, list[Action]] = defaultdict(list)
    for action in (
        Action.objects.filter(task__in=task_ids).select_related("target").defer(*HEAVY).order_by("pk")
    ):
        grouped[action.task_id].append(action)
    return grouped


def _owners(action_ids: Sequence[int]) -> dict[int, str]:
    cases = Case.objects.filter(action__in=action_ids, status=CaseStatus.OPEN).select_related("owner")
    return {case.action_id: person(case.owner) for case in cases}
