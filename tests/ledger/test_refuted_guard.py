"""What a probe refuted is relied on no more: nothing is sent, looking goes on, nothing rests without a next step (R13)."""

from __future__ import annotations

from typing import Any

import pytest

from once_delivery.ledger.models import Action, Batch
from once_delivery.ledger.resume import Verb
from once_delivery.ledger.services.plan_batch import plan_batch
from once_delivery.ledger.services.work_target import work_target
from once_delivery.ledger.states import NextStep, State
from once_delivery.targets.base import FoundObject, Outcome
from once_delivery.targets.models import Target
from tests.builders import the_action
from tests.fakes.clock import DatabaseClock
from tests.fakes.connector import FakeTarget
from tests.ledger.given import (
    ACTOR,
    UNKNOWN,
    a_batch_of,
    claim,
    perform,
    put,
    record,
    said,
    seen,
    the_claim,
    the_target,
)

pytestmark = pytest.mark.django_db(transaction=True)
SEEN: dict[str, Any] = {
    "claimed": "client_id",
    "seen": "second-made-another",
    "numbers": {"ids": ["a", "b"]},
    "at": "2026-11-29T10:00:00+00:00",
}


def refute(batch: Batch, *claims: str) -> None:
    """As judge_target writes it down."""
    Target.objects.filter(pk=the_target(batch).pk).update(refuted=dict.fromkeys(claims, SEEN))


def confirm(batch: Batch) -> None:
    refute(batch)


def work(batch: Batch) -> None:
    work_target(target_id=the_target(batch).pk, actor=ACTOR)


@pytest.mark.parametrize("refuted", ["guard", "window_s", "stays_draft"])
def test_nothing_is_claimed(refuted: str, fake: FakeTarget) -> None:
    batch = a_batch_of(3, guard="client_id")
    refute(batch, refuted)
    assert claim(batch) is None
    work(batch)
    assert fake.creates == []
    assert {step.step.reason for step in plan_batch(batch=batch)} == {"guard-refuted"}
    assert "made another object: a, b" in plan_batch(batch=batch)[0].reason
    confirm(batch)
    work(batch)
    assert len(fake.creates) == 3


@pytest.mark.parametrize(
    "refuted", ["consistency", "look_up", "index_lag_s", "update_existing", "deadline_s"]
)
def test_what_is_not_the_guard_stops_no_create(refuted: str, fake: FakeTarget) -> None:
    batch = a_batch_of(2, guard="client_id")
    refute(batch, refuted)
    work(batch)
    assert len(fake.creates) == 2


def test_a_refutation_after_the_profile_was_read(fake: FakeTarget) -> None:
    """What counts is what is known at the moment of claiming, not when the work began."""
    batch = a_batch_of(1, guard="client_id")
    target = the_target(batch)
    refute(batch, "guard")
    assert target.refuted == {}
    assert perform(batch, fake) is None


def test_a_refused_action_is_not_tried_again(fake: FakeTarget) -> None:
    batch = a_batch_of(1, guard="client_id")
    record(batch, (the_claim(batch), said(Outcome.REFUSED, "http-422", http_status=422)))
    put(the_action(batch), next_step=NextStep.PERFORM)
    refute(batch, "guard")
    work(batch)
    assert fake.creates == []


def test_an_uncertain_action_is_looked_for_and_not_sent_again(fake: FakeTarget, clock: DatabaseClock) -> None:
    batch = a_batch_of(1, guard="client_id", look_up=True, consistency="strong")
    claimed = the_claim(batch)
    record(batch, (claimed, UNKNOWN))
    fake.scripted_looks = [seen()]
    work_target(target_id=the_target(batch).pk, actor=ACTOR, budget_s=0.0)
    put(the_action(batch), next_step=NextStep.REPLAY)
    refute(batch, "guard")
    work(batch)
    action = the_action(batch)
    assert (action.state, action.next_step) == (State.UNCERTAIN, NextStep.LOOK_UP)
    assert fake.looks
    # absence is proven after the settle time, and even then it is not sent
    for _ in range(3):
        clock.forward(700)
        work(batch)
    action = the_action(batch)
    assert (action.state, action.next_step) == (State.UNCERTAIN, NextStep.LOOK_UP)
    assert fake.creates == []
    (step,) = plan_batch(batch=batch)
    assert (step.step.verb, step.step.reason) == (Verb.WAIT, "guard-refuted")
    confirm(batch)
    clock.forward(700)
    work(batch)
    assert [request.marker for request in fake.creates] == [action.marker]


def test_what_is_found_meanwhile_is_confirmed(fake: FakeTarget, clock: DatabaseClock) -> None:
    batch = a_batch_of(1, guard="client_id")
    record(batch, (the_claim(batch), UNKNOWN))
    refute(batch, "guard")
    fake.objects.append(FoundObject("obj-9", the_action(batch).marker))
    work(batch)
    assert (the_action(batch).state, the_action(batch).result_id) == (State.CONFIRMED, "obj-9")
    assert fake.creates == []


def test_without_a_look_up_a_person_decides(fake: FakeTarget) -> None:
    batch = a_batch_of(1, guard="idempotency_key", window_s=86_400.0, look_up=False, consistency="unknown")
    record(batch, (the_claim(batch), UNKNOWN))
    assert the_action(batch).next_step == NextStep.REPLAY
    refute(batch, "window_s")
    work(batch)
    action = the_action(batch)
    assert (action.state, action.next_step) == (State.RECONCILE, NextStep.PERSON)
    assert fake.creates == []


def test_absence_is_not_proven_by_a_look_up_that_was_refuted(fake: FakeTarget, clock: DatabaseClock) -> None:
    batch = a_batch_of(1, guard="lookup", consistency="strong")
    record(batch, (the_claim(batch), UNKNOWN))
    refute(batch, "consistency")
    for _ in range(12):
        clock.forward(700)
        work(batch)
    action = the_action(batch)
    assert (action.state, action.reason) == (State.RECONCILE, "absence-cannot-be-proven")
    assert fake.creates == []
    assert Action.objects.count() == 1
