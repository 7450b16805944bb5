"""What a worker does, and what it leaves behind when there is nothing to do (R12)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from once_delivery.ledger.claims import claim_group
from once_delivery.ledger.models import Batch, Run, RunStatus
from once_delivery.ledger.services.expire_leases import expire_leases
from once_delivery.ledger.services.perform_group import Performed
from once_delivery.ledger.services.work_all import due_targets, work_all
from once_delivery.ledger.services.work_target import GROUP_MOST, next_limit, work_target
from once_delivery.ledger.states import State
from once_delivery.targets.models import Target
from tests.builders import a_batch, a_delivery, a_draft, a_project, actions_of, the_action
from tests.fakes.clock import DatabaseClock
from tests.fakes.connector import FakeTarget, never_left, refused
from tests.ledger.given import (
    ACTOR,
    LEASE_S,
    a_batch_of,
    a_real_target,
    a_run,
    claim,
    next_at,
    perform,
    the_target,
)

pytestmark = pytest.mark.django_db(transaction=True)


def a_blocked_draft(fake: FakeTarget) -> Batch:
    """Its image was refused and waits for a person."""
    project = a_project()
    a_real_target(project)
    fake.scripted = [refused]
    draft, image = a_draft(featured={"$result": "hero"}), a_draft(slot="hero")
    batch = a_batch(project, a_delivery(actions=(draft, image)))
    perform(batch, fake)
    assert [action.state for action in actions_of(batch)] == ["planned", "refused"]
    return batch


def a_resting_target(fake: FakeTarget) -> Batch:
    """It is down, and left alone."""
    batch = a_batch_of(8)
    fake.scripted = [never_left] * 5
    perform(batch, fake, limit=5)
    return batch


@pytest.mark.parametrize("nothing_to_do", [a_blocked_draft, a_resting_target], ids=["blocked", "resting"])
def test_a_worker_that_can_do_nothing_leaves_no_run(
    nothing_to_do: Callable[[FakeTarget], Batch], fake: FakeTarget
) -> None:
    """A sweep every five seconds for three days must not be fifty thousand rows."""
    batch = nothing_to_do(fake)
    runs = Run.objects.count()

    for _ in range(5):
        assert work_target(target_id=the_target(batch).pk, actor=ACTOR).total == 0

    assert Run.objects.count() == runs


def test_a_worker_that_did_something_says_so(fake: FakeTarget) -> None:
    batch = a_batch_of(3)

    work_target(target_id=the_target(batch).pk, actor=ACTOR)

    run = Run.objects.get()
    assert (run.status, run.summary) == (RunStatus.FINISHED, {"looked": 0, "performed": 3})


def two_targets() -> tuple[Batch, Batch]:
    project = a_project()
    a_real_target(project)
    a_real_target(project, name="shop")
    in_shop = a_delivery("two", actions=(a_draft(target="shop"),))
    return a_batch(project, a_delivery("one")), a_batch(project, in_shop, name="shop")


def spoil(batch: Batch) -> None:
    """A profile that fits the schema no more, as after an upgrade."""
    Target.objects.filter(pk=the_action(batch).target_id).update(
        profile_data={"guard": "lookup", "old": True}
    )


def test_a_target_whose_profile_is_spoilt_stops_no_other(fake: FakeTarget) -> None:
    broken, well = two_targets()
    spoil(broken)

    work_all(actor=ACTOR)

    assert (the_action(broken).state, the_action(well).state) == (State.PLANNED, State.CONFIRMED)


def test_expired_leases_are_seen_whatever_a_profile_says(clock: DatabaseClock, fake: FakeTarget) -> None:
    """R3: the sweep of all targets must not fail for one."""
    broken, well = two_targets()
    for batch in (broken, well):
        action = the_action(batch)
        claim_group(
            target_id=action.target_id,
            profile=action.target.profile,
            run_id=a_run(batch.project).pk,
            actor=ACTOR,
            limit=1,
        )
    spoil(broken)
    clock.forward(LEASE_S + 1)

    assert expire_leases() == 2

    assert (the_action(broken).state, the_action(well).state) == (State.UNCERTAIN, State.UNCERTAIN)
    assert next_at(the_action(broken)) <= clock.now()


def test_what_is_due_is_found_by_target_the_longest_waiting_first() -> None:
    first, second = two_targets()
    assert due_targets() == [the_action(first).target_id, the_action(second).target_id]

    claim(first)

    assert due_targets() == [the_action(second).target_id]


@pytest.mark.parametrize(
    ("_case", "limit", "performed", "expected"),
    [
        ("quick", 16, Performed(16, 0, 0.1), 32),
        ("quick, but not full", 16, Performed(9, 0, 0.1), 16),
        ("slow", 16, Performed(16, 0, 3.0), 16),
        ("some never had their turn", 64, Performed(64, 40, 60.0), 12),
        ("none had its turn", 4, Performed(4, 4, 60.0), 1),
        ("at the most", GROUP_MOST, Performed(GROUP_MOST, 0, 0.5), GROUP_MOST),
    ],
)
def test_the_size_of_the_next_group(_case: str, limit: int, performed: Performed, expected: int) -> None:
    assert next_limit(limit, performed) == expected
