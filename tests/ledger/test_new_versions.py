"""A newer input version: takes the place of what was never performed, waits for what is unresolved (FAULTS 9)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from once_delivery.ledger.claims import Claimed
from once_delivery.ledger.models import Action, Batch
from once_delivery.ledger.services import decide
from once_delivery.ledger.services.plan_batch import plan_batch
from once_delivery.ledger.states import NextStep, State
from once_delivery.targets.base import Answer, Outcome
from tests.builders import a_batch, a_delivery, a_project, a_target, a_user, the_action
from tests.fakes.clock import DatabaseClock
from tests.fakes.connector import FakeTarget, answer_lost, lost_before, refused
from tests.ledger.given import (
    UNKNOWN,
    a_batch_of,
    cannot_tell,
    claim,
    done,
    events_of,
    look,
    perform,
    put,
    record,
    said,
    the_claim,
)

pytestmark = pytest.mark.django_db(transaction=True)


def version(number: int, *, locale: str = "de-DE") -> Batch:
    """The same deliverable from a newer brief."""
    delivery = a_delivery("product-000", locale, input_version=number, brief={"text": f"brief {number}"})
    return a_batch(a_project(), delivery, name=f"version {number} {locale}")


def state(batch: Batch) -> str:
    return str(the_action(batch).state)


def test_what_was_never_performed_is_superseded_and_the_newer_one_is_made(fake: FakeTarget) -> None:
    first = a_batch_of()

    second = version(2)
    perform(first, fake)
    perform(second, fake)

    assert (state(first), state(second)) == ("superseded", "confirmed")
    assert events_of(the_action(first)) == [("planned", "superseded", "result-superseded")]
    assert [request.marker for request in fake.creates] == [the_action(second).marker]


def test_what_was_refused_is_superseded(fake: FakeTarget) -> None:
    fake.scripted = [refused]
    first = a_batch_of()
    perform(first, fake)

    version(2)

    assert state(first) == "superseded"


def test_what_is_confirmed_stays_and_the_newer_one_is_made_beside_it(fake: FakeTarget) -> None:
    """R7"""
    first = a_batch_of()
    perform(first, fake)

    second = version(2)
    perform(second, fake)

    assert (state(first), the_action(first).result_id) == ("confirmed", "obj-1")
    assert (state(second), the_action(second).result_id) == ("confirmed", "obj-2")


def test_another_locale_is_left_alone(fake: FakeTarget) -> None:
    first = a_batch_of()

    version(2, locale="fr-FR")

    assert state(first) == "planned"


def test_two_newer_versions_at_once_leave_the_newest(fake: FakeTarget) -> None:
    first = a_batch_of()
    second, third = version(2), version(3)

    for batch in (first, second, third):
        perform(batch, fake)

    assert (state(first), state(second), state(third)) == ("superseded", "superseded", "confirmed")
    assert len(fake.creates) == 1


def test_versions_of_a_new_product_that_are_asked_for_together_leave_the_newest(fake: FakeTarget) -> None:
    a_target(a_project())
    both = a_batch(
        a_project(),
        *[a_delivery("new", input_version=number, brief={"text": f"brief {number}"}) for number in (2, 1)],
    )

    perform(both, fake)

    found = Action.objects.order_by("task__input_version__number").values_list("state", flat=True)
    assert list(found) == ["superseded", "confirmed"]


def test_the_newer_one_waits_while_the_older_one_is_uncertain(clock: DatabaseClock, fake: FakeTarget) -> None:
    fake.scripted = [answer_lost]
    first = a_batch_of()
    perform(first, fake)

    second = version(2)

    assert claim(second) is None
    assert [(line.step.verb, line.step.reason) for line in plan_batch(batch=second)] == [
        ("wait", "needs-another")
    ]
    look(first, fake)
    assert state(first) == "confirmed"
    perform(second, fake)
    assert (state(second), len(fake.creates)) == ("confirmed", 2)


def never_there(batch: Batch, clock: DatabaseClock) -> None:
    clock.forward(601)
    put(the_action(batch), next_step_at=clock.now())
    look(batch, FakeTarget())


def a_person_says_so(batch: Batch, clock: DatabaseClock) -> None:
    clock.forward(601 + 3600)
    put(the_action(batch), next_step_at=clock.now())
    look(batch, FakeTarget(scripted_looks=[cannot_tell()]))
    decide.declare_absent(action=the_action(batch), user=a_user("ops"), second=a_user("deputy"))


@pytest.mark.parametrize("resolve", [never_there, a_person_says_so])
def test_the_older_one_that_was_never_made_is_superseded_and_not_made_any_more(
    resolve: Callable[[Batch, DatabaseClock], None], clock: DatabaseClock, fake: FakeTarget
) -> None:
    """Its absence is proven, and a newer version is waiting: performing it would make what nobody wants."""
    fake.scripted = [lost_before]
    first = a_batch_of()
    perform(first, fake)
    second = version(2)

    resolve(first, clock)

    assert state(first) == "superseded"
    assert claim(first) is None
    perform(second, fake)
    assert (state(second), len(fake.creates), len(fake.objects)) == ("confirmed", 2, 1)


@pytest.mark.parametrize(
    "answer",
    [said(Outcome.NOT_SENT), said(Outcome.NOT_DONE, retry_after_s=5.0), said(Outcome.REFUSED)],
    ids=lambda answer: answer.outcome,
)
def test_the_older_one_that_was_under_way_and_made_nothing_is_superseded(
    answer: Answer, fake: FakeTarget
) -> None:
    first = a_batch_of()
    claimed = the_claim(first)
    second = version(2)
    assert claim(second) is None

    record(first, (claimed, answer))

    assert state(first) == "superseded"
    assert the_claim(second).number == 1


def test_the_older_one_that_was_under_way_and_is_done_stays(fake: FakeTarget) -> None:
    first = a_batch_of()
    claimed = the_claim(first)
    second = version(2)

    record(first, (claimed, done()))

    assert state(first) == "confirmed"
    assert the_claim(second).number == 1


def test_a_late_answer_of_a_superseded_one_is_known(clock: DatabaseClock, fake: FakeTarget) -> None:
    """R8"""
    first = a_batch_of()
    claimed: Claimed = the_claim(first)
    version(2)
    clock.forward(63)
    from once_delivery.ledger.services.expire_leases import expire_leases

    expire_leases()
    never_there(first, clock)

    record(first, (claimed, done("obj-9")))

    action = the_action(first)
    assert (action.state, action.result_id) == (State.SUPERSEDED, "")
    assert action.events.get(kind="orphan.seen").data == {"result_id": "obj-9"}


def test_the_newer_one_waits_for_a_person_too(clock: DatabaseClock, fake: FakeTarget) -> None:
    first = a_batch_of(guard="none", look_up=False)
    record(first, (the_claim(first), UNKNOWN))
    assert the_action(first).next_step == NextStep.PERSON
    second = version(2)

    assert claim(second) is None
    decide.give_up(action=the_action(first), user=a_user())

    assert (state(first), the_claim(second).number) == ("cancelled", 1)
    assert Action.objects.count() == 2
