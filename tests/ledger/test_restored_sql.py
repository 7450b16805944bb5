"""After a restore of the database, what PostgreSQL itself refuses; and the command that says so."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from once_delivery.ledger.models import Restoration
from once_delivery.ledger.restoring import LOOKED, RESTORED
from once_delivery.ledger.states import AFTER_A_RESTORE, State
from tests.builders import a_user
from tests.fakes.clock import DatabaseClock
from tests.ledger.given import a_batch_of, state_of
from tests.ledger.raw import an_action, execute, go, refused_by

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(("source", "to"), sorted(AFTER_A_RESTORE))
def test_the_arrows_exist_under_their_reasons_and_after_a_restore_alone(source: State, to: State) -> None:
    """R10"""
    action = an_action(source)
    with refused_by("known_arrows_only"):
        go(action, to, reason=RESTORED)
    put_restoration()
    with refused_by("known_arrows_only"):
        go(action, to, reason="found")
    go(action, to, reason=RESTORED)
    assert state_of(action) == to


@pytest.mark.parametrize("source", [State.CONFIRMED, State.CANCELLED, State.SUPERSEDED, State.RECONCILE])
def test_no_other_arrow_exists_under_them(source: State) -> None:
    action = an_action(source)
    put_restoration()
    with refused_by("known_arrows_only"):
        go(action, State.UNCERTAIN, reason=RESTORED)


def test_nobody_sends_what_was_not_looked_for() -> None:
    action = an_action()
    put_restoration()
    with refused_by("look_first_after_restore"):
        go(action, State.SENDING)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM ledger_restoration",
        "UPDATE ledger_restoration SET since = since - interval '1 hour'",
        "UPDATE ledger_restoration SET ended_at = NULL, ended_by = ''",
        "UPDATE ledger_restoration SET opened_by = 'another', ended_at = now(), ended_by = 'another'",
    ],
)
def test_a_restoration_is_written_once(statement: str) -> None:
    """R10"""
    put_restoration()
    with refused_by("append_only"):
        execute(statement)


def test_the_reasons_that_count_are_the_same_in_both_places() -> None:
    (source,) = execute("SELECT prosrc FROM pg_proc WHERE proname = 'once_awaits_look'")
    listed = str(source[0]).rpartition("IN (")[2].partition(")")[0]
    assert {one.strip(" '") for one in listed.split(",")} == LOOKED


def put_restoration() -> None:
    execute(
        "INSERT INTO ledger_restoration (since, opened_at, opened_by, ended_by) "
        "VALUES (now() - interval '1 hour', now(), 'test', '')"
    )


def told(*args: str) -> str:
    out = StringIO()
    call_command("ledger_restored", *args, stdout=out)
    return out.getvalue()


def test_the_command_opens_lists_and_ends(clock: DatabaseClock) -> None:
    a_user("ops")
    a_batch_of(2)
    assert "never" in told()
    since = (clock.now() - timedelta(hours=3)).isoformat()
    assert "2 actions may have been sent" in told("--since", since, "--user", "ops")
    assert "0 actions may have been sent" in told("--since", since)
    assert "open since" in told()
    assert "2 actions are still uncertain" in told("--end")
    assert "No restoration is open" in told("--end")
    assert "nothing is changed" in told("--since", since)
    one = Restoration.objects.get()
    assert (one.opened_by, one.ended_by) == ("user:ops", "system:ledger_restored")


@pytest.mark.parametrize(
    "args",
    [("--since", "yesterday"), ("--since", "2026-13-01"), ("--since", "2999-01-01T00:00"), ("--since", "2026-01-01T00:00", "--user", "nobody")],
)  # fmt: skip
def test_what_the_command_cannot_use_is_said(args: tuple[str, ...]) -> None:
    with pytest.raises(CommandError) as error:
        told(*args)
    assert error.value.returncode == 2
    assert not Restoration.objects.exists()
