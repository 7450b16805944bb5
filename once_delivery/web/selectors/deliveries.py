"""The tasks of a batch with their actions, light: without briefs and payloads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef, QuerySet

from once_delivery.common.digits import INTEGER, whole_number
from once_delivery.ledger.models import Action, Batch, BatchTask, Task
from once_delivery.ledger.states import State
from once_delivery.ui.templatetags.ui import person
from reconciliation.models import Case, CaseStatus

PAGE = 50
HEAVY = ("payload", "target__declaration", "target__credentials_sealed")


@dataclass(frozen=True, slots=True)
class Delivery:
    """A task as a batch refers to it, its actions in their order, and who decides on which of them."""

    reference: BatchTask
    task: Task
    actions: Sequence[Action]
    owners: dict[int, str]


@dataclass(frozen=True, slots=True)
class Within:
    """Which tasks of a batch are to be seen; empty means all."""

    state: str = ""
    locale: str = ""
    product: str = ""

    @property
    def narrowed(self) -> bool:
        return bool(self.state or self.locale or self.product)

    @property
    def query(self) -> str:
        """The same in an address."""
        asked = {"state": self.state, "locale": self.locale, "product": self.product}
        return urlencode({name: value for name, value in asked.items() if value})

    def of(self, references: QuerySet[BatchTask]) -> QuerySet[BatchTask]:
        if self.locale:
            references = references.filter(task__locale=self.locale)
        if self.product:
            references = references.filter(task__product__code=self.product)
        if self.state:
            having = Action.objects.filter(task=OuterRef("task"), state=self.state)
            references = references.filter(Exists(having))
        return references


def within(asked: Mapping[str, str]) -> Within:
    """What an address asks for; a state that is none is left out."""
    state = asked.get("state", "")
    return Within(
        state=state if state in State.values else "",
        locale=asked.get("locale", "").replace("\x00", "")[:35],
        product=asked.get("product", "").replace("\x00", "")[:100],
    )


@dataclass(frozen=True, slots=True)
class Deliveries:
    """One page of a batch's tasks."""

    rows: list[Delivery]
    next_key: str
    first: bool
    chosen: Within = Within()

    @property
    def of_drill(self) -> bool:
        return made_by_drill([action for one in self.rows for action in one.actions])


def made_by_drill(actions: Sequence[Action]) -> bool:
    """A drill has made them, at a target of its own: no content, so nothing to review."""
    return bool(actions) and all(action.target.of_drill for action in actions)


def deliveries_of(batch: Batch, *, key: str = "", chosen: Within = Within()) -> Deliveries:
    """The tasks after ``key`` (a position), with their actions: three queries."""
    references = (
        chosen.of(BatchTask.objects.filter(batch=batch))
        .select_related("task__product", "task__input_version")
        .defer("task__input_version__content")
        .order_by("position", "pk")
    )
    after = whole_number(key, most=INTEGER)
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
        chosen=chosen,
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
