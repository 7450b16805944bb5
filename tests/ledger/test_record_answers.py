"""What came back is written down once, fenced by the attempt's token; late truth is kept and used (R8)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from once_delivery.ledger.claims import Claimed
from once_delivery.ledger.models import Action, Batch, Event, Receipt
from once_delivery.ledger.services import decide
from once_delivery.ledger.services.expire_leases import expire_leases
from once_delivery.ledger.states import NextStep, State
from once_delivery.targets.base import Answer, Outcome, Presence
from tests.builders import a_user, the_action
from tests.fakes.clock import DatabaseClock
from tests.fakes.connector import FakeTarget
from tests.ledger.given import (
    LEASE_S,
    UNKNOWN,
    a_batch_of,
    done,
    events_of,
    look,
    put,
    record,
    said,
    the_claim,
)

pytestmark = pytest.mark.django_db(transaction=True)

ACCEPTED = said(Outcome.ACCEPTED, "http-202", result_id="job-1", http_status=202)
NOTHING_MADE = [
    said(Outcome.NOT_SENT, "connect-refused"),
    said(Outcome.NOT_DONE, "http-429", http_status=429),
    said(Outcome.REFUSED, "http-422", http_status=422),
]


def facts(batch: Batch) -> tuple[str, str, str]:
    action = the_action(batch)
    return action.state, action.result_id, action.next_step


@pytest.mark.parametrize(
    ("answer", "state", "step", "reason"),
    [
        (done(), "confirmed", "none", "answered"),
        (ACCEPTED, "accepted", "look_up", "job-accepted"),
        (said(Outcome.EXISTS, "exists", http_status=409), "uncertain", "look_up", "says-exists"),
        (UNKNOWN, "uncertain", "look_up", "answer-unknown"),
        (said(Outcome.REFUSED, "http-422", http_status=422), "refused", "person", "target-refused"),
        (said(Outcome.NOT_SENT, "connect-refused"), "planned", "perform", "never-left"),
        (said(Outcome.NOT_DONE, "http-429", http_status=429), "planned", "perform", "not-processed"),
    ],
    ids=lambda value: value.outcome if isinstance(value, Answer) else None,
)
def test_an_answer_in_time_says_what_follows(answer: Answer, state: str, step: str, reason: str) -> None:
    """R3: unknown is a state of its own."""
    batch = a_batch_of()
    claimed = the_claim(batch)

    confirmed = record(batch, (claimed, answer))

    action = the_action(batch)
    receipt = Receipt.objects.get()
    assert (action.state, action.next_step, action.lease_token) == (state, step, None)
    assert (receipt.outcome, receipt.late, receipt.attempt.token) == (answer.outcome, False, claimed.token)
    assert events_of(action)[-1] == ("sending", state, reason)
    assert confirmed == ({action.pk} if state == "confirmed" else set())


@pytest.mark.parametrize(
    "answer", [done(), UNKNOWN, ACCEPTED, *NOTHING_MADE], ids=lambda answer: answer.outcome
)
def test_the_same_answer_twice_adds_nothing(answer: Answer) -> None:
    """After a commit whose outcome is unknown the whole group is recorded again."""
    batch = a_batch_of()
    claimed = the_claim(batch)
    record(batch, (claimed, answer))
    before = (Action.objects.values().get(), Receipt.objects.count(), Event.objects.count())

    confirmed = record(batch, (claimed, answer))

    assert confirmed == set()
    assert (Action.objects.values().get(), Receipt.objects.count(), Event.objects.count()) == before


def test_a_late_answer_twice_adds_nothing(clock: DatabaseClock) -> None:
    batch = a_batch_of()
    claimed = lost(batch, clock)
    record(batch, (claimed, done()))
    before = (Action.objects.values().get(), Receipt.objects.count(), Event.objects.count())

    record(batch, (claimed, done()))

    assert (Action.objects.values().get(), Receipt.objects.count(), Event.objects.count()) == before


def lost(batch: Batch, clock: DatabaseClock) -> Claimed:
    """A sender whose lease is over; its answer is still to come."""
    claimed = the_claim(batch)
    clock.forward(LEASE_S + 1)
    assert expire_leases() == 1
    return claimed


def uncertain(batch: Batch, clock: DatabaseClock) -> Claimed:
    claimed = lost(batch, clock)
    assert facts(batch)[0] == State.UNCERTAIN
    return claimed


def planned_again(batch: Batch, clock: DatabaseClock) -> Claimed:
    """Absence was proven; the answer comes nevertheless."""
    claimed = lost(batch, clock)
    clock.forward(601)
    look(batch, FakeTarget())
    assert facts(batch)[0] == State.PLANNED
    return claimed


def refused_later(batch: Batch, clock: DatabaseClock) -> Claimed:
    claimed = planned_again(batch, clock)
    record(batch, (the_claim(batch), said(Outcome.REFUSED, "http-422")))
    assert facts(batch)[0] == State.REFUSED
    return claimed


def with_a_person(batch: Batch, clock: DatabaseClock) -> Claimed:
    claimed = lost(batch, clock)
    clock.forward(601 + 3600)
    put(the_action(batch), next_step_at=clock.now())
    from tests.ledger.given import cannot_tell

    failing = FakeTarget(scripted_looks=[cannot_tell()])
    look(batch, failing)
    assert facts(batch)[0] == State.RECONCILE
    return claimed


OPEN = [uncertain, planned_again, refused_later, with_a_person]
Story = Callable[[Batch, DatabaseClock], Claimed]


@pytest.mark.parametrize("story", OPEN)
def test_a_late_answer_confirms_what_is_open(story: Story, clock: DatabaseClock) -> None:
    """R8: and nothing is sent any more."""
    batch = a_batch_of()
    claimed = story(batch, clock)

    record(batch, (claimed, done("obj-late")))

    action = the_action(batch)
    receipt = Receipt.objects.get(attempt__token=claimed.token)
    assert facts(batch) == ("confirmed", "obj-late", "none")
    assert (receipt.late, receipt.result_id, action.presence) == (True, "obj-late", Presence.UNCHECKED)
    assert events_of(action)[-1][1:] == ("confirmed", "late-answer")


@pytest.mark.parametrize("story", OPEN)
def test_a_late_job_makes_what_is_open_accepted(story: Story, clock: DatabaseClock) -> None:
    """R8: the paid job is known again."""
    batch = a_batch_of()
    claimed = story(batch, clock)

    record(batch, (claimed, ACCEPTED))

    assert facts(batch) == ("accepted", "job-1", "look_up")


@pytest.mark.parametrize(
    "answer", [UNKNOWN, said(Outcome.EXISTS, "exists")], ids=lambda answer: answer.outcome
)
@pytest.mark.parametrize("story", OPEN)
def test_a_late_answer_that_tells_nothing_changes_nothing(
    story: Story, answer: Answer, clock: DatabaseClock
) -> None:
    batch = a_batch_of()
    claimed = story(batch, clock)
    before = Action.objects.values().get()

    record(batch, (claimed, answer))

    assert Action.objects.values().get() == before
    assert Receipt.objects.get(attempt__token=claimed.token).late


@pytest.mark.parametrize(
    ("answer", "state", "reason"),
    [
        (NOTHING_MADE[0], "planned", "never-left"),
        (NOTHING_MADE[1], "planned", "not-processed"),
        (NOTHING_MADE[2], "reconcile", "target-refused"),
    ],
    ids=["not sent", "not done", "refused"],
)
def test_a_late_no_resolves_what_is_uncertain(
    answer: Answer, state: str, reason: str, clock: DatabaseClock
) -> None:
    """R8: the only request is known to have made nothing, so nobody need look or decide whether it arrived."""
    batch = a_batch_of()
    claimed = uncertain(batch, clock)

    record(batch, (claimed, answer))

    action = the_action(batch)
    assert (action.state, action.reason) == (state, reason)


def test_a_late_never_left_takes_the_question_from_a_person(clock: DatabaseClock) -> None:
    """At a target without any protection the expired lease went straight to a person."""
    batch = a_batch_of(guard="none", look_up=False)
    claimed = lost(batch, clock)
    assert facts(batch)[0] == State.RECONCILE

    record(batch, (claimed, NOTHING_MADE[0]))

    assert facts(batch) == ("planned", "", "perform")


def test_a_late_no_of_one_attempt_says_nothing_about_another(clock: DatabaseClock) -> None:
    """R4: the first request may still be there."""
    batch = a_batch_of(guard="client_id", look_up=False)
    record(batch, (the_claim(batch), UNKNOWN))
    second = lost(batch, clock)

    record(batch, (second, NOTHING_MADE[0]))

    assert facts(batch)[0] == State.UNCERTAIN


@pytest.mark.parametrize("answer", NOTHING_MADE, ids=lambda answer: answer.outcome)
def test_the_no_to_a_replay_leaves_the_first_request_uncertain(answer: Answer, clock: DatabaseClock) -> None:
    """R3: it says nothing about the first request."""
    batch = a_batch_of(guard="client_id", look_up=False)
    record(batch, (the_claim(batch), UNKNOWN))
    replay = the_claim(batch)

    record(batch, (replay, answer))

    action = the_action(batch)
    assert (action.state, action.next_step) == ("uncertain", NextStep.REPLAY)
    assert events_of(action)[-1] == ("sending", "uncertain", "replay-not-answered")
    assert action.releases == (1 if answer.outcome == Outcome.NOT_SENT else 0)


@pytest.mark.parametrize("answer", [done(), ACCEPTED], ids=["done", "accepted"])
def test_a_late_answer_with_the_same_id_changes_nothing_that_is_confirmed(
    answer: Answer, clock: DatabaseClock
) -> None:
    """R7, R8"""
    batch = a_batch_of()
    claimed = uncertain(batch, clock)
    from tests.ledger.given import ours, seen

    look(batch, FakeTarget(scripted_looks=[seen(ours(the_action(batch), answer.result_id))]))
    before = Action.objects.values().get()

    record(batch, (claimed, answer))

    assert Action.objects.values().get() == before
    assert Receipt.objects.get().late
    assert not Event.objects.filter(kind="duplicate.seen").exists()


@pytest.mark.parametrize("answer", [done("obj-2"), ACCEPTED], ids=["done", "accepted"])
def test_a_late_answer_with_another_id_is_a_duplicate_and_the_first_id_stays(
    answer: Answer, clock: DatabaseClock
) -> None:
    """R6, R7, R8"""
    batch = a_batch_of()
    claimed = planned_again(batch, clock)
    record(batch, (the_claim(batch), done("obj-1")))

    record(batch, (claimed, answer))

    action = the_action(batch)
    event = Event.objects.get(kind="duplicate.seen")
    assert (action.state, action.result_id, action.presence) == ("confirmed", "obj-1", Presence.DUPLICATE)
    assert (event.reason, event.data) == (
        "late-duplicate",
        {"result_ids": sorted(["obj-1", answer.result_id])},
    )


@pytest.mark.parametrize("end", ["superseded", "cancelled"])
def test_a_late_answer_after_the_end_is_noted_as_an_orphan(end: str, clock: DatabaseClock) -> None:
    """R8: the action stays closed, and what is at the target is known."""
    batch = a_batch_of()
    claimed = planned_again(batch, clock)
    if end == "cancelled":
        decide.give_up(action=the_action(batch), user=a_user())
    else:
        _supersede(batch)
    before = Action.objects.values().get(pk=claimed.action_id)

    record(batch, (claimed, done("obj-late")))

    event = Event.objects.get(kind="orphan.seen")
    assert Action.objects.values().get(pk=claimed.action_id) == before
    assert (event.reason, event.data) == ("late-after-end", {"result_id": "obj-late"})


def _supersede(batch: Batch) -> None:
    from tests.builders import a_batch, a_delivery

    a_batch(
        batch.project,
        a_delivery("product-000", input_version=2, brief={"text": "second"}),
        name="second",
    )


class TestWhileANewerAttemptIsUnderWay:
    """The first answer comes while another sender holds the lease: nobody may overwrite, nothing may get lost."""

    def both(self, clock: DatabaseClock, **profile: Any) -> tuple[Batch, Claimed, Claimed]:
        batch = a_batch_of(**profile)
        first = planned_again(batch, clock)
        second = the_claim(batch)
        record(batch, (first, done("obj-first")))
        assert facts(batch)[0] == State.SENDING
        return batch, first, second

    def test_it_does_not_take_the_lease(self, clock: DatabaseClock) -> None:
        """R2: the newer attempt ends as it would have."""
        batch, _, second = self.both(clock)

        assert the_action(batch).lease_token == second.token
        assert Event.objects.get(kind="late.answer").data == {"result_id": "obj-first"}

    def test_the_same_id_confirms(self, clock: DatabaseClock) -> None:
        batch, _, second = self.both(clock)

        record(batch, (second, done("obj-first")))

        assert facts(batch) == ("confirmed", "obj-first", "none")
        assert the_action(batch).presence == Presence.UNCHECKED

    @pytest.mark.parametrize("answer", [done("obj-second"), ACCEPTED], ids=["done", "accepted"])
    def test_another_id_is_a_duplicate(self, answer: Answer, clock: DatabaseClock) -> None:
        """R6, R8"""
        batch, _, second = self.both(clock)

        record(batch, (second, answer))

        assert the_action(batch).result_id == answer.result_id
        assert the_action(batch).presence == Presence.DUPLICATE
        assert Event.objects.get(kind="duplicate.seen").data == {
            "result_ids": sorted(["obj-first", answer.result_id])
        }

    @pytest.mark.parametrize("answer", [UNKNOWN, *NOTHING_MADE], ids=lambda answer: answer.outcome)
    def test_the_first_result_is_used_when_the_second_brings_none(
        self, answer: Answer, clock: DatabaseClock
    ) -> None:
        """R8: without it the action would be performed a third time, though its object is known."""
        batch, _, second = self.both(clock)

        record(batch, (second, answer))

        assert facts(batch) == ("confirmed", "obj-first", "none")
        assert events_of(the_action(batch))[-1][1:] == ("confirmed", "late-answer")

    def test_the_first_result_is_used_when_the_second_sender_dies(self, clock: DatabaseClock) -> None:
        """R8"""
        batch, _, _ = self.both(clock)
        clock.forward(LEASE_S + 1)

        expire_leases()

        assert facts(batch) == ("confirmed", "obj-first", "none")


@pytest.mark.parametrize(
    "answer", [UNKNOWN, *NOTHING_MADE, None], ids=lambda answer: answer.outcome if answer else "dies"
)
def test_a_late_job_is_used_when_the_newer_attempt_brings_none(
    answer: Answer | None, clock: DatabaseClock
) -> None:
    """R8: a job that was paid for is not started again."""
    batch = a_batch_of()
    first = planned_again(batch, clock)
    second = the_claim(batch)
    record(batch, (first, ACCEPTED))

    if answer is None:
        clock.forward(LEASE_S + 1)
        expire_leases()
    else:
        record(batch, (second, answer))

    assert facts(batch) == ("accepted", "job-1", "look_up")
