"""An action is what it was asked to be: PostgreSQL keeps its identity, its content and its project."""

from __future__ import annotations

from uuid import uuid4

import pytest

from once_delivery.ledger.models import Action
from once_delivery.ledger.states import FINAL, State
from tests.builders import a_batch, a_project, a_target, the_action
from tests.ledger.raw import an_action, insert_copy, refused_by, update

pytestmark = pytest.mark.django_db

OPEN = [state for state in State if state not in FINAL]


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("kind", "upload_file"),
        ("slot", "other"),
        ("marker", "once-other"),
        ("client_id", "2f6d3c1a-7a0e-4d1b-9a53-8d2f0c7f4e11"),
        ("uuid", "5b1e6a52-61f3-4f0e-8f0c-1d7b0a3e9c77"),
        ("fingerprint", "0" * 64),
        ("created_at", "2020-01-01T00:00:00Z"),
    ],
)
def test_the_identity_of_an_action_never_changes(column: str, value: str) -> None:
    """R9"""
    action = an_action()

    with refused_by("action_identity_is_fixed"):
        update("ledger_action", action.pk, **{column: value})


@pytest.mark.parametrize("column", ["project_id", "task_id", "target_id"])
def test_an_action_never_moves_to_another_place(column: str) -> None:
    """R14"""
    action = an_action()
    other = a_project("borealis")
    a_target(other)
    elsewhere = the_action(a_batch(other))

    with refused_by("action_identity_is_fixed"):
        update("ledger_action", action.pk, **{column: getattr(elsewhere, column)})


@pytest.mark.parametrize("state", State)
def test_the_payload_never_changes(state: State) -> None:
    """R9"""
    action = an_action(state)

    with refused_by("action_identity_is_fixed"):
        update("ledger_action", action.pk, payload='{"title": "other"}')


@pytest.mark.parametrize("state", sorted(FINAL))
def test_retention_may_empty_the_payload_of_what_is_final(state: State) -> None:
    action = an_action(state)

    update("ledger_action", action.pk, payload="{}")

    after = Action.objects.get(pk=action.pk)
    assert (after.payload, after.fingerprint) == ({}, action.fingerprint)


@pytest.mark.parametrize("state", OPEN)
def test_what_may_still_be_sent_keeps_its_payload(state: State) -> None:
    """R9: emptied too early, it would be sent as another content under the same identity."""
    action = an_action(state)

    with refused_by("action_identity_is_fixed"):
        update("ledger_action", action.pk, payload="{}")

    assert Action.objects.get(pk=action.pk).payload == action.payload


@pytest.mark.parametrize(
    ("_case", "columns"),
    [
        (
            "confirmed",
            {"state": "confirmed", "next_step": "none", "next_step_at": None, "result_id": "obj-9"},
        ),
        ("with a history", {"revision": 1}),
        ("with a result", {"result_id": "obj-9"}),
    ],
)
def test_an_action_begins_as_planned(_case: str, columns: dict[str, object]) -> None:
    action = an_action()

    with refused_by("action_starts_planned"):
        insert_copy(
            "ledger_action", action.pk, uuid=str(uuid4()), slot="second", marker="once-second", **columns
        )

    assert Action.objects.count() == 1


@pytest.mark.parametrize(
    "foreign", [("target_id",), ("project_id",), ("project_id", "target_id"), ("task_id",)]
)
def test_task_target_and_action_belong_to_one_project(foreign: tuple[str, ...]) -> None:
    """R14"""
    action = an_action()
    other = a_project("borealis")
    a_target(other)
    elsewhere = the_action(a_batch(other))
    values = {column: getattr(elsewhere, column) for column in foreign}

    with refused_by("one_project"):
        insert_copy(
            "ledger_action", action.pk, uuid=str(uuid4()), slot="second", marker="once-second", **values
        )

    assert Action.objects.count() == 2


@pytest.mark.parametrize(
    ("rule", "columns"),
    [
        ("action_once_an_identity", {"marker": "once-other"}),
        ("action_marker_once_a_target", {"slot": "other"}),
    ],
)
def test_one_action_an_identity_and_one_marker_a_target(rule: str, columns: dict[str, object]) -> None:
    action = an_action()

    with refused_by(rule):
        insert_copy("ledger_action", action.pk, uuid=str(uuid4()), **columns)


@pytest.mark.parametrize(
    ("rule", "table", "field"),
    [
        ("task_once_an_identity", "ledger_task", "task_id"),
        ("batch_name_once_a_project", "ledger_batch", "batch_id"),
    ],
)
def test_asked_for_twice_is_there_once(rule: str, table: str, field: str) -> None:
    action = an_action()
    reference = action.task.references.get()

    with refused_by(rule):
        insert_copy(table, getattr(reference, field), uuid=str(uuid4()))


@pytest.mark.parametrize(
    ("rule", "table"),
    [
        ("product_code_once_a_project", "ledger_product"),
        ("input_version_number_once_a_product", "ledger_inputversion"),
        ("batch_refers_once_to_a_task", "ledger_batchtask"),
    ],
)
def test_products_versions_and_references_are_there_once(rule: str, table: str) -> None:
    action = an_action()
    places = {
        "ledger_product": action.task.product_id,
        "ledger_inputversion": action.task.input_version_id,
        "ledger_batchtask": action.task.references.get().pk,
    }

    with refused_by(rule):
        insert_copy(table, places[table])
