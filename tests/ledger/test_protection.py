"""Sending again under the target's protection: valid at the moment of sending, or not at all (R4, FAULTS 7)."""

from __future__ import annotations

from typing import Any

import pytest

from once_delivery.ledger.models import Attempt, Batch
from once_delivery.ledger.states import NextStep, State
from once_delivery.targets.models import Target
from tests.builders import the_action
from tests.fakes.clock import DatabaseClock
from tests.fakes.connector import FakeTarget, answer_lost, never_left
from tests.ledger.given import REAL_LIFE, a_batch_of, events_of, look, next_at, perform, the_target

pytestmark = pytest.mark.django_db(transaction=True)

KEY: dict[str, Any] = {"guard": "idempotency_key", "window_s": 3600.0, "window_margin_s": 90.0}
ALONE = {**KEY, "look_up": False}
ASKED = {**KEY, "look_up": True, "consistency": "strong"}
LAST_MOMENT = 3600.0 - 90.0


def a_lost_answer(fake: FakeTarget, **profile: Any) -> Batch:
    """Created at the target under a key that it will honour for an hour; the answer is lost."""
    fake.protects = "key"
    fake.scripted = [answer_lost]
    batch = a_batch_of(**profile)
    perform(batch, fake)
    assert the_action(batch).next_step == NextStep.REPLAY if profile["look_up"] is False else NextStep.LOOK_UP
    return batch


def test_inside_the_window_the_same_key_brings_the_first_result(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    batch = a_lost_answer(fake, **ALONE)
    clock.forward(LAST_MOMENT - 10)

    perform(batch, fake)

    first, second = fake.creates
    assert (the_action(batch).state, the_action(batch).result_id) == (State.CONFIRMED, "obj-1")
    assert (first.idempotency_key, first.payload) == (second.idempotency_key, second.payload)
    assert (first.replay, second.replay, len(fake.objects)) == (False, True, 1)


@pytest.mark.parametrize(
    ("profile", "state", "reason"),
    [(ALONE, State.RECONCILE, "protection-over"), (ASKED, State.UNCERTAIN, "replay-not-answered")],
    ids=["key alone", "key with look-up"],
)
def test_a_replay_that_waited_past_the_window_does_not_leave(
    profile: dict[str, Any], state: State, reason: str, clock: DatabaseClock, fake: FakeTarget
) -> None:
    """The workers were down, or the target rested: what was decided inside the window is decided anew."""
    batch = a_lost_answer(fake, **profile)
    if profile is ASKED:
        fake.objects, hidden = [], fake.objects
        look(batch, fake)
        fake.objects = hidden
    assert the_action(batch).next_step == NextStep.REPLAY
    clock.forward(LAST_MOMENT + 1)
    fake.keys.clear()  # the target has forgotten the key by then

    perform(batch, fake)

    action = the_action(batch)
    assert (action.state, action.reason, action.releases) == (state, reason, 1)
    assert (len(fake.creates), len(fake.objects)) == (1, 1)


def test_past_the_window_the_target_is_asked_and_the_original_found(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    batch = a_lost_answer(fake, **ASKED)
    clock.forward(LAST_MOMENT + 1)

    assert look(batch, fake) == 1

    assert (the_action(batch).state, the_action(batch).result_id) == (State.CONFIRMED, "obj-1")
    assert len(fake.creates) == 1


def test_a_guard_that_was_taken_back_protects_no_more(clock: DatabaseClock, fake: FakeTarget) -> None:
    """A probe refuted the profile between the decision and the send."""
    batch = a_lost_answer(fake, **ALONE)
    Target.objects.update(profile_data={**REAL_LIFE, "guard": "none"})

    perform(batch, fake)

    assert (the_action(batch).state, the_action(batch).reason) == (State.RECONCILE, "cannot-be-asked")
    assert len(fake.creates) == 1


def test_a_target_that_was_down_for_days_still_has_its_whole_window(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    """The window begins with the first send, and what never left was none (FAULTS 22)."""
    fake.protects = "key"
    batch = a_batch_of(**ALONE)
    for _ in range(4):
        fake.scripted = [never_left]
        perform(batch, fake)
        clock.forward(86_400)
    fake.scripted = [answer_lost]
    perform(batch, fake)

    clock.to(next_at(the_action(batch)))
    perform(batch, fake)

    assert (the_action(batch).state, fake.ids(the_action(batch).marker)) == (State.CONFIRMED, ["obj-1"])
    assert [attempt.replay for attempt in Attempt.objects.order_by("number")] == [False] * 5 + [True]


def test_replays_pause_longer_each_time_and_end_with_a_person(clock: DatabaseClock, fake: FakeTarget) -> None:
    """Answered never: neither hammering nor for ever."""
    fake.protects = "client_id"
    batch = a_batch_of(guard="client_id", look_up=False, attempts_max=6)
    fake.scripted = [answer_lost] * 10
    pauses = []
    perform(batch, fake)
    while the_action(batch).state == State.UNCERTAIN:
        due = next_at(the_action(batch))
        pauses.append(round((due - clock.now()).total_seconds()))
        clock.to(due)
        clock.forward(300)  # and past every rest of the gate
        perform(batch, fake)

    assert pauses == [0, 10, 20, 40, 80]
    assert (the_action(batch).state, the_action(batch).reason) == (State.RECONCILE, "too-many-attempts")
    assert (len(fake.creates), len(fake.objects)) == (6, 1)
    assert events_of(the_action(batch))[-1] == ("uncertain", "reconcile", "too-many-attempts")


def test_what_the_target_says_it_has_is_asked_for_and_adopted(clock: DatabaseClock, fake: FakeTarget) -> None:
    """Our own ID: the second create makes nothing, and the first object is read and taken."""
    fake.protects = "client_id"
    fake.scripted = [answer_lost]
    batch = a_batch_of(guard="client_id")
    perform(batch, fake)
    hidden, fake.objects = fake.objects, []
    look(batch, fake)
    fake.objects = hidden

    perform(batch, fake)
    assert events_of(the_action(batch))[-1] == ("sending", "uncertain", "says-exists")
    look(batch, fake)

    assert (the_action(batch).state, the_action(batch).result_id) == (State.CONFIRMED, "obj-1")
    assert (len(fake.creates), len(fake.objects)) == (2, 1)
    assert the_target(batch).profile.guard == "client_id"
