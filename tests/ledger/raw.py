"""Raw SQL past everything that Python would check first, and the refusals that must come back."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.db import IntegrityError, connection, transaction
from psycopg import sql as form

from once_delivery.ledger.models import Action
from once_delivery.ledger.states import ARROWS, FINAL, State
from tests.builders import a_batch, a_project, a_target, the_action

FAR = "2100-01-01T00:00:00Z"
HELD: dict[str, Any] = {"lease_token": "00000000-0000-0000-0000-000000000001", "lease_until": FAR}
NOT_HELD: dict[str, Any] = {"lease_token": None, "lease_until": None}


def execute(statement: str | form.Composable, parameters: list[Any] | None = None) -> list[tuple[Any, ...]]:
    """Run one statement; returns its rows."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return list(cursor.fetchall()) if cursor.description else []


def update(table: str, pk: int, **columns: Any) -> None:
    """Set columns of one row."""
    values = form.SQL(", ").join(form.SQL("{} = %s").format(form.Identifier(name)) for name in columns)
    statement = form.SQL("UPDATE {} SET {} WHERE id = %s").format(form.Identifier(table), values)
    execute(statement, [*columns.values(), pk])


def insert_copy(table: str, pk: int, **columns: Any) -> None:
    """Insert a second row like the one with ``pk``, with other values in ``columns``."""
    names = [
        name
        for (name,) in execute(
            "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND attname <> 'id'",
            [table],
        )
    ]
    chosen = [form.SQL("%s") if name in columns else form.Identifier(name) for name in names]
    statement = form.SQL("INSERT INTO {} ({}) SELECT {} FROM {} WHERE id = %s").format(
        form.Identifier(table),
        form.SQL(", ").join(map(form.Identifier, names)),
        form.SQL(", ").join(chosen),
        form.Identifier(table),
    )
    execute(statement, [*(columns[name] for name in names if name in columns), pk])


@contextmanager
def committed() -> Iterator[None]:
    """What the commit would check is checked at the end of the block."""
    with transaction.atomic():
        yield
        execute("SET CONSTRAINTS ALL IMMEDIATE")
        execute("SET CONSTRAINTS ALL DEFERRED")


@contextmanager
def refused_by(*rules: str) -> Iterator[None]:
    """PostgreSQL refuses the block by the name of a rule, and nothing of it stays."""
    with pytest.raises(IntegrityError) as error, committed():
        yield
    assert isinstance(error.value.__cause__, psycopg.Error)
    assert error.value.__cause__.diag.constraint_name in rules


def an_action(state: State = State.PLANNED) -> Action:
    """An action that came to ``state`` along known arrows."""
    project = a_project()
    a_target(project)
    action = the_action(a_batch(project))
    for step in way_to(state):
        go(action, step)
    action.refresh_from_db()
    assert action.state == state
    return action


def way_to(state: State) -> list[State]:
    """The shortest way from planned to ``state``."""
    ways: deque[list[State]] = deque([[]])
    while True:
        way = ways.popleft()
        here = way[-1] if way else State.PLANNED
        if here == state:
            return way
        ways.extend([*way, there] for there in sorted(ARROWS[here]) if there not in way)


def go(action: Action, to: State, *, event: bool = True, by: int = 1, **columns: Any) -> None:
    """Change the state with all that belongs to it; the rules say whether that may be."""
    before = Action.objects.get(pk=action.pk)
    values: dict[str, Any] = {"state": to, "revision": before.revision + by}
    values |= (
        {"next_step": "none", "next_step_at": None}
        if to in FINAL
        else {"next_step": "look_up", "next_step_at": FAR}
    )
    values |= HELD if to == State.SENDING else NOT_HELD
    values |= {"result_id": "obj-1"} if to in {State.CONFIRMED, State.ACCEPTED} else {}
    with committed():
        update("ledger_action", action.pk, **(values | columns))
        if event:
            tell(before, from_state=before.state, to_state=to, revision=before.revision + by)


def tell(action: Action, *, from_state: str, to_state: str, revision: int) -> None:
    """Write the event of one change of state."""
    execute(
        "INSERT INTO ledger_event (project_id, action_id, kind, revision, from_state, to_state, reason, actor, data, at) "
        "VALUES (%s, %s, 'state', %s, %s, %s, 'found', 'test', '{}', now())",
        [action.project_id, action.pk, revision, from_state, to_state],
    )
