"""Evidence is append-only, whoever tries (R10); retention may empty what a tombstone need not keep."""

from __future__ import annotations

import json
from typing import Any

import pytest
from psycopg import sql as form

from once_delivery.ledger.models import Action, Attempt, Event, InputVersion, Observation, Receipt, Task
from tests.builders import the_action
from tests.fakes.connector import FakeTarget, answer_lost
from tests.ledger.given import a_batch_of, look, perform
from tests.ledger.raw import execute, refused_by, update

TABLES: dict[str, Any] = {
    "ledger_attempt": Attempt,
    "ledger_receipt": Receipt,
    "ledger_observation": Observation,
    "ledger_event": Event,
    "ledger_inputversion": InputVersion,
    "ledger_task": Task,
}
# what retention may empty, and with what
PURGEABLE = [
    ("ledger_receipt", "excerpt", ""),
    ("ledger_receipt", "detail", ""),
    ("ledger_receipt", "usage", "{}"),
    ("ledger_observation", "candidates", "[]"),
    ("ledger_observation", "detail", ""),
    ("ledger_event", "data", "{}"),
    ("ledger_inputversion", "content", "{}"),
]
CHANGES = [
    ("ledger_attempt", "sender", "another"),
    ("ledger_attempt", "lease_until", "2100-01-01T00:00:00Z"),
    ("ledger_attempt", "replay", True),
    ("ledger_receipt", "outcome", "done"),
    ("ledger_receipt", "result_id", "obj-9"),
    ("ledger_receipt", "excerpt", "another text"),
    ("ledger_receipt", "received_at", "2020-01-01T00:00:00Z"),
    ("ledger_observation", "verdict", "absent"),
    ("ledger_observation", "proves_absence", True),
    ("ledger_observation", "complete", False),
    ("ledger_observation", "objects_seen", "[]"),
    ("ledger_event", "actor", "another"),
    ("ledger_event", "reason", "found"),
    ("ledger_event", "data", '{"other": 1}'),
    ("ledger_inputversion", "content", '{"text": "another"}'),
    ("ledger_inputversion", "fingerprint", "0" * 64),
    ("ledger_inputversion", "number", 2),
    ("ledger_inputversion", "approved_by", "another"),
    ("ledger_task", "locale", "fr-FR"),
    ("ledger_task", "purpose", "another"),
]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def history(fake: FakeTarget) -> Action:
    """An action that was sent, whose answer was lost, and that was found again."""
    batch = a_batch_of()
    fake.scripted = [answer_lost]
    perform(batch, fake)
    assert look(batch, fake) == 1
    return the_action(batch)


def rows() -> dict[str, list[object]]:
    return {table: list(model.objects.order_by("pk").values()) for table, model in TABLES.items()}


@pytest.mark.usefixtures("history")
def test_nothing_of_the_evidence_changes() -> None:
    """R10: every column of every row, by a single UPDATE."""
    before = rows()

    for table, column, value in CHANGES:
        with refused_by("append_only"):
            update(table, TABLES[table].objects.order_by("pk")[0].pk, **{column: value})

    assert rows() == before


@pytest.mark.usefixtures("history")
def test_nothing_of_the_evidence_goes_away() -> None:
    """R10"""
    before = rows()

    for table in [*TABLES, "ledger_action"]:
        with refused_by("append_only"):
            execute(form.SQL("DELETE FROM {}").format(form.Identifier(table)))

    assert rows() == before
    assert Action.objects.count() == 1


@pytest.mark.usefixtures("history")
def test_nothing_is_truncated_where_no_test_database_says_so() -> None:
    """R10: TRUNCATE would go round the triggers of rows."""
    before = rows()

    for table in [*TABLES, "ledger_action"]:
        with refused_by("append_only"):
            execute("SET LOCAL once.may_truncate = 'off'")
            execute(form.SQL("TRUNCATE {} CASCADE").format(form.Identifier(table)))

    assert rows() == before


@pytest.mark.usefixtures("history")
@pytest.mark.parametrize(("table", "column", "empty"), PURGEABLE)
def test_retention_may_empty_what_a_tombstone_need_not_keep(table: str, column: str, empty: str) -> None:
    """DESIGN section 10: the identity, the fingerprint, the result and the events stay."""
    pk = TABLES[table].objects.order_by("pk")[0].pk
    before = TABLES[table].objects.filter(pk=pk).values().get()

    update(table, pk, **{column: empty})

    after = TABLES[table].objects.filter(pk=pk).values().get()
    assert after.pop(column) in ("", {}, [])
    before.pop(column)
    assert after == before


@pytest.mark.usefixtures("history")
def test_emptying_hides_no_other_change() -> None:
    """R10: an UPDATE that purges one column and changes another is refused."""
    receipt = Receipt.objects.get()

    with refused_by("append_only"):
        update("ledger_receipt", receipt.pk, excerpt="", result_id="obj-9")

    assert Receipt.objects.get() == receipt
    assert Receipt.objects.get().result_id == receipt.result_id


def test_what_was_seen_may_lose_its_words_and_nothing_else() -> None:
    """DESIGN section 10: IDs, markers, hashes and times of what a look showed stay."""
    seen = '[{"result_id": "obj-1", "marker": "m", "title": "T", "content": {"title": "T"}, "version": "1"}]'
    batch = a_batch_of()
    row = Observation.objects.create(
        project=batch.project,
        action=the_action(batch),
        verdict="found",
        method="by marker",
        complete=True,
        objects_seen=json.loads(seen),
        looked_at=batch.created_at,
        recorded_at=batch.created_at,
    )
    for other in (
        '[{"result_id": "obj-1", "marker": "m", "version": "2"}]',
        '[{"result_id": "obj-1", "marker": "m", "title": "T", "version": "1"}]',
        "[]",
    ):
        with refused_by("append_only"):
            update("ledger_observation", row.pk, objects_seen=other)

    update(
        "ledger_observation", row.pk, objects_seen='[{"result_id": "obj-1", "marker": "m", "version": "1"}]'
    )

    assert Observation.objects.get().objects_seen == [{"result_id": "obj-1", "marker": "m", "version": "1"}]
