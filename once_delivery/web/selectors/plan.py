"""The resume plan for a page: verbs with their numbers, reasons with the tasks that they are about."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from once_delivery.ledger.models import Action, Batch
from once_delivery.ledger.reasons import sentence
from once_delivery.ledger.resume import Verb
from once_delivery.ledger.services.plan_batch import PlannedStep, plan_batch
from once_delivery.web.wording import VERBS

SHOWN = 3  # tasks named under a reason
ORDER = (Verb.REUSE, Verb.LOOK_UP, Verb.REPLAY, Verb.PERFORM, Verb.WAIT, Verb.PERSON, Verb.NOTHING)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why, for how many, which of them, and not before when."""

    sentence: str
    count: int
    which: list[str]
    more: int
    not_before: datetime | None


@dataclass(frozen=True, slots=True)
class Column:
    """One verb of the plan."""

    verb: str
    word: str
    means: str
    tone: str
    count: int
    reasons: list[Reason]


@dataclass(frozen=True, slots=True)
class Plan:
    """The whole plan, made at one moment; nothing has been sent for it."""

    columns: list[Column]
    by_action: dict[int, PlannedStep]
    digest: str

    def count(self, *verbs: Verb) -> int:
        return sum(column.count for column in self.columns if column.verb in verbs)

    @property
    def total(self) -> int:
        return len(self.by_action)

    @property
    def effects(self) -> int:
        """Requests that could have an effect, at most, if nothing changes meanwhile."""
        return self.count(Verb.PERFORM, Verb.REPLAY)

    @property
    def look_ups(self) -> int:
        return self.count(Verb.LOOK_UP)

    @property
    def waits(self) -> int:
        return self.count(Verb.WAIT)

    @property
    def persons(self) -> int:
        return self.count(Verb.PERSON)

    @property
    def worth_it(self) -> bool:
        """There is something that a resume would do now."""
        return self.effects + self.look_ups > 0


def plan_of(batch: Batch) -> Plan:
    """Read the plan of ``batch``."""
    steps = plan_batch(batch=batch, asked=True)
    groups: dict[Verb, dict[str, list[PlannedStep]]] = defaultdict(lambda: defaultdict(list))
    for one in steps:
        groups[one.step.verb][one.step.reason].append(one)
    names = _names([one.action_id for one in steps if _is_named(groups, one)])
    columns = [_column(verb, groups[verb], names) for verb in ORDER if verb in groups]
    digest = hashlib.sha256(repr(sorted((one.action_id, one.step.verb) for one in steps)).encode())
    return Plan(columns, {one.action_id: one for one in steps}, digest.hexdigest()[:16])


def _is_named(groups: dict[Verb, dict[str, list[PlannedStep]]], one: PlannedStep) -> bool:
    return any(one is named for named in groups[one.step.verb][one.step.reason][:SHOWN])


def _names(action_ids: Sequence[int]) -> dict[int, str]:
    """The few tasks that are named, in one query."""
    actions = (
        Action.objects.filter(pk__in=action_ids)
        .select_related("task__product")
        .only("task__product__name", "task__locale", "task__purpose", "kind")
    )
    return {one.pk: f"{one.task.product.name} › {one.task.locale} › {one.task.purpose}" for one in actions}


def _column(verb: Verb, groups: dict[str, list[PlannedStep]], names: dict[int, str]) -> Column:
    word, means, tone = VERBS[verb]
    reasons = [
        _reason(code, steps, names)
        for code, steps in sorted(groups.items(), key=lambda group: -len(group[1]))
    ]
    return Column(str(verb), str(word), str(means), tone, sum(one.count for one in reasons), reasons)


def _reason(code: str, steps: Sequence[PlannedStep], names: dict[int, str]) -> Reason:
    params: dict[str, list[str]] = defaultdict(list)
    for one in steps:
        for name, value in one.step.params.items():
            # one more than is shown says that there are more
            if len(params[name]) <= SHOWN and value not in params[name]:
                params[name].append(value)
    times = [one.step.not_before for one in steps if one.step.not_before is not None]
    return Reason(
        sentence=sentence(code, {name: _some(values) for name, values in params.items()}),
        count=len(steps),
        which=[names[one.action_id] for one in steps[:SHOWN] if one.action_id in names],
        more=max(0, len(steps) - SHOWN),
        not_before=max(times) if times else None,
    )


def _some(values: Sequence[str]) -> str:
    more = "…" if len(values) > SHOWN else ""
    return ", ".join(values[:SHOWN]) + more
