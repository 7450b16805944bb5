"""A, B and C: reuse, find again, perform only the missing one."""

from __future__ import annotations

from typing import Any

import pytest

from once_delivery.ledger.models import Attempt, Batch
from once_delivery.ledger.resume import Verb
from once_delivery.ledger.services.plan_batch import plan_batch, tally
from once_delivery.ledger.services.resume_batch import Resumed, resume_batch
from once_delivery.ledger.states import State
from tests.builders import a_batch, a_delivery, a_project, a_target, actions_of, the_action
from tests.fakes.connector import FakeTarget, answer_lost, lost_before, never_left, refused, too_many

pytestmark = pytest.mark.django_db(transaction=True)


def resumed(batch: Batch, wait_s: float = 5.0) -> Resumed:
    return resume_batch(batch=batch, wait_s=wait_s)


def a_batch_of_one(**profile: Any) -> Batch:
    project = a_project()
    a_target(project, **profile)
    return a_batch(project)


def test_everything_is_created_once_and_confirmed(fake: FakeTarget) -> None:
    project = a_project()
    a_target(project)
    batch = a_batch(project, *(a_delivery(product) for product in ("kettle", "lamp", "chair")))

    resumed(batch)

    states = {action.marker: (action.state, action.result_id) for action in actions_of(batch)}
    assert states == {found.marker: (State.CONFIRMED, found.result_id) for found in fake.objects}
    assert len(fake.creates) == 3


def test_confirmed_is_reused_and_nothing_is_sent(fake: FakeTarget) -> None:
    batch = a_batch_of_one()
    resumed(batch)

    again = resumed(batch)

    assert [one.step.verb for one in again.before] == [Verb.REUSE]
    assert (the_action(batch).result_id, len(fake.creates), len(fake.looks)) == ("obj-1", 1, 0)


@pytest.mark.parametrize(
    ("profile", "protects"),
    [
        ({"guard": "lookup"}, ""),
        ({"guard": "client_id"}, "client_id"),
        ({"guard": "idempotency_key", "window_s": 3600}, "key"),
        ({"guard": "idempotency_key", "window_s": 3600, "look_up": False}, "key"),
    ],
    ids=["lookup", "client_id", "key with look-up", "key alone"],
)
def test_lost_answer_is_recovered_under_the_original_id(
    fake: FakeTarget, profile: dict[str, Any], protects: str
) -> None:
    fake.protects = protects
    fake.scripted = [answer_lost]
    batch = a_batch_of_one(**profile)

    resumed(batch)

    action = the_action(batch)
    assert (action.state, action.result_id) == (State.CONFIRMED, "obj-1")
    assert fake.ids(action.marker) == ["obj-1"]


@pytest.mark.parametrize("guard", ["lookup", "client_id", "idempotency_key"])
def test_lost_request_is_performed_again_once_absence_is_earned(fake: FakeTarget, guard: str) -> None:
    fake.scripted = [lost_before]
    batch = a_batch_of_one(guard=guard, window_s=3600)

    resumed(batch)

    action = the_action(batch)
    assert (action.state, fake.ids(action.marker)) == (State.CONFIRMED, [action.result_id])
    assert len(fake.creates) == 2


def test_before_the_settle_time_the_plan_waits_and_nothing_is_sent(fake: FakeTarget) -> None:
    fake.scripted = [lost_before]
    batch = a_batch_of_one(settle_s=600)

    resumed(batch, wait_s=0.3)

    (step,) = [one.step for one in plan_batch(batch=batch)]
    assert (step.verb, step.reason, len(fake.creates)) == (Verb.WAIT, "not-visible-yet", 1)
    assert step.not_before is not None
    assert the_action(batch).state == State.UNCERTAIN


def test_without_any_protection_a_person_decides(fake: FakeTarget) -> None:
    fake.scripted = [answer_lost]
    batch = a_batch_of_one(guard="none", look_up=False)

    resumed(batch, wait_s=0.5)

    action = the_action(batch)
    assert (action.state, action.reason, len(fake.creates)) == (State.RECONCILE, "cannot-be-asked", 1)
    assert tally(plan_batch(batch=batch))[Verb.PERSON] == 1


def test_what_never_left_is_sent_again_without_a_look(fake: FakeTarget) -> None:
    fake.scripted = [never_left]
    batch = a_batch_of_one()

    resumed(batch)

    assert (the_action(batch).state, len(fake.creates), len(fake.looks)) == (State.CONFIRMED, 2, 0)


def test_the_target_that_asks_to_wait_is_waited_for(fake: FakeTarget) -> None:
    fake.scripted = [too_many]
    batch = a_batch_of_one()

    resumed(batch)

    first, second = Attempt.objects.filter(action=the_action(batch)).order_by("number")
    assert the_action(batch).state == State.CONFIRMED
    assert (second.intended_at - first.intended_at).total_seconds() >= 0.3


def test_refused_is_neither_done_nor_tried_again_by_itself(fake: FakeTarget) -> None:
    fake.scripted = [refused]
    batch = a_batch_of_one()

    resumed(batch, wait_s=0.5)
    assert (the_action(batch).state, len(fake.creates)) == (State.REFUSED, 1)

    resumed(batch)
    assert (the_action(batch).state, len(fake.creates)) == (State.CONFIRMED, 2)


def test_two_of_ours_go_to_a_person_and_nothing_is_deleted(fake: FakeTarget) -> None:
    def twice(target: FakeTarget, request: object) -> object:
        target.create(request)  # type: ignore[arg-type]
        return answer_lost(target, request)  # type: ignore[arg-type]

    fake.scripted = [twice]  # type: ignore[list-item]
    batch = a_batch_of_one()

    resumed(batch, wait_s=0.5)

    action = the_action(batch)
    assert (action.state, action.reason, action.presence) == (State.RECONCILE, "found-many", "duplicate")
    assert fake.ids(action.marker) == ["obj-1", "obj-2"]
