"""Asking the target: what a look-up proves, and what it does not (R5, R6)."""

from __future__ import annotations

from typing import Any

import pytest

from once_delivery.ledger.looking import DueLook, take_due_looks
from once_delivery.ledger.models import Action, Batch, Event, Observation
from once_delivery.ledger.services import decide
from once_delivery.ledger.services.expire_leases import expire_leases
from once_delivery.ledger.services.record_looks import Looked, record_looks
from once_delivery.ledger.states import NextStep, State
from once_delivery.targets.base import FoundObject, Look, Presence, Verdict
from tests.builders import a_user, actions_of, the_action
from tests.fakes.clock import DatabaseClock
from tests.fakes.connector import FakeTarget, answer_lost, lost_before
from tests.ledger.given import (
    ACTOR,
    LEASE_S,
    a_batch_of,
    cannot_tell,
    claim,
    events_of,
    look,
    next_at,
    ours,
    perform,
    put,
    record,
    seen,
    the_claim,
    the_target,
)

pytestmark = pytest.mark.django_db(transaction=True)
SETTLE_S = 600.0


def look_now(batch: Batch, fake: FakeTarget, clock: DatabaseClock) -> None:
    """As a person who resumes: whatever the pause."""
    put(the_action(batch), next_step_at=clock.now())
    assert look(batch, fake) == 1


def take(batch: Batch, clock: DatabaseClock) -> list[DueLook]:
    """The look-up that is due, begun and not yet recorded."""
    put(the_action(batch), next_step_at=clock.now())
    target = the_target(batch)
    return take_due_looks(target_id=target.pk, profile=target.profile, limit=1)


def lost(fake: FakeTarget, *, made: bool = False, **profile: Any) -> Batch:
    """One draft whose answer was lost; ``made``: the target has it."""
    fake.scripted = [answer_lost if made else lost_before]
    batch = a_batch_of(**profile)
    perform(batch, fake)
    assert the_action(batch).state == State.UNCERTAIN
    return batch


@pytest.mark.usefixtures("plan")
@pytest.mark.parametrize(("moment", "checks"), [("next_step_at", False), ("check_due_at", True)])
def test_what_is_due_longest_is_asked_about_first(
    moment: str, checks: bool, clock: DatabaseClock, fake: FakeTarget
) -> None:
    fake.scripted = [] if checks else [answer_lost] * 3
    batch = a_batch_of(3)
    perform(batch, fake)
    waiting = actions_of(batch)
    for action in reversed(waiting):
        put(action, **{moment: clock.now()})
    target = the_target(batch)

    taken = take_due_looks(target_id=target.pk, profile=target.profile, limit=3, checks=checks)

    assert [one.action_id for one in taken] == [action.pk for action in reversed(waiting)]


# FAULTS 12
CANNOT_TELL = [
    cannot_tell("http-500", http_status=500),
    cannot_tell("unauthorized", http_status=401),
    cannot_tell("forbidden", http_status=403),
    cannot_tell("http-404", http_status=404),
    cannot_tell("http-429", http_status=429, retry_after_s=1.0),
    cannot_tell("deadline"),
    cannot_tell("foreign-body", http_status=200),
    seen(complete=False, code="empty-first-page"),
]


@pytest.mark.parametrize("answer", CANNOT_TELL, ids=lambda look: look.code)
def test_a_look_up_that_cannot_tell_never_proves_absence(
    answer: Look, clock: DatabaseClock, fake: FakeTarget
) -> None:
    """R5: however often, however late; and after the profile's patience a person is told."""
    batch = lost(fake)
    fake.scripted_looks = [answer] * 100
    states: list[str] = []
    while the_action(batch).state == State.UNCERTAIN:
        clock.to(next_at(the_action(batch)))
        assert look(batch, fake) == 1
        states.append(the_action(batch).state)
        assert claim(batch) is None

    assert set(states) == {"uncertain", "reconcile"}
    assert the_action(batch).reason in {"target-cannot-tell", "absence-cannot-be-proven"}
    assert len(fake.creates) == 1
    assert not Observation.objects.filter(proves_absence=True).exists()
    assert len(states) < 40  # with growing pauses, not every few seconds for an hour


def test_absence_counts_only_after_the_settle_time(clock: DatabaseClock, fake: FakeTarget) -> None:
    """R5, FAULTS 3: the zombie that commits late is found, and there is one object."""
    batch = lost(fake)
    clock.forward(1)
    look_now(batch, fake, clock)
    assert the_action(batch).state == State.UNCERTAIN
    fake.create(fake.creates[0])  # the target commits now

    clock.to(next_at(the_action(batch)))
    look(batch, fake)

    assert (the_action(batch).state, the_action(batch).result_id) == (State.CONFIRMED, "obj-1")
    assert len(fake.creates) == 1


def test_the_next_look_is_exactly_when_absence_begins_to_count(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    """Neither later than needed nor again and again before."""
    before = clock.now()
    batch = lost(fake)
    after = clock.now()
    looks = 0
    while the_action(batch).state == State.UNCERTAIN:
        clock.to(next_at(the_action(batch)))
        looks += look(batch, fake)

    assert (clock.now() - before).total_seconds() >= SETTLE_S
    assert (clock.now() - after).total_seconds() < SETTLE_S + 2
    assert (the_action(batch).state, the_action(batch).key_generation) == (State.PLANNED, 2)
    assert looks < 10


def test_a_look_that_began_before_the_settle_time_and_ended_after_it_proves_nothing(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    """R5: a request may land between the two."""
    batch = lost(fake)
    clock.forward(SETTLE_S - 5)
    (due,) = take(batch, clock)
    clock.forward(20)

    record_looks([Looked(due, seen())], profile=the_target(batch).profile, actor=ACTOR)

    assert the_action(batch).state == State.UNCERTAIN
    assert Observation.objects.get().proves_absence is False


def test_a_dead_senders_settle_time_begins_with_the_end_of_its_lease(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    """R2, R5: until then it may still have sent."""
    batch = a_batch_of()
    the_claim(batch)
    clock.forward(LEASE_S + 1)
    expire_leases()
    clock.forward(SETTLE_S - 10)
    look_now(batch, fake, clock)
    assert the_action(batch).state == State.UNCERTAIN

    clock.forward(20)
    look_now(batch, fake, clock)

    assert the_action(batch).state == State.PLANNED


def test_what_a_look_says_about_an_earlier_attempt_does_not_count_for_a_later_one(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    """R5: absence was proven, another request left, and its answer was lost as well."""
    batch = lost(fake)
    clock.forward(SETTLE_S + 1)
    look_now(batch, fake, clock)
    fake.scripted = [answer_lost]
    perform(batch, fake)

    assert the_action(batch).state == State.UNCERTAIN
    assert claim(batch) is None
    clock.forward(1)
    look_now(batch, fake, clock)
    assert (the_action(batch).state, fake.ids(the_action(batch).marker)) == (State.CONFIRMED, ["obj-1"])


@pytest.mark.parametrize("state", ["uncertain", "reconcile"])
def test_two_of_ours_go_to_a_person_and_are_never_resolved_by_the_program(
    state: str, clock: DatabaseClock, fake: FakeTarget
) -> None:
    """R6, FAULTS 11"""
    batch = lost(fake)
    action = the_action(batch)
    fake.scripted_looks = [seen(ours(action, "obj-1"), ours(action, "obj-2"))] * 2
    clock.forward(1)
    look_now(batch, fake, clock)
    if state == "reconcile":
        decide.look_again(action=the_action(batch))
        look(batch, fake)

    action = the_action(batch)
    assert (action.state, action.reason, action.result_id) == ("reconcile", "found-many", "")
    assert (action.presence, action.next_step) == (Presence.DUPLICATE, NextStep.PERSON)
    assert Event.objects.filter(kind="duplicate.seen").order_by("pk")[0].data == {
        "result_ids": ["obj-1", "obj-2"]
    }
    assert claim(batch) is None

    decide.adopt(action=action, result_id="obj-2", user=a_user("second"))
    action = the_action(batch)
    assert (action.state, action.result_id) == ("confirmed", "obj-2")
    assert action.presence == Presence.DUPLICATE  # choosing one takes the other one away from no target


def test_the_same_object_named_twice_is_one(clock: DatabaseClock, fake: FakeTarget) -> None:
    """Two pages of a list that moved meanwhile."""
    batch = lost(fake)
    action = the_action(batch)
    fake.scripted_looks = [seen(ours(action, "obj-1"), ours(action, "obj-1"))]

    look_now(batch, fake, clock)

    assert (the_action(batch).state, the_action(batch).result_id) == ("confirmed", "obj-1")
    assert the_action(batch).presence == Presence.PRESENT


@pytest.mark.parametrize("after", [1.0, SETTLE_S + 1], ids=["before the settle time", "after it"])
def test_what_merely_looks_alike_is_for_a_person(
    after: float, clock: DatabaseClock, fake: FakeTarget
) -> None:
    """R6: made by hand, without our marker; neither adopted nor a reason to create."""
    batch = lost(fake)
    fake.scripted_looks = [seen(candidates=(FoundObject("obj-7", None, title="product-000 de-DE"),))]
    clock.forward(after)

    look_now(batch, fake, clock)

    action = the_action(batch)
    assert (action.state, action.reason, action.result_id) == ("reconcile", "looks-alike", "")
    assert Observation.objects.get().candidates[0]["result_id"] == "obj-7"
    assert Observation.objects.get().proves_absence is False
    assert len(fake.creates) == 1


def test_an_object_with_the_marker_of_another_action_is_not_ours(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    """R6, FAULTS 19: whatever the connector says."""
    batch = lost(fake)
    fake.scripted_looks = [seen(FoundObject("obj-7", "once-another"))]

    look_now(batch, fake, clock)

    assert (the_action(batch).state, the_action(batch).result_id) == ("uncertain", "")
    assert Observation.objects.get().verdict == Verdict.CANNOT_TELL


@pytest.mark.parametrize(
    "bad",
    [
        seen(FoundObject("", None)),
        seen(FoundObject("x" * 301, None)),
        seen(FoundObject("nul\x00", None)),
        Look(Verdict.FOUND, "scripted", complete=True),
    ],
    ids=["no id", "too long", "NUL", "found nothing"],
)
def test_one_unreadable_answer_does_not_hold_up_the_look_ups_of_others(
    bad: Look, clock: DatabaseClock, fake: FakeTarget
) -> None:
    fake.scripted = [answer_lost] * 3
    batch = a_batch_of(3, concurrency=1)
    perform(batch, fake)
    fake.scripted_looks = [bad]

    assert look(batch, fake) == 3

    assert sorted(Action.objects.values_list("state", flat=True)) == ["confirmed", "confirmed", "uncertain"]


@pytest.mark.parametrize("text", ["lone \ud800 surrogate", "nul \x00"], ids=["surrogate", "NUL"])
def test_what_cannot_be_stored_is_stored_without_it(
    text: str, clock: DatabaseClock, fake: FakeTarget
) -> None:
    batch = lost(fake, made=True)
    action = the_action(batch)
    found = ours(action, title=text, status=text, url=text, content_hash=text)
    fake.scripted_looks = [
        seen(found, detail=text, candidates=(FoundObject("obj-9", text, title=text),)),
    ]

    look_now(batch, fake, clock)

    assert (the_action(batch).state, Observation.objects.get().objects_seen[0]["result_id"]) == (
        "confirmed",
        "obj-1",
    )


def test_a_connector_that_breaks_tells_nothing_about_the_target(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    batch = lost(fake)
    fake.scripted_looks = [None]  # type: ignore[list-item]

    look_now(batch, fake, clock)

    observation = Observation.objects.get()
    assert (observation.verdict, observation.code) == (Verdict.CANNOT_TELL, "connector-error")
    assert the_action(batch).state == State.UNCERTAIN


def test_trashed_by_an_editor_is_found_confirmed_and_shown(clock: DatabaseClock, fake: FakeTarget) -> None:
    """R7: not repaired by creating."""
    batch = lost(fake)
    fake.scripted_looks = [seen(ours(the_action(batch), trashed=True, status="trash"))]

    look_now(batch, fake, clock)

    assert (the_action(batch).state, the_action(batch).presence) == ("confirmed", Presence.TRASHED)
    assert len(fake.creates) == 1


def test_two_processes_that_looked_at_once_conclude_once(clock: DatabaseClock, fake: FakeTarget) -> None:
    """Guarded by the revision that the look was made for."""
    batch = lost(fake, made=True)
    (due,) = take(batch, clock)
    found = Looked(due, seen(ours(the_action(batch))))
    for _ in range(2):
        record_looks([found], profile=the_target(batch).profile, actor=ACTOR)

    assert events_of(the_action(batch))[-1] == ("uncertain", "confirmed", "found")
    assert Event.objects.filter(to_state="confirmed").count() == 1
    assert Observation.objects.count() == 2


def test_an_absence_that_was_seen_before_a_replay_left_sends_nothing_more(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    """R4: the look was made for a revision that is over."""
    batch = lost(fake)
    clock.forward(SETTLE_S + 1)
    profile = the_target(batch).profile
    dues = [*take(batch, clock), *take(batch, clock)]
    record_looks([Looked(dues[0], seen())], profile=profile, actor=ACTOR)
    perform(batch, fake)
    assert the_action(batch).state == State.CONFIRMED

    record_looks([Looked(dues[1], seen())], profile=profile, actor=ACTOR)

    assert the_action(batch).state == State.CONFIRMED
    assert Observation.objects.order_by("-pk")[0].proves_absence is False
    assert record(batch) == set()
