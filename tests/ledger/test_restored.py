"""The database was restored from an older backup: the targets hold more than the ledger knows, and nothing is made twice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from once_delivery.ledger.models import Action, Event, Restoration
from once_delivery.ledger.restoring import HELD, RESTORED
from once_delivery.ledger.services.decide import (
    NeedsSecondPersonError,
    declare_absent,
    give_up,
    retry_refused,
)
from once_delivery.ledger.services.plan_batch import plan_batch
from once_delivery.ledger.services.restore_ledger import (
    BackupOfTheFutureError,
    end_restorations,
    open_restoration,
)
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.ledger.states import State
from once_delivery.targets.base import FoundObject, Outcome
from tests.builders import a_batch, a_delivery, a_user, actions_of, the_action
from tests.fakes.clock import DatabaseClock
from tests.fakes.connector import FakeTarget
from tests.ledger.given import (
    ACTOR,
    LEASE_S,
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
    seen,
    state_of,
    the_claim,
)
from tests.ledger.raw import go

pytestmark = pytest.mark.django_db(transaction=True)

SETTLED_S = LEASE_S + 600.0 + 1.0


def restored(clock: DatabaseClock, *, hours: float = 2.0) -> Restoration:
    return open_restoration(since=clock.now() - timedelta(hours=hours), actor=ACTOR).restoration


def made_after_the_backup(fake: FakeTarget, action: Action, result_id: str = "obj-77") -> None:
    """What the house did and has forgotten: the target holds it."""
    fake.objects.append(FoundObject(result_id=result_id, marker=action.marker))


def counted(fake: FakeTarget) -> int:
    return len(fake.objects)


def test_what_was_made_after_the_backup_is_found_and_what_was_not_is_made_once(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    """R3, R4: planned in the ledger, and there at the target."""
    batch = a_batch_of(2)
    first, second = actions_of(batch)
    made_after_the_backup(fake, first)

    restored(clock)
    assert [state_of(one) for one in (first, second)] == ["uncertain", "uncertain"]
    resume_batch(batch=batch)

    assert (state_of(first), state_of(second), counted(fake)) == ("confirmed", "uncertain", 1)
    assert Action.objects.get(pk=first.pk).result_id == "obj-77"
    clock.forward(SETTLED_S)
    resume_batch(batch=batch)
    assert (state_of(second), counted(fake)) == ("confirmed", 2)
    assert events_of(second)[:3] == [
        ("planned", "uncertain", RESTORED),
        ("uncertain", "planned", "absence-proven"),
        ("planned", "sending", "claimed"),
    ]


def test_absence_does_not_count_while_what_was_sent_may_still_arrive(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    """R5: whoever sent it before the restore held a lease that nobody knows of."""
    batch = a_batch_of()
    restored(clock)
    clock.forward(LEASE_S + 590.0)
    look(batch, fake)
    assert state_of(the_action(batch)) == "uncertain"


@pytest.mark.parametrize("guard", [{"guard": "idempotency_key", "window_s": 86_400.0}, {"guard": "none"}])
def test_a_target_that_cannot_be_asked_makes_a_case_and_the_answer_of_a_person_counts_once(
    clock: DatabaseClock, fake: FakeTarget, guard: dict[str, Any]
) -> None:
    batch = a_batch_of(**guard, look_up=False)
    restored(clock)
    action = the_action(batch)
    assert (action.state, action.next_step) == ("reconcile", "person")
    with pytest.raises(NeedsSecondPersonError):
        declare_absent(action=action, user=a_user("ops"))
    declare_absent(action=action, user=a_user("ops"), second=a_user("deputy"))
    perform(batch, fake)
    assert (state_of(action), counted(fake)) == ("confirmed", 1)


def test_a_key_protects_only_what_was_sent_since(clock: DatabaseClock, fake: FakeTarget) -> None:
    """The ledger does not know which generation of the key was used last: under an older one a second would be made."""
    batch = a_batch_of(guard="idempotency_key", window_s=86_400.0, look_up=False)
    record(batch, (the_claim(batch), UNKNOWN))
    assert the_action(batch).next_step == "replay"

    restored(clock)

    action = the_action(batch)
    assert (action.state, action.reason) == ("reconcile", "restored-cannot-be-asked")
    assert claim(batch) is None


def test_under_our_own_id_it_is_looked_for_and_then_sent_at_once(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    fake.protects = "client_id"
    batch = a_batch_of(2, guard="client_id")
    made_after_the_backup(fake, actions_of(batch)[0])
    restored(clock)
    resume_batch(batch=batch)
    assert [one.state for one in actions_of(batch)] == ["confirmed", "confirmed"]
    assert counted(fake) == 2


def test_what_the_target_refuses_after_the_restore_is_a_persons(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    """Sent again under our own ID and refused: not sent for ever."""
    batch = a_batch_of(guard="client_id")
    restored(clock)
    look(batch, fake)
    record(batch, (the_claim(batch), said(Outcome.REFUSED, "http-422", http_status=422)))
    action = the_action(batch)
    assert (action.state, action.reason) == ("reconcile", "target-refused")


def test_what_waited_for_a_person_is_not_sent_without_one(clock: DatabaseClock, fake: FakeTarget) -> None:
    """A refusal that a person was to decide: looked for, and not there, it is theirs again."""
    batch = a_batch_of()
    record(batch, (the_claim(batch), said(Outcome.REFUSED, "http-422", http_status=422)))
    action = the_action(batch)
    assert (action.state, action.next_step) == ("refused", "person")

    restored(clock)
    assert events_of(action)[-1] == ("refused", "uncertain", HELD)
    clock.forward(SETTLED_S)
    look(batch, fake)

    action.refresh_from_db()
    assert (action.state, action.reason, counted(fake)) == ("reconcile", HELD, 0)
    declare_absent(action=action, user=a_user("ops"))  # the look proved it
    perform(batch, fake)
    assert (state_of(action), counted(fake)) == ("confirmed", 1)


def test_a_refusal_that_was_retried_after_the_backup_is_found(clock: DatabaseClock, fake: FakeTarget) -> None:
    batch = a_batch_of()
    record(batch, (the_claim(batch), said(Outcome.REFUSED, "http-422", http_status=422)))
    made_after_the_backup(fake, the_action(batch))
    restored(clock)
    resume_batch(batch=batch)
    assert (state_of(the_action(batch)), counted(fake)) == ("confirmed", 1)


def test_what_was_seen_before_proves_nothing_now(clock: DatabaseClock, fake: FakeTarget) -> None:
    """R5: absent, by a look of before the restore; sent after the backup."""
    batch = a_batch_of()
    record(batch, (the_claim(batch), UNKNOWN))
    action = the_action(batch)
    clock.forward(SETTLED_S)
    fake.scripted_looks = [seen(), cannot_tell()]
    put(action, next_step_at=clock.now())
    look(batch, fake)
    assert state_of(action) == "planned"
    made_after_the_backup(fake, action)

    restored(clock)
    action.refresh_from_db()
    with pytest.raises(NeedsSecondPersonError):
        declare_absent(action=action, user=a_user("ops"))


def test_a_lease_that_was_held_is_lost_and_its_answer_kept(clock: DatabaseClock, fake: FakeTarget) -> None:
    """R8"""
    batch = a_batch_of()
    claimed = the_claim(batch)
    restored(clock)
    action = the_action(batch)
    assert (action.state, action.lease_token, action.reason) == ("uncertain", None, RESTORED)

    record(batch, (claimed, done("obj-9")))

    action.refresh_from_db()
    assert (action.state, action.result_id) == ("confirmed", "obj-9")


@pytest.mark.parametrize("outcome", [Outcome.REFUSED, Outcome.NOT_DONE, Outcome.NOT_SENT])
def test_a_late_word_about_one_attempt_says_nothing_about_those_that_are_forgotten(
    clock: DatabaseClock, fake: FakeTarget, outcome: Outcome
) -> None:
    batch = a_batch_of()
    claimed = the_claim(batch)
    restored(clock)
    record(batch, (claimed, said(outcome)))
    assert (the_action(batch).state, the_action(batch).next_step) == ("uncertain", "look_up")


def test_a_batch_that_is_asked_for_again_while_the_restoration_is_open_is_looked_for(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    """The whole batch came after the backup: the ledger knows nothing of it, its markers are what they were."""
    restored(clock)
    batch = a_batch_of(2)
    first, second = actions_of(batch)
    made_after_the_backup(fake, first)
    assert {step.step.reason for step in plan_batch(batch=batch)} == {RESTORED}
    assert claim(batch) is None

    resume_batch(batch=batch)
    clock.forward(SETTLED_S)
    resume_batch(batch=batch)

    assert (state_of(first), state_of(second), counted(fake)) == ("confirmed", "confirmed", 2)


def test_after_the_end_what_is_new_is_sent_at_once_and_what_was_asked_for_before_is_looked_for(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    restoration = restored(clock)
    before = a_batch_of()
    made_after_the_backup(fake, the_action(before))
    assert [one.pk for one in end_restorations(actor=ACTOR)] == [restoration.pk]
    clock.forward(1)
    after = a_batch(before.project, a_delivery("teapot"), name="winter")

    resume_batch(batch=after)
    resume_batch(batch=before)

    assert (state_of(the_action(after)), state_of(the_action(before)), counted(fake)) == (
        "confirmed", "confirmed", 2,
    )  # fmt: skip
    assert end_restorations(actor=ACTOR) == []


def test_a_failed_job_that_is_tried_again_is_looked_for_first(clock: DatabaseClock, fake: FakeTarget) -> None:
    """Refused only after the restoration was opened: no sender takes it before a look."""
    batch = a_batch_of()
    action = the_action(batch)
    record(batch, (the_claim(batch), said(Outcome.ACCEPTED, "accepted", result_id="job-1")))
    restored(clock)
    assert state_of(action) == "accepted"
    go(action, State.REFUSED, next_step="person")
    retry_refused(action=Action.objects.get(pk=action.pk))
    assert claim(batch) is None
    resume_batch(batch=batch)
    assert ("refused", "uncertain", RESTORED) in events_of(action)


def test_a_case_is_looked_at_anew(clock: DatabaseClock, fake: FakeTarget) -> None:
    batch = a_batch_of()
    record(batch, (the_claim(batch), UNKNOWN))
    fake.scripted_looks = [seen(*(FoundObject(f"obj-{n}", the_action(batch).marker) for n in "ab"))]
    look(batch, fake)
    assert state_of(the_action(batch)) == "reconcile"
    made_after_the_backup(fake, the_action(batch))

    assert open_restoration(since=clock.now(), actor=ACTOR).asked == 1
    look(batch, fake)

    assert (state_of(the_action(batch)), the_action(batch).result_id) == ("confirmed", "obj-77")


def test_said_twice_it_changes_nothing(clock: DatabaseClock, fake: FakeTarget) -> None:
    batch = a_batch_of(3)
    since = clock.now() - timedelta(hours=1)
    first = open_restoration(since=since, actor=ACTOR)
    events = Event.objects.count()
    second = open_restoration(since=since, actor=ACTOR)
    assert (first.new, first.doubted, second.new, second.doubted) == (True, 3, False, 0)
    assert (Event.objects.count(), Restoration.objects.count()) == (events, 1)
    end_restorations(actor=ACTOR)
    third = open_restoration(since=since, actor=ACTOR)
    assert (third.restoration.ended_at is not None, third.doubted) == (True, 0)
    assert {one.state for one in actions_of(batch)} == {"uncertain"}


def test_said_by_two_at_once_each_action_is_doubted_once(clock: DatabaseClock) -> None:
    batch = a_batch_of(40)
    since = clock.now() - timedelta(hours=1)

    def say(_: int) -> int:
        try:
            return open_restoration(since=since, actor=ACTOR).doubted
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert sum(pool.map(say, range(2))) == 40
    assert Event.objects.filter(reason=RESTORED).count() == 40
    assert {one.revision for one in actions_of(batch)} == {1}


def test_what_is_final_stays(clock: DatabaseClock, fake: FakeTarget) -> None:
    """R7"""
    batch = a_batch_of(2)
    first, second = actions_of(batch)
    perform(batch, fake, limit=1)
    give_up(action=Action.objects.get(pk=second.pk), user=a_user("ops"))
    restored(clock)
    assert (state_of(first), state_of(second)) == ("confirmed", "cancelled")


def test_a_backup_of_the_future_is_refused(clock: DatabaseClock) -> None:
    with pytest.raises(BackupOfTheFutureError):
        open_restoration(since=clock.now() + timedelta(hours=1), actor=ACTOR)
    assert not Restoration.objects.exists()
