"""Find drafts to review by their keys: every question is answered from one index, however many drafts there are.

In SQL, since the ORM cannot say "the first few of each project": without it PostgreSQL would sort all of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from once_delivery.review.models import ReviewState

Place = tuple[
    int, int
]  # a product and a task: drafts stand by product, then in the order in which they were asked for


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which of the visible drafts of these projects; None: whichever."""

    project_ids: Sequence[int]
    states: Sequence[str] = tuple(ReviewState)
    product_id: int | None = None
    locale: str | None = None
    purpose: str | None = None
    batch: UUID | None = None
    since_before: datetime | None = None  # they stand so for longer than since then
    changed_for: int | None = None  # the ID of a user: the text is not the one that they saw last

    @property
    def few(self) -> bool:
        """So few that all of them are read; they are found through something else than their state."""
        return self.batch is not None or self.changed_for is not None


_EACH = """
SELECT one.task_id FROM unnest(%(projects)s::bigint[]) AS p(id) CROSS JOIN unnest(%(states)s::text[]) AS s(state)
CROSS JOIN LATERAL (
    SELECT d.product_id, d.task_id FROM review_visibledraft d
    WHERE d.project_id = p.id AND d.state = s.state{also}
    ORDER BY d.product_id {way}, d.task_id {way} LIMIT %(many)s
) one
ORDER BY one.product_id {way}, one.task_id {way} LIMIT %(many)s
"""
_FEW = """
WITH few AS MATERIALIZED (
    SELECT d.product_id, d.task_id, d.state FROM {sources}
    WHERE d.project_id = ANY(%(projects)s) AND d.state = ANY(%(states)s){also}
)
"""
_OF_FEW = "SELECT task_id FROM few ORDER BY product_id {way}, task_id {way} LIMIT %(many)s"
_COUNT = """
SELECT s.state, sum(one.many) FROM unnest(%(projects)s::bigint[]) AS p(id) CROSS JOIN unnest(%(states)s::text[]) AS s(state)
CROSS JOIN LATERAL (
    SELECT count(*) AS many FROM (
        SELECT FROM review_visibledraft d WHERE d.project_id = p.id AND d.state = s.state{also}
        ORDER BY d.product_id, d.task_id LIMIT %(many)s
    ) counted
) one
GROUP BY s.state
"""
_COUNT_FEW = "SELECT state, count(*) FROM few GROUP BY state"
_PAGE_OF_FEW = """
SELECT ARRAY(SELECT task_id FROM few WHERE state = ANY(%(chosen)s){behind} ORDER BY product_id, task_id LIMIT %(many)s),
       (SELECT jsonb_object_agg(state, many) FROM (SELECT state, count(*) AS many FROM few GROUP BY state) counted)
"""


def page_of(
    wanted: Wanted, *, states: Sequence[str], many: int, after: Place | None, most: int
) -> tuple[list[int], dict[str, int]]:
    """``tasks_of`` for these states, and ``counts_of``, in one reading where all of the drafts have to be read."""
    if not wanted.few:
        chosen = replace(wanted, states=[state for state in states if state in wanted.states])
        return tasks_of(chosen, many=many, after=after), counts_of(wanted, most=most)
    behind = "" if after is None else " AND (product_id, task_id) > (%(product_at)s, %(task_at)s)"
    template = _FEW + _PAGE_OF_FEW.replace("{behind}", behind)
    ((tasks, counts),) = _rows(
        template, wanted, also="", way="", many=many, chosen=list(map(str, states)), **_at(after)
    )
    return tasks, _up_to(most, wanted, json.loads(counts or "{}").items())


def tasks_of(
    wanted: Wanted, *, many: int, after: Place | None = None, before: Place | None = None
) -> list[int]:
    """The IDs of the first tasks behind ``after``; with ``before`` of the last in front of it, backwards."""
    place = after or before
    also = (
        ""
        if place is None
        else f" AND (d.product_id, d.task_id) {'>' if after else '<'} (%(product_at)s, %(task_at)s)"
    )
    template = _FEW + _OF_FEW if wanted.few else _EACH
    rows = _rows(template, wanted, also=also, way="DESC" if before else "ASC", many=many, **_at(place))
    return [task_id for (task_id,) in rows]


def counts_of(wanted: Wanted, *, most: int) -> dict[str, int]:
    """How many there are in each state of ``wanted``, counted up to ``most``."""
    rows = _rows(_FEW + _COUNT_FEW if wanted.few else _COUNT, wanted, also="", way="", many=most)
    return _up_to(most, wanted, rows)


def _up_to(most: int, wanted: Wanted, counted: Iterable[Any]) -> dict[str, int]:
    there = {state: min(most, int(many)) for state, many in counted}
    return {**dict.fromkeys(map(str, wanted.states), 0), **there}


def _at(place: Place | None) -> dict[str, int]:
    return {} if place is None else {"product_at": place[0], "task_at": place[1]}


def _rows(template: str, wanted: Wanted, *, also: str, way: str, **values: Any) -> list[tuple[Any, ...]]:
    # nothing of what a person typed is part of the statement
    statement = template.format(sources=_sources(wanted), also=_also(wanted) + also, way=way)
    parameters = values | {
        "projects": list(wanted.project_ids),
        "states": list(map(str, wanted.states)),
        "product": wanted.product_id,
        "locale": wanted.locale,
        "purpose": wanted.purpose,
        "batch": wanted.batch,
        "user": wanted.changed_for,
        "since_before": wanted.since_before,
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return list(cursor.fetchall())


def _sources(wanted: Wanted) -> str:
    sources = "review_visibledraft d"
    if wanted.batch is not None:
        sources += (
            " JOIN ledger_batchtask r ON r.task_id = d.task_id JOIN ledger_batch b ON b.id = r.batch_id"
        )
    if wanted.changed_for is not None:
        sources += " JOIN review_seen e ON e.task_id = d.task_id"
    return sources


def _also(wanted: Wanted) -> str:
    conditions = {
        " AND d.product_id = %(product)s": wanted.product_id is not None,
        " AND d.locale = %(locale)s": wanted.locale is not None,
        " AND d.purpose = %(purpose)s": wanted.purpose is not None,
        " AND d.since <= %(since_before)s": wanted.since_before is not None,
        " AND b.uuid = %(batch)s": wanted.batch is not None,
        " AND e.user_id = %(user)s AND e.changed": wanted.changed_for is not None,
    }
    return "".join(condition for condition, holds in conditions.items() if holds)
