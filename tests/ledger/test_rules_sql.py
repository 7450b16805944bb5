"""What PostgreSQL itself refuses of an action: arrows, leases, next steps, results."""

from __future__ import annotations

from typing import Any

import pytest

from once_delivery.ledger.models import Action
from once_delivery.ledger.states import FINAL, State, may_go
from tests.ledger.raw import HELD, NOT_HELD, an_action, execute, go, refused_by, tell, update, way_to

pytestmark = pytest.mark.django_db

PAIRS = [(source, to) for source in State for to in State]
OPEN = [state for state in State if state not in FINAL]


def facts(action: Action) -> tuple[str, int]:
    return Action.objects.values_list("state", "revision").get(pk=action.pk)


@pytest.mark.parametrize(("source", "to"), PAIRS, ids=[f"{source}-{to}" for source, to in PAIRS])
def test_an_arrow_exists_in_the_database_exactly_when_it_exists_in_the_table(
    source: State, to: State
) -> None:
    """R10: the trigger and states.ARROWS give the same 81 answers."""
    action = an_action(source)

    if may_go(source=source, to=to):
        go(action, to)
        assert facts(action) == (to, action.revision + 1)
        return
    with refused_by("known_arrows_only"):
        go(action, to)

    assert facts(action) == (source, action.revision)


def test_a_change_of_state_without_its_event_is_refused_at_the_commit() -> None:
    """R10: history cannot be skipped."""
    action = an_action()

    with refused_by("change_leaves_event"):
        go(action, State.CANCELLED, event=False)

    assert facts(action) == (State.PLANNED, 0)


@pytest.mark.django_db(transaction=True)
def test_the_event_is_asked_for_by_a_real_commit() -> None:
    """R10: without SET CONSTRAINTS, as any other program would do it."""
    action = an_action()

    with refused_by("change_leaves_event"):
        update("ledger_action", action.pk, state="cancelled", revision=1, next_step="none", next_step_at=None)

    assert facts(action) == (State.PLANNED, 0)


@pytest.mark.parametrize(
    ("_case", "from_state", "to_state", "revision"),
    [
        ("another end", "planned", "superseded", 1),
        ("another beginning", "refused", "cancelled", 1),
        ("another revision", "planned", "cancelled", 2),
    ],
)
def test_the_event_of_another_change_does_not_count(
    _case: str, from_state: str, to_state: str, revision: int
) -> None:
    """R10: the event must tell this very change."""
    action = an_action()

    with refused_by("change_leaves_event"):
        update("ledger_action", action.pk, state="cancelled", revision=1, next_step="none", next_step_at=None)
        tell(action, from_state=from_state, to_state=to_state, revision=revision)

    assert facts(action) == (State.PLANNED, 0)


def test_a_change_of_state_is_told_once() -> None:
    action = an_action(State.SENDING)

    with refused_by("event_one_a_change_of_state"):
        tell(action, from_state="planned", to_state="sending", revision=1)


@pytest.mark.parametrize("by", [0, 2, -1])
def test_a_change_of_state_raises_the_revision_by_one(by: int) -> None:
    action = an_action(State.SENDING)

    with refused_by("known_arrows_only"):
        go(action, State.UNCERTAIN, by=by)


@pytest.mark.parametrize(
    ("column", "value"), [("revision", 7), ("lease_token", "2f6d3c1a-7a0e-4d1b-9a53-8d2f0c7f4e11")]
)
def test_revision_and_lease_change_with_the_state_alone(column: str, value: object) -> None:
    """R2: nobody takes over a lease that is held."""
    action = an_action(State.SENDING)

    with refused_by("known_arrows_only"):
        update("ledger_action", action.pk, **{column: value})


@pytest.mark.parametrize("state", [state for state in State if state not in {State.SENDING, State.PLANNED}])
def test_only_who_sends_holds_a_lease(state: State) -> None:
    """R2"""
    before = way_to(state)[:-1]
    action = an_action(before[-1] if before else State.PLANNED)

    with refused_by("action_lease_while_sending_only"):
        go(action, state, **HELD)


@pytest.mark.parametrize("missing", sorted(NOT_HELD))
def test_nobody_sends_without_a_lease(missing: str) -> None:
    """R2"""
    action = an_action()

    lease: dict[str, Any] = {missing: None}

    with refused_by("action_lease_while_sending_only"):
        go(action, State.SENDING, **lease)


@pytest.mark.parametrize("state", OPEN)
@pytest.mark.parametrize(
    ("_case", "columns"),
    [
        ("neither", {"next_step": "none", "next_step_at": None}),
        ("no time", {"next_step_at": None}),
        ("no step", {"next_step": "none"}),
    ],
)
def test_what_is_open_has_a_next_step_and_a_time(
    state: State, _case: str, columns: dict[str, object]
) -> None:
    """R13"""
    action = an_action(state)

    with refused_by("action_open_has_next_step_and_time"):
        update("ledger_action", action.pk, **columns)


@pytest.mark.parametrize("state", sorted(FINAL))
def test_what_is_final_has_nothing_left_to_do(state: State) -> None:
    action = an_action(state)

    with refused_by("action_open_has_next_step_and_time"):
        update("ledger_action", action.pk, next_step="look_up", next_step_at="2100-01-01T00:00:00Z")


@pytest.mark.parametrize("state", [State.UNCERTAIN, State.RECONCILE, State.ACCEPTED])
def test_what_may_be_there_is_never_due_to_be_performed(state: State) -> None:
    """R4"""
    action = an_action(state)

    with refused_by("action_uncertain_never_performs"):
        update("ledger_action", action.pk, next_step="perform")


@pytest.mark.parametrize("value", ["done", "failed", ""])
def test_a_state_is_one_of_the_nine(value: str) -> None:
    action = an_action()

    with refused_by("known_arrows_only", "action_state_is_known"):
        update("ledger_action", action.pk, state=value, revision=1)


@pytest.mark.parametrize("state", [State.CONFIRMED, State.ACCEPTED])
def test_nothing_is_confirmed_without_a_result_id(state: State) -> None:
    action = an_action(State.SENDING)

    with refused_by("action_confirmed_has_result_id"):
        go(action, state, result_id="")


@pytest.mark.parametrize("value", ["obj-2", ""])
def test_a_confirmed_action_keeps_its_first_result_id_for_ever(value: str) -> None:
    """R7"""
    action = an_action(State.CONFIRMED)

    with refused_by("confirmed_keeps_result_id"):
        update("ledger_action", action.pk, result_id=value)

    assert Action.objects.get(pk=action.pk).result_id == "obj-1"


@pytest.mark.parametrize(
    "proves", [{"verdict": "absent", "complete": False}, {"verdict": "found", "complete": True}]
)
def test_absence_needs_a_complete_look_that_found_nothing(proves: dict[str, object]) -> None:
    """R5, the part that a row can say of itself."""
    action = an_action(State.UNCERTAIN)

    with refused_by("observation_absence_needs_complete_look"):
        execute(
            "INSERT INTO ledger_observation (project_id, action_id, verdict, method, complete, proves_absence, code, "
            "objects_seen, candidates, detail, looked_at, recorded_at) "
            "VALUES (%s, %s, %s, 'test', %s, true, '', '[]', '[]', '', now(), now())",
            [action.project_id, action.pk, proves["verdict"], proves["complete"]],
        )

    assert action.observations.count() == 0


def test_every_rule_of_the_database_is_there_by_its_name() -> None:
    """A migration that drops one by accident is seen."""
    found = {
        name
        for (name,) in execute(
            r"SELECT conname FROM pg_constraint WHERE conrelid::regclass::text LIKE 'ledger\_%' AND contype IN ('c', 'u') "
            "UNION SELECT indexrelid::regclass::text FROM pg_index WHERE indisunique UNION SELECT tgname FROM pg_trigger"
        )
    }
    assert found >= {
        "action_confirmed_has_result_id",
        "action_kind_is_known",
        "action_lease_while_sending_only",
        "action_marker_once_a_target",
        "action_need_is_another",
        "action_need_once_a_pair",
        "action_once_an_identity",
        "action_open_has_next_step_and_time",
        "action_state_is_known",
        "action_uncertain_never_performs",
        "attempt_number_once_an_action",
        "batch_name_once_a_project",
        "batch_refers_once_to_a_task",
        "event_one_a_change_of_state",
        "input_version_number_from_one",
        "input_version_number_once_a_product",
        "lane_once_a_target",
        "observation_absence_needs_complete_look",
        "once_append_only",
        "once_changes",
        "once_has_event",
        "once_never_deleted",
        "once_no_truncate",
        "once_starts_planned",
        "product_code_once_a_project",
        "receipt_one_in_time_an_attempt",
        "stored_file_once_a_project",
        "task_once_an_identity",
    }
