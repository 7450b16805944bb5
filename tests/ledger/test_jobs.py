"""Work that the target does later: accepted, asked about until it is finished, never paid twice (FAULTS 18)."""

from __future__ import annotations

from typing import Any

import pytest

from once_delivery.ledger.models import Action, Batch, Observation
from once_delivery.ledger.states import NextStep, State
from once_delivery.targets.base import Answer, FoundObject, Look, Outcome
from tests.builders import the_action
from tests.fakes.clock import DatabaseClock
from tests.fakes.connector import FakeTarget
from tests.ledger.given import (
    a_batch_of,
    cannot_tell,
    claim,
    done,
    events_of,
    look,
    next_at,
    ours,
    put,
    record,
    said,
    seen,
    the_claim,
)

pytestmark = pytest.mark.django_db(transaction=True)

ACCEPTED: Answer = said(Outcome.ACCEPTED, "http-202", result_id="job-1", http_status=202)
KEY: dict[str, Any] = {"guard": "idempotency_key", "window_s": 86_400.0}


def an_accepted_job(**profile: Any) -> Batch:
    batch = a_batch_of(**profile)
    record(batch, (the_claim(batch), ACCEPTED))
    assert the_action(batch).state == State.ACCEPTED
    return batch


def job(batch: Batch, **values: Any) -> FoundObject:
    return ours(the_action(batch), "job-1", **values)


def failed(batch: Batch) -> Look:
    return seen(job(batch, failed=True), code="job-failed")


def ask(batch: Batch, clock: DatabaseClock, *looks: Look) -> FakeTarget:
    """Ask once a look, each when it is due."""
    fake = FakeTarget(scripted_looks=list(looks))
    for _ in looks:
        clock.to(next_at(the_action(batch)))
        assert look(batch, fake) == 1
    return fake


def test_a_job_is_asked_about_by_its_id_until_it_is_finished(clock: DatabaseClock) -> None:
    batch = an_accepted_job()

    fake = ask(
        batch, clock, seen(job(batch, finished=False)), seen(job(batch, finished=False)), seen(job(batch))
    )

    action = the_action(batch)
    assert (action.state, action.result_id, action.reason) == ("confirmed", "job-1", "job-finished")
    assert [request.result_id for request in fake.looks] == ["job-1"] * 3
    assert events_of(action)[1:] == [
        ("sending", "accepted", "job-accepted"),
        ("accepted", "confirmed", "job-finished"),
    ]


def test_a_long_job_is_asked_about_less_and_less_often(clock: DatabaseClock) -> None:
    batch = an_accepted_job()
    pauses = []
    for _ in range(10):
        began = clock.now()
        ask(batch, clock, seen(job(batch, finished=False)))
        pauses.append(round((next_at(the_action(batch)) - clock.now()).total_seconds()))
        assert clock.now() > began

    assert pauses == [5, 10, 20, 40, 80, 160, 300, 300, 300, 300]
    assert the_action(batch).state == State.ACCEPTED


def test_a_job_that_failed_made_nothing_and_may_be_tried_again_under_a_new_key(clock: DatabaseClock) -> None:
    """The old key would bring back the failed job for ever."""
    batch = an_accepted_job(**KEY)
    ask(batch, clock, failed(batch))
    action = the_action(batch)
    assert (action.state, action.reason, action.next_step) == ("refused", "job-failed", NextStep.PERSON)

    put(action, next_step=NextStep.PERFORM)
    again = the_claim(batch)
    record(batch, (again, done("job-2")))

    action = the_action(batch)
    assert again.key_generation == 2
    assert (action.state, action.result_id, action.presence) == ("confirmed", "job-2", "unchecked")
    assert not action.events.filter(kind="duplicate.seen").exists()


def test_a_failed_job_that_is_found_again_after_a_lost_answer_is_refused(clock: DatabaseClock) -> None:
    batch = a_batch_of()
    record(batch, (the_claim(batch), said(Outcome.UNKNOWN)))

    ask(batch, clock, failed(batch), failed(batch))

    assert events_of(the_action(batch))[-2:] == [
        ("uncertain", "accepted", "found"),
        ("accepted", "refused", "job-failed"),
    ]


@pytest.mark.parametrize(
    "profile",
    [{}, {"guard": "client_id"}, {"guard": "none", "look_up": True}, {**KEY, "window_s": 1.0}],
    ids=["lookup", "client_id", "none", "key, window over"],
)
def test_a_job_that_the_target_has_forgotten_is_not_paid_again_by_the_program(
    profile: dict[str, Any], clock: DatabaseClock
) -> None:
    """It had an ID: that it is gone does not say that it was never made. A person decides."""
    batch = an_accepted_job(**profile)
    clock.forward(86_400)

    ask(batch, clock, seen())
    if the_action(batch).state == State.UNCERTAIN:
        ask(batch, clock, seen())

    assert (the_action(batch).state, the_action(batch).next_step) == (State.RECONCILE, NextStep.PERSON)
    assert claim(batch) is None


def test_under_its_key_the_target_itself_says_which_job_it_is(clock: DatabaseClock) -> None:
    batch = an_accepted_job(**KEY)
    ask(batch, clock, seen(), seen())

    again = the_claim(batch)
    record(batch, (again, ACCEPTED))

    assert (again.replay, again.key_generation) == (True, 1)
    assert (the_action(batch).state, the_action(batch).result_id) == ("accepted", "job-1")


def test_a_target_that_cannot_tell_about_a_job_for_too_long_is_for_a_person(clock: DatabaseClock) -> None:
    """R13: and not asked for ever."""
    batch = an_accepted_job()
    began = clock.now()
    asked = 0
    while the_action(batch).state in {State.ACCEPTED, State.UNCERTAIN} and asked < 100:
        ask(batch, clock, cannot_tell())
        asked += 1

    assert (the_action(batch).state, the_action(batch).reason) == (State.RECONCILE, "target-cannot-tell")
    assert 3600 <= (clock.now() - began).total_seconds() < 3 * 3600
    assert asked < 40
    assert claim(batch) is None


def test_a_job_that_was_seen_running_gives_new_patience(clock: DatabaseClock) -> None:
    batch = an_accepted_job()
    for _ in range(4):
        clock.forward(3000)
        ask(batch, clock, cannot_tell(), seen(job(batch, finished=False)))

    assert the_action(batch).state == State.ACCEPTED


@pytest.mark.parametrize("number", [2, 3])
def test_two_jobs_of_ours_are_for_a_person(number: int, clock: DatabaseClock) -> None:
    """R6"""
    batch = an_accepted_job()
    jobs = [ours(the_action(batch), f"job-{index}") for index in range(number)]

    ask(batch, clock, seen(*jobs), seen(*jobs))

    assert (the_action(batch).state, the_action(batch).presence) == (State.RECONCILE, "duplicate")


def test_something_that_looks_alike_does_not_keep_a_forgotten_job_in_the_dark(clock: DatabaseClock) -> None:
    batch = an_accepted_job()
    other = seen(candidates=(FoundObject("job-7", None),))

    ask(batch, clock, other, other)

    assert (the_action(batch).state, the_action(batch).reason) == (State.RECONCILE, "looks-alike")
    assert Observation.objects.count() == 2
    assert Action.objects.get().result_id == "job-1"
