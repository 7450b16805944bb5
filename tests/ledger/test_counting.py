"""Counting the objects of what is confirmed: shown as it is, never repaired by creating (R6, R7, R11)."""

from __future__ import annotations

from typing import Any

import pytest

from once_delivery.ledger.models import Batch, Event, Observation
from once_delivery.ledger.services.expire_leases import expire_leases
from once_delivery.ledger.states import State
from once_delivery.targets.base import Look, Outcome, Presence
from reconciliation.models import Case, CaseKind, Finding
from reconciliation.services.open_cases import open_cases
from tests.builders import the_action
from tests.fakes.clock import DatabaseClock
from tests.fakes.connector import FakeTarget, answer_lost, lost_before
from tests.ledger.given import (
    LEASE_S,
    UNKNOWN,
    a_batch_of,
    cannot_tell,
    done,
    look,
    ours,
    perform,
    put,
    record,
    said,
    seen,
    the_claim,
)

pytestmark = pytest.mark.django_db(transaction=True)
SETTLE_S = 600.0


def a_recovered_one(clock: DatabaseClock, fake: FakeTarget, **profile: Any) -> Batch:
    """Lost, absent for certain, and made by a second request: the first might still have landed."""
    fake.scripted = [lost_before]
    batch = a_batch_of(**profile)
    perform(batch, fake)
    clock.forward(SETTLE_S + 1)
    put(the_action(batch), next_step_at=clock.now())
    look(batch, fake)
    perform(batch, fake)
    assert the_action(batch).state == State.CONFIRMED
    return batch


def count(batch: Batch, clock: DatabaseClock, shown: Look) -> str:
    """Count when it is due; returns the presence."""
    due = the_action(batch).check_due_at
    assert due is not None
    clock.to(due)
    assert look(batch, FakeTarget(scripted_looks=[shown]), checks=True) == 1
    return str(the_action(batch).presence)


def test_what_was_made_at_once_is_not_counted(fake: FakeTarget) -> None:
    batch = a_batch_of()
    perform(batch, fake)

    assert the_action(batch).check_due_at is None


def test_what_was_recovered_is_counted_when_nothing_can_land_any_more(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    batch = a_recovered_one(clock, fake)
    began = clock.now()

    assert count(batch, clock, seen(ours(the_action(batch)))) == Presence.PRESENT

    assert SETTLE_S - 5 < (clock.now() - began).total_seconds() < SETTLE_S + 5
    assert the_action(batch).check_due_at is None
    assert fake.looks[-1].result_id == ""


def test_what_was_found_after_two_requests_is_counted_too(clock: DatabaseClock, fake: FakeTarget) -> None:
    """R6: the other one may land yet."""
    fake.scripted = [lost_before]
    batch = a_batch_of()
    perform(batch, fake)
    clock.forward(SETTLE_S + 1)
    put(the_action(batch), next_step_at=clock.now())
    look(batch, fake)
    fake.scripted = [answer_lost]
    perform(batch, fake)
    clock.forward(1)
    put(the_action(batch), next_step_at=clock.now())
    look(batch, fake)
    action = the_action(batch)
    assert (action.state, action.result_id) == ("confirmed", "obj-1")

    assert count(batch, clock, seen(ours(action), ours(action, "obj-2"))) == Presence.DUPLICATE


def test_a_second_one_is_a_finding_with_an_owner_and_nothing_is_deleted(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    """R6, R13: the first ID stays."""
    batch = a_recovered_one(clock, fake)
    action = the_action(batch)

    count(batch, clock, seen(ours(action), ours(action, "obj-2")))
    open_cases()

    action = the_action(batch)
    assert (action.state, action.result_id, action.presence) == ("confirmed", "obj-1", Presence.DUPLICATE)
    case = Case.objects.get(action=action)
    assert (case.kind, case.reason) == (CaseKind.DUPLICATE, "found-many")
    assert Finding.objects.get(action=action).evidence == {"result_ids": ["obj-1", "obj-2"]}
    assert len(fake.creates) == 2


def test_another_object_with_our_marker_in_the_place_of_ours_is_a_second_one(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    """R6: two of ours were made, even if only one is left."""
    batch = a_recovered_one(clock, fake)

    assert count(batch, clock, seen(ours(the_action(batch), "obj-7"))) == Presence.DUPLICATE

    assert Event.objects.get(kind="duplicate.seen").data == {"result_ids": ["obj-1", "obj-7"]}
    assert the_action(batch).result_id == "obj-1"


@pytest.mark.parametrize(
    ("values", "presence"),
    [({"trashed": True}, Presence.TRASHED), ({"status": "published"}, Presence.PRESENT)],
)
def test_what_an_editor_did_is_shown(
    values: dict[str, Any], presence: str, clock: DatabaseClock, fake: FakeTarget
) -> None:
    """R7, FAULTS 13"""
    batch = a_recovered_one(clock, fake)

    assert count(batch, clock, seen(ours(the_action(batch), **values))) == presence


def test_what_is_gone_is_shown_and_not_made_again(clock: DatabaseClock, fake: FakeTarget) -> None:
    """R7, FAULTS 13"""
    batch = a_recovered_one(clock, fake)

    assert count(batch, clock, seen()) == Presence.MISSING

    assert perform(batch, fake) is None
    assert (the_action(batch).state, the_action(batch).result_id, len(fake.creates)) == (
        "confirmed",
        "obj-1",
        2,
    )


@pytest.mark.parametrize(
    "shown", [cannot_tell(), seen(complete=False)], ids=["cannot tell", "not to the end"]
)
def test_a_count_that_cannot_tell_says_nothing_and_comes_again(
    shown: Look, clock: DatabaseClock, fake: FakeTarget
) -> None:
    """R5"""
    batch = a_recovered_one(clock, fake)
    before = the_action(batch).presence

    assert count(batch, clock, shown) == before

    assert count(batch, clock, seen(ours(the_action(batch)))) == Presence.PRESENT


def test_a_target_that_never_tells_is_counted_less_and_less_often(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    """A thousand recovered drafts at a target that is down for three days."""
    batch = a_recovered_one(clock, fake)
    began = clock.now()
    while (clock.now() - began).total_seconds() < 86_400:
        count(batch, clock, cannot_tell())

    assert Observation.objects.filter(verdict="cannot_tell").count() < 24 * 13


def test_where_an_index_lags_it_is_not_counted_before_that(clock: DatabaseClock, fake: FakeTarget) -> None:
    """Or what was just made would be called missing."""
    fake.protects = "client_id"
    fake.scripted = [lost_before]
    batch = a_batch_of(guard="client_id", look_up=True, consistency="bounded", index_lag_s=3600.0)
    perform(batch, fake)
    clock.forward(1)
    put(the_action(batch), next_step_at=clock.now())
    look(batch, fake)
    perform(batch, fake)
    due = the_action(batch).check_due_at

    assert due is not None
    assert (due - clock.now()).total_seconds() > SETTLE_S + 3600 - 5


def test_two_that_were_seen_stay_seen_when_a_late_answer_confirms(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    """R6, R8: the answer names one of them; the other is still there."""
    batch = a_batch_of()
    claimed = the_claim(batch)
    clock.forward(LEASE_S + 1)
    expire_leases()
    action = the_action(batch)
    fake.scripted_looks = [seen(ours(action), ours(action, "obj-2"))]
    look(batch, fake)

    record(batch, (claimed, done("obj-1")))
    open_cases()

    action = the_action(batch)
    assert (action.state, action.result_id, action.presence) == ("confirmed", "obj-1", Presence.DUPLICATE)
    assert Case.objects.get(action=action).kind == CaseKind.DUPLICATE


def test_what_a_late_answer_confirms_after_two_requests_is_counted(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    """R6: the second request may have made another."""
    batch = a_batch_of(guard="client_id", look_up=True)
    first = the_claim(batch)
    clock.forward(LEASE_S + 1)
    expire_leases()
    look(batch, FakeTarget())
    second = the_claim(batch)
    record(batch, (second, UNKNOWN))

    record(batch, (first, done("obj-1")))

    assert the_action(batch).state == State.CONFIRMED
    assert the_action(batch).check_due_at is not None
    assert count(batch, clock, seen(ours(the_action(batch)))) == Presence.PRESENT
    assert said(Outcome.DONE).outcome == "done"
