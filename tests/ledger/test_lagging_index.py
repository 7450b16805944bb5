"""A look-up that lags, as long as declared and longer: never a second create (R5, FAULTS 4)."""

from __future__ import annotations

from typing import Any

import pytest

from once_delivery.ledger.models import Action, Batch, Observation
from once_delivery.ledger.states import State
from once_delivery.ledger.witness import Witnesses
from once_delivery.targets.base import Kind, Look, LookUpRequest
from tests.builders import a_batch, a_delivery, the_action
from tests.fakes.clock import DatabaseClock
from tests.fakes.connector import FakeConnector, FakeTarget, answer_lost, lost_before
from tests.ledger.given import a_batch_of, look, next_at, perform, put, the_target

pytestmark = pytest.mark.django_db(transaction=True)

SETTLE_S, LAG_S = 600.0, 60.0
LAGGING: dict[str, Any] = {"consistency": "bounded", "index_lag_s": LAG_S}


def hide(fake: FakeTarget) -> list[Any]:
    """The index has not caught up: what is there is not shown."""
    hidden, fake.objects = fake.objects, []
    return hidden


def lost(fake: FakeTarget, *, made: bool) -> Batch:
    fake.scripted = [answer_lost if made else lost_before]
    batch = a_batch_of(**LAGGING)
    perform(batch, fake)
    return batch


def another(batch: Batch, fake: FakeTarget, name: str = "witness") -> Action:
    """Something else of ours, made now and confirmed."""
    other = a_batch(batch.project, a_delivery(name), name=name)
    perform(other, fake)
    action = the_action(other)
    assert action.state == State.CONFIRMED
    return action


def look_now(batch: Batch, fake: FakeTarget, clock: DatabaseClock) -> str:
    put(the_action(batch), next_step_at=clock.now())
    assert look(batch, fake) == 1
    return str(the_action(batch).state)


def test_what_becomes_visible_late_is_found(clock: DatabaseClock, fake: FakeTarget) -> None:
    batch = lost(fake, made=True)
    hidden = hide(fake)
    clock.forward(1)
    assert look_now(batch, fake, clock) == "uncertain"

    fake.objects = hidden
    clock.forward(59)

    assert look_now(batch, fake, clock) == "confirmed"
    assert len(fake.creates) == 1


def test_absence_without_a_witness_is_for_a_person(clock: DatabaseClock, fake: FakeTarget) -> None:
    """Nothing shows that the index has caught up: the declared lag alone is only a claim."""
    batch = lost(fake, made=True)
    hide(fake)
    while the_action(batch).state == State.UNCERTAIN:
        clock.to(next_at(the_action(batch)))
        look(batch, fake)

    action = the_action(batch)
    assert (action.state, action.reason) == ("reconcile", "absence-cannot-be-proven")
    assert len(fake.creates) == 1


def test_a_witness_made_after_the_request_could_land_proves_that_the_index_has_caught_up(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    batch = lost(fake, made=False)
    clock.forward(SETTLE_S + 1)
    another(batch, fake)
    clock.forward(LAG_S)

    assert look_now(batch, fake, clock) == "planned"


def test_a_witness_that_is_not_visible_itself_proves_nothing(clock: DatabaseClock, fake: FakeTarget) -> None:
    """The lag is longer than declared."""
    batch = lost(fake, made=True)
    clock.forward(SETTLE_S + 1)
    another(batch, fake)
    hide(fake)
    clock.forward(LAG_S)

    assert look_now(batch, fake, clock) == "uncertain"
    assert Observation.objects.filter(proves_absence=True).count() == 0


def test_a_witness_that_cannot_be_asked_proves_nothing(
    clock: DatabaseClock, fake: FakeTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the look-up that was made is kept all the same."""
    batch = lost(fake, made=False)
    clock.forward(SETTLE_S + 1)
    marker = another(batch, fake).marker
    clock.forward(LAG_S)
    real = FakeConnector.look_up

    def breaks(self: FakeConnector, request: LookUpRequest) -> Look:
        if request.marker == marker:
            raise OSError("no route")
        return real(self, request)

    monkeypatch.setattr(FakeConnector, "look_up", breaks)

    assert look_now(batch, fake, clock) == "uncertain"
    assert (
        Observation.objects.filter(action=the_action(batch), verdict="absent", proves_absence=False).count()
        == 1
    )


@pytest.mark.parametrize("wait", [0.0, 300.0], ids=["of the same group", "before the settle time"])
def test_a_witness_that_may_be_older_than_our_object_proves_nothing(
    wait: float, clock: DatabaseClock, fake: FakeTarget
) -> None:
    """Ours may have landed after it, and then the index shows the witness and not yet ours."""
    batch = lost(fake, made=False)
    clock.forward(wait)
    another(batch, fake)
    shown = list(fake.objects)
    fake.create(fake.creates[0])  # the zombie lands now, within the settle time
    fake.objects, _ = shown, fake.objects  # and the index is an hour behind from here on
    clock.forward(SETTLE_S + LAG_S + 2)

    assert look_now(batch, fake, clock) == "uncertain"
    assert Observation.objects.filter(proves_absence=True).count() == 0


def test_an_older_object_that_was_only_found_again_later_is_no_witness(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    """Its last attempt is newer than our request, but what is visible was made by its first."""
    fake.protects = "client_id"
    fake.scripted = [answer_lost]
    older = a_batch_of(guard="client_id", **LAGGING)
    perform(older, fake)
    hidden = hide(fake)
    clock.forward(1)
    look_now(older, fake, clock)
    clock.forward(SETTLE_S)
    between = clock.now()
    fake.objects = hidden
    perform(older, fake)
    assert look_now(older, fake, clock) == "confirmed"
    assert [attempt.intended_at > between for attempt in the_action(older).attempts.order_by("number")] == [
        False,
        True,
    ]

    target = the_target(older)
    witnesses = Witnesses(target_id=target.pk, connector=FakeConnector(fake), profile=target.profile)

    assert witnesses.visible_after(between, kind=Kind.CREATE_DRAFT) is False


def test_an_unknown_consistency_never_proves_absence(clock: DatabaseClock, fake: FakeTarget) -> None:
    fake.scripted = [lost_before]
    batch = a_batch_of(consistency="unknown")
    perform(batch, fake)
    clock.forward(SETTLE_S + 1)
    another(batch, fake)
    clock.forward(1000)

    assert look_now(batch, fake, clock) == "uncertain"
    assert Observation.objects.filter(proves_absence=True).count() == 0
