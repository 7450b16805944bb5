"""The resume plan for a page: verbs with their numbers, reasons with the tasks that they are about."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from once_delivery.ledger.models import Action, Batch
from once_delivery.ledger.reasons import sentence
from once_delivery.ledger.resume import Verb, step_at_rest
from once_delivery.ledger.services.plan_batch import PlannedStep, plan_batch
from once_delivery.ledger.states import FINAL, State
from once_delivery.web.wording import VERBS

SHOWN = 3  # tasks named under a reason
_AT_REST = """
WITH acts AS MATERIALIZED (
    SELECT a.id, a.target_id, a.revision, a.state, a.result_id
    FROM ledger_batchtask r JOIN ledger_action a ON a.task_id = r.task_id
    WHERE r.batch_id = %s AND a.state = ANY(%s)
)
SELECT s.state, s.many, (
    SELECT jsonb_agg(jsonb_build_array(few.id, few.target_id, few.revision, few.result_id) ORDER BY few.id) FROM (
        SELECT * FROM acts WHERE acts.state = s.state ORDER BY acts.id LIMIT %s
    ) few
) FROM (SELECT state, count(*) AS many FROM acts GROUP BY state) s ORDER BY s.state
"""
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
    total: int
    digest: str

    def count(self, *verbs: Verb) -> int:
        return sum(column.count for column in self.columns if column.verb in verbs)

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
    """Read the plan of ``batch``. What is at rest is counted by PostgreSQL and only what is named of it is read."""
    steps = plan_batch(batch=batch, asked=True, at_rest=False)
    resting, more = _resting(batch)
    groups: dict[Verb, dict[str, list[PlannedStep]]] = defaultdict(lambda: defaultdict(list))
    for one in (*resting, *steps):
        groups[one.step.verb][one.step.reason].append(one)
    named = [one for reasons in groups.values() for group in reasons.values() for one in group[:SHOWN]]
    names = _names([one.action_id for one in named])
    columns = [_column(verb, groups[verb], names, more) for verb in ORDER if verb in groups]
    # what is at rest stays so: its number says all of it
    seen = sorted((one.action_id, one.step.verb) for one in steps), sorted(more.items()), len(resting)
    total = len(steps) + len(resting) + sum(more.values())
    return Plan(columns, total, hashlib.sha256(repr(seen).encode()).hexdigest()[:16])


def _resting(batch: Batch) -> tuple[list[PlannedStep], Counter[str]]:
    """The first few actions in each final state, and by reason how many more there are."""
    with connection.cursor() as cursor:
        cursor.execute(_AT_REST, [batch.pk, [str(state) for state in sorted(FINAL)], SHOWN + 1])
        rows = cursor.fetchall()
    found, more = [], Counter[str]()
    for state, many, few in rows:
        firsts = json.loads(few)
        for action_id, target_id, revision, result_id in firsts:
            step = step_at_rest(State(state), result_id)
            found.append(PlannedStep(action_id, target_id, revision, State(state), step))
        more[step_at_rest(State(state), "").reason] = many - len(firsts)
    return found, more


def _names(action_ids: Sequence[int]) -> dict[int, str]:
    """The few tasks that are named, in one query."""
    actions = (
        Action.objects.filter(pk__in=action_ids)
        .select_related("task__product")
        .only("task__product__name", "task__locale", "task__purpose", "kind")
    )
    return {one.pk: f"{one.task.product.name} › {one.task.locale} › {one.task.purpose}" for one in actions}


def _column(
    verb: Verb, groups: dict[str, list[PlannedStep]], names: dict[int, str], more: Mapping[str, int]
) -> Column:
    word, means, tone = VERBS[verb]
    reasons = [
        _reason(code, steps, names, len(steps) + more.get(code, 0))
        for code, steps in sorted(groups.items(), key=lambda group: -len(group[1]) - more.get(group[0], 0))
    ]
    return Column(str(verb), str(word), str(means), tone, sum(one.count for one in reasons), reasons)


def _reason(code: str, steps: Sequence[PlannedStep], names: dict[int, str], count: int) -> Reason:
    params: dict[str, list[str]] = defaultdict(list)
    for one in steps:
        for name, value in one.step.params.items():
            # one more than is shown says that there are more
            if len(params[name]) <= SHOWN and value not in params[name]:
                params[name].append(value)
    times = [one.step.not_before for one in steps if one.step.not_before is not None]
    return Reason(
        sentence=sentence(code, {name: _some(values) for name, values in params.items()}),
        count=count,
        which=[names[one.action_id] for one in steps[:SHOWN] if one.action_id in names],
        more=max(0, count - SHOWN),
        not_before=max(times) if times else None,
    )


def _some(values: Sequence[str]) -> str:
    more = "…" if len(values) > SHOWN else ""
    return ", ".join(values[:SHOWN]) + more
