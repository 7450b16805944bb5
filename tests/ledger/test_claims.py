"""Taking work: one holder an action, by one statement, timed by the database (R1, R2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest
from django.db import connection, transaction

from once_delivery.ledger.claims import Claimed
from once_delivery.ledger.models import Action, Attempt, Batch, Event
from once_delivery.ledger.states import NextStep, State
from once_delivery.targets.base import Kind, Outcome
from tests.builders import a_batch, a_delivery, a_draft, a_project, actions_of, the_action
from tests.fakes.clock import DatabaseClock
from tests.fakes.connector import FakeTarget, answer_lost, refused
from tests.fakes.rival import elsewhere
from tests.ledger.given import (
    LEASE_S,
    UNKNOWN,
    a_batch_of,
    a_real_target,
    claim,
    done,
    events_of,
    look,
    perform,
    put,
    record,
    said,
    state_of,
    the_claim,
)

pytestmark = pytest.mark.django_db(transaction=True)
Result = TypeVar("Result")


def together(count: int, work: Callable[[], Result]) -> list[Result]:
    """``work`` on ``count`` connections at the same time."""

    def once(_: int) -> Result:
        try:
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=count) as pool:
        return list(pool.map(once, range(count)))


def test_what_is_taken_has_its_intent_its_lease_and_its_event(clock: DatabaseClock) -> None:
    """R1, R2: all of it committed together, before anything is sent."""
    batch = a_batch_of()
    before = clock.now()

    claimed = the_claim(batch)

    action = the_action(batch)
    attempt = Attempt.objects.get()
    assert (action.state, action.revision, action.sends, action.next_step) == ("sending", 1, 1, NextStep.WAIT)
    assert (action.lease_token, action.lease_until) == (claimed.token, claimed.lease_until)
    assert (attempt.token, attempt.action_id, attempt.number) == (claimed.token, action.pk, 1)
    assert (attempt.replay, claimed.replay, attempt.lease_until) == (False, False, claimed.lease_until)
    assert (
        before.timestamp() + LEASE_S <= claimed.lease_until.timestamp() <= clock.now().timestamp() + LEASE_S
    )
    assert events_of(action) == [("planned", "sending", "claimed")]


def test_what_is_held_is_not_taken_again() -> None:
    """R2"""
    batch = a_batch_of()
    the_claim(batch)

    assert claim(batch) is None
    assert Attempt.objects.count() == 1


def test_a_lease_that_is_over_is_not_taken_but_becomes_uncertain_first(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    """R3, R4: nobody knows what its sender did."""
    batch = a_batch_of()
    the_claim(batch)
    clock.forward(LEASE_S + 1)

    assert claim(batch) is None
    assert (state_of(the_action(batch)), Attempt.objects.count(), len(fake.creates)) == ("sending", 1, 0)


def test_two_hundred_actions_are_taken_once_each_by_eight_senders() -> None:
    """R2: 200 different claims."""
    batch = a_batch_of(200, concurrency=64)

    def take_all() -> list[Claimed]:
        taken: list[Claimed] = []
        while True:
            group = claim(batch, limit=7)
            if group is None:
                return taken
            taken += group.items

    taken = [one for many in together(8, take_all) for one in many]

    assert len(taken) == 200
    assert Counter(one.action_id for one in taken) == Counter(action.pk for action in actions_of(batch))
    assert {one.token for one in taken} == set(Attempt.objects.values_list("token", flat=True))
    assert Event.objects.filter(to_state=State.SENDING).count() == 200


def test_a_row_that_another_transaction_holds_is_passed_by() -> None:
    """R2: nobody waits for a lock with a lease in the hand."""
    batch = a_batch_of(2)
    first, second = actions_of(batch)
    taken: list[int] = []

    def take() -> None:
        group = claim(batch)
        taken.extend(one.action_id for one in group.items) if group else None

    with transaction.atomic():
        Action.objects.select_for_update().get(pk=first.pk)
        elsewhere(take)()

    assert taken == [second.pk]


def test_a_claim_that_is_rolled_back_leaves_nothing(fake: FakeTarget) -> None:
    """R1: no intent, no lease, no send."""
    batch = a_batch_of()

    with transaction.atomic():
        the_claim(batch)
        transaction.set_rollback(True)

    assert (state_of(the_action(batch)), Attempt.objects.count(), len(fake.creates)) == ("planned", 0, 0)
    assert the_claim(batch).number == 1


@pytest.mark.usefixtures("plan")
def test_what_waits_longest_is_taken_first(clock: DatabaseClock) -> None:
    batch = a_batch_of(3)
    early, late, latest = actions_of(batch)
    put(early, next_step_at=clock.now())
    clock.forward(1)
    put(latest, next_step_at=clock.now())

    group = claim(batch, limit=2)

    assert group is not None
    assert [one.action_id for one in group.items] == [late.pk, early.pk]


@pytest.mark.parametrize("step", [NextStep.LOOK_UP, NextStep.PERSON, NextStep.WAIT])
def test_only_what_is_to_be_performed_is_taken(step: NextStep) -> None:
    batch = a_batch_of()
    put(the_action(batch), next_step=step)

    assert claim(batch) is None


def test_what_is_put_off_is_taken_at_its_time(clock: DatabaseClock) -> None:
    batch = a_batch_of()
    put(the_action(batch), next_step_at=clock.now())
    clock.forward(-10)

    assert claim(batch) is None
    clock.forward(11)
    assert the_claim(batch).number == 1


def test_only_the_batch_that_is_resumed_is_taken() -> None:
    first = a_batch_of(2)
    other = a_batch(a_project(), a_delivery("another"), name="winter")

    group = claim(other)

    assert group is not None
    assert [one.action_id for one in group.items] == [the_action(other).pk]
    assert [action.state for action in actions_of(first)] == ["planned", "planned"]


def a_batch_with_an_image() -> Batch:
    """A draft that needs the ID and the address of an upload."""
    project = a_project()
    a_real_target(project)
    image = a_draft(slot="hero")
    draft = a_draft(featured={"$result": "hero"}, body=[{"img": {"$url": "hero"}}])
    return a_batch(project, a_delivery(actions=(draft, image)))


def test_a_draft_waits_for_its_image_and_gets_its_result(fake: FakeTarget) -> None:
    """The result ID and the address of the upload are filled in, and the reference is nowhere left."""
    batch = a_batch_with_an_image()

    perform(batch, fake)
    assert [request.payload.get("featured") for request in fake.creates] == [None]
    perform(batch, fake)

    image, draft = fake.creates
    hero = Action.objects.get(slot="hero")
    assert draft.payload == {
        "title": "Kettle",
        "body": [{"img": hero.result_url}],
        "featured": hero.result_id,
    }
    assert (image.kind, hero.result_id) == (Kind.CREATE_DRAFT, "obj-1")
    assert Action.objects.get(slot="main").state == State.CONFIRMED


@pytest.mark.parametrize("script", [answer_lost, refused], ids=["uncertain", "refused"])
def test_a_draft_is_not_sent_while_its_image_is_open(fake: FakeTarget, script: object) -> None:
    fake.scripted = [script]  # type: ignore[list-item]
    batch = a_batch_with_an_image()

    perform(batch, fake)

    assert perform(batch, fake) is None
    assert (len(fake.creates), Action.objects.get(slot="main").sends) == (1, 0)


def test_a_draft_goes_on_with_the_image_that_was_found_again(fake: FakeTarget) -> None:
    fake.scripted = [answer_lost]
    batch = a_batch_with_an_image()
    perform(batch, fake)

    look(batch, fake)
    perform(batch, fake)

    assert [request.payload.get("featured") for request in fake.creates] == [None, "obj-1"]


def test_a_replay_is_known_as_one(clock: DatabaseClock) -> None:
    """Sent again under protection: the attempt says so, with the same key."""
    batch = a_batch_of(guard="idempotency_key", window_s=86_400.0, look_up=False)
    first = the_claim(batch)
    record(batch, (first, UNKNOWN))
    clock.forward(1)

    second = the_claim(batch)

    assert (first.replay, second.replay) == (False, True)
    assert (second.number, second.key_generation) == (2, first.key_generation)
    assert events_of(the_action(batch))[-1] == ("uncertain", "sending", "replay")


def test_a_new_try_after_a_definite_no_has_a_new_key(clock: DatabaseClock) -> None:
    batch = a_batch_of(guard="idempotency_key", window_s=86_400.0, look_up=False)
    first = the_claim(batch)
    record(batch, (first, said(Outcome.REFUSED, "http-422", http_status=422)))
    put(the_action(batch), next_step=NextStep.PERFORM)

    second = the_claim(batch)

    assert (second.key_generation, second.replay) == (first.key_generation + 1, False)


def test_the_same_key_goes_out_again_after_a_not_processed(clock: DatabaseClock) -> None:
    batch = a_batch_of(guard="idempotency_key", window_s=86_400.0, look_up=False)
    first = the_claim(batch)
    record(batch, (first, said(Outcome.NOT_DONE, "http-429", http_status=429, retry_after_s=5.0)))

    assert claim(batch) is None
    clock.forward(5)
    again = the_claim(batch)
    record(batch, (again, done()))

    assert (again.key_generation, state_of(the_action(batch))) == (first.key_generation, State.CONFIRMED)
