"""A target's limits over all processes: lanes, rate, Retry-After, and the breaker."""

from __future__ import annotations

import threading
from collections import Counter
from functools import partial

import pytest

from once_delivery.ledger import gate
from once_delivery.ledger.claims import Group, claim_group
from once_delivery.ledger.models import Attempt, Batch, Gate
from once_delivery.ledger.requests import ActionRequest
from once_delivery.ledger.services.perform_group import perform_group
from once_delivery.targets.base import Answer, EffectRequest, Kind, Outcome
from tests.builders import a_batch, a_delivery, a_draft, a_project, a_target, actions_of
from tests.fakes.clock import DatabaseClock
from tests.fakes.connector import FakeConnector, FakeTarget, answer_lost, lost_before, never_left, refused
from tests.ledger.given import (
    ACTOR,
    LEASE_S,
    REAL_LIFE,
    a_batch_of,
    a_run,
    cannot_tell,
    look,
    perform,
    said,
    the_target,
)
from tests.ledger.test_claims import together

pytestmark = pytest.mark.django_db(transaction=True)


def take(batch: Batch, *, limit: int = 1) -> Group | None:
    """A group with its lane, which is not given back."""
    target = the_target(batch)
    return claim_group(
        target_id=target.pk, profile=target.profile, run_id=a_run(batch.project).pk, actor=ACTOR, limit=limit
    )


def states(batch: Batch) -> Counter[str]:
    return Counter(action.state for action in actions_of(batch))


@pytest.mark.parametrize(
    ("concurrency", "threads"), [(1, [1]), (4, [4]), (5, [1, 4]), (10, [2, 4, 4]), (64, [4] * 16)]
)
def test_lanes_cut_the_concurrency_and_no_sender_is_let_in_beyond_them(
    concurrency: int, threads: list[int]
) -> None:
    """Twenty senders at once share what the profile allows."""
    batch = a_batch_of(20, concurrency=concurrency)

    groups = [group for group in together(20, lambda: take(batch)) if group is not None]

    assert sorted(group.threads for group in groups) == threads
    assert len({group.lane for group in groups}) == len(threads)
    assert take(batch) is None
    assert states(batch) == {"sending": len(threads), "planned": 20 - len(threads)}


def test_a_lane_that_is_given_back_is_used_again() -> None:
    batch = a_batch_of(2, concurrency=1)
    first = take(batch)
    assert first is not None

    gate.give_back_lane(holder=first.lane)

    assert take(batch) is not None


def test_the_lane_of_a_dead_sender_is_free_after_its_lease(clock: DatabaseClock) -> None:
    batch = a_batch_of(2, concurrency=1)
    assert take(batch) is not None

    clock.forward(LEASE_S - 1)
    assert take(batch) is None
    clock.forward(2)
    assert take(batch) is not None


def test_who_comes_late_does_not_give_back_the_lane_of_another(clock: DatabaseClock) -> None:
    batch = a_batch_of(3, concurrency=1)
    first = take(batch)
    assert first is not None
    clock.forward(LEASE_S + 1)
    assert take(batch) is not None

    gate.give_back_lane(holder=first.lane)

    assert take(batch) is None


def test_no_more_requests_at_once_than_the_profile_says(fake: FakeTarget) -> None:
    """Measured at the target, over six senders."""
    batch = a_batch_of(60, concurrency=6)
    lock, inside, most = threading.Lock(), [0], [0]
    all_six = threading.Barrier(6)

    def counted(target: FakeTarget, request: EffectRequest, *, meet: bool = False) -> Answer:
        with lock:
            inside[0] += 1
            most[0] = max(most[0], inside[0])
        if meet:
            all_six.wait(timeout=20)
        answer = target.create(request)
        with lock:
            inside[0] -= 1
        return answer

    fake.scripted = [partial(counted, meet=True)] * 6 + [counted] * 54

    def send_all() -> None:
        for _ in range(50):
            perform(batch, fake, limit=5)
            if states(batch)["planned"] == 0:
                return

    together(6, send_all)

    assert states(batch) == {"confirmed": 60}
    assert (most[0], len(fake.creates)) == (6, 60)


@pytest.mark.parametrize(("rate", "burst", "wait"), [(5.0, 5, 0.2), (0.5, 1, 2.0)])
def test_the_rate_is_kept_over_all_senders(
    rate: float, burst: int, wait: float, clock: DatabaseClock
) -> None:
    batch = a_batch_of(12, concurrency=64, rate_per_s=rate)
    clock.stop()

    groups = [group for group in together(8, lambda: take(batch, limit=12)) if group is not None]

    assert sum(len(group.items) for group in groups) == burst
    clock.forward(wait * 0.8)
    assert take(batch) is None
    clock.forward(wait * 0.2 + 0.001)
    more = take(batch, limit=12)
    assert more is not None
    assert len(more.items) == 1


def test_the_rate_does_not_pile_up_while_nothing_is_sent(clock: DatabaseClock) -> None:
    batch = a_batch_of(12, concurrency=64, rate_per_s=2.0)
    assert take(batch, limit=12) is not None
    clock.forward(3600)

    group = take(batch, limit=12)

    assert group is not None
    assert len(group.items) == 2


def test_a_look_up_counts_into_the_rate(clock: DatabaseClock, fake: FakeTarget) -> None:
    batch = a_batch_of(3, rate_per_s=1.0)
    fake.scripted = [answer_lost]
    perform(batch, fake)

    assert look(batch, fake) == 0
    clock.forward(1)
    assert look(batch, fake) == 1
    assert perform(batch, fake) is None


def test_what_the_target_asks_holds_for_all_of_it(clock: DatabaseClock, fake: FakeTarget) -> None:
    """Retry-After: not for the one action that heard it alone."""
    batch = a_batch_of(3)

    def slower(target: FakeTarget, request: EffectRequest) -> Answer:
        return said(Outcome.NOT_DONE, "http-429", http_status=429, retry_after_s=120.0)

    fake.scripted = [slower]
    perform(batch, fake, limit=1)

    clock.forward(118)
    assert perform(batch, fake) is None
    clock.forward(3)
    perform(batch, fake)
    assert states(batch) == {"confirmed": 3}
    assert len(fake.creates) == 4


def test_a_shorter_wait_does_not_shorten_a_longer_one(clock: DatabaseClock) -> None:
    batch = a_batch_of()
    target = the_target(batch)
    take(batch)
    for wait in (300.0, 10.0):
        gate.heard(target_id=target.pk, answered=1, failed=0, retry_after_s=wait)

    clock.forward(200)

    opens = gate.opens_at(target_id=target.pk)
    assert opens is not None
    assert 95 < (opens - clock.now()).total_seconds() < 101


def test_a_look_up_that_is_asked_to_wait_holds_up_the_sends(clock: DatabaseClock, fake: FakeTarget) -> None:
    batch = a_batch_of(2)
    fake.scripted = [answer_lost]
    fake.scripted_looks = [cannot_tell("http-429", http_status=429, retry_after_s=60.0)]
    perform(batch, fake, limit=1)

    assert look(batch, fake) == 1

    assert perform(batch, fake) is None
    clock.forward(61)
    assert perform(batch, fake) is not None


def open_breaker(batch: Batch, fake: FakeTarget) -> None:
    fake.scripted = [never_left] * 5
    perform(batch, fake, limit=5)
    fake.creates.clear()


def test_five_failures_in_a_row_let_the_target_rest(clock: DatabaseClock, fake: FakeTarget) -> None:
    """A target that is down burns no attempts."""
    batch = a_batch_of(20)
    open_breaker(batch, fake)

    assert perform(batch, fake) is None

    assert fake.creates == []
    assert Attempt.objects.count() == 5


def test_four_failures_and_an_answer_do_not(fake: FakeTarget) -> None:
    batch = a_batch_of(20)
    fake.scripted = [never_left] * 4
    perform(batch, fake, limit=4)
    perform(batch, fake, limit=1)
    fake.scripted = [never_left] * 4
    perform(batch, fake, limit=4)

    assert perform(batch, fake, limit=1) is not None


def test_after_the_rest_one_action_tries_the_target(clock: DatabaseClock, fake: FakeTarget) -> None:
    """Half open: the others wait for its answer, over all senders."""
    batch = a_batch_of(20, concurrency=64)
    open_breaker(batch, fake)
    clock.forward(gate.BREAKER_FIRST_S)

    groups = [group for group in together(8, lambda: take(batch, limit=20)) if group is not None]

    assert [len(group.items) for group in groups] == [1]


def test_its_answer_lets_all_in_again(clock: DatabaseClock, fake: FakeTarget) -> None:
    batch = a_batch_of(20)
    open_breaker(batch, fake)
    clock.forward(gate.BREAKER_FIRST_S)

    perform(batch, fake)
    assert len(fake.creates) == 1
    perform(batch, fake)

    assert states(batch) == {"confirmed": 20}
    assert Gate.objects.values_list("failures", "opened", "open_until").get() == (0, 0, None)


def test_a_refusal_is_an_answer(clock: DatabaseClock, fake: FakeTarget) -> None:
    batch = a_batch_of(20)
    open_breaker(batch, fake)
    clock.forward(gate.BREAKER_FIRST_S)
    fake.scripted = [refused]

    perform(batch, fake)

    assert gate.opens_at(target_id=the_target(batch).pk) is None


def test_its_failure_doubles_the_rest_up_to_five_minutes(clock: DatabaseClock, fake: FakeTarget) -> None:
    batch = a_batch_of(20)
    open_breaker(batch, fake)
    rests = []
    for _ in range(8):
        opens = gate.opens_at(target_id=the_target(batch).pk)
        assert opens is not None
        rests.append(round((opens - clock.now()).total_seconds()))
        clock.to(opens)
        fake.scripted = [never_left]
        assert perform(batch, fake) is not None

    assert rests == [5, 10, 20, 40, 80, 160, 300, 300]
    assert len(fake.creates) == 8
    assert states(batch) == {"planned": 20}


def test_a_try_that_dies_is_followed_by_another(clock: DatabaseClock, fake: FakeTarget) -> None:
    batch = a_batch_of(20)
    open_breaker(batch, fake)
    clock.forward(gate.BREAKER_FIRST_S)
    assert take(batch) is not None

    clock.forward(LEASE_S - 1)
    assert take(batch) is None
    clock.forward(2)
    assert take(batch) is not None


def test_look_ups_go_on_while_the_target_rests(fake: FakeTarget) -> None:
    """They can make no second object, and what is there already is found."""
    batch = a_batch_of(6)
    fake.scripted = [answer_lost] * 6
    perform(batch, fake)

    assert look(batch, fake) == 6

    assert states(batch) == {"confirmed": 6}


def test_a_target_that_can_be_read_but_not_written_still_rests(
    clock: DatabaseClock, fake: FakeTarget
) -> None:
    """Answered look-ups say nothing about creates: a full disk must not burn the attempts of a thousand actions."""
    batch = a_batch_of(20)
    fake.scripted = [lost_before] * 5
    perform(batch, fake, limit=5)

    assert look(batch, fake) == 5

    assert perform(batch, fake) is None
    assert (len(fake.creates), Attempt.objects.count()) == (5, 5)


def test_another_target_goes_on(fake: FakeTarget) -> None:
    """One that is down holds up no other and burns none of its attempts."""
    project = a_project()
    down, well = FakeTarget(), fake
    batch = a_batch_of(6)
    a_target(project, name="shop", **REAL_LIFE)
    other = a_batch(
        project, *(a_delivery(f"item-{n}", actions=(a_draft(target="shop"),)) for n in range(3)), name="shop"
    )
    open_breaker(batch, down)
    assert perform(batch, down) is None

    target = actions_of(other)[0].target
    perform_group(
        target_id=target.pk,
        profile=target.profile,
        connector=FakeConnector(well),
        run_id=a_run(project).pk,
        actor=ACTOR,
        limit=10,
    )

    assert states(other) == {"confirmed": 3}
    assert all(action.sends == 1 for action in actions_of(other))
    assert down.creates == []


def test_our_own_fault_says_nothing_about_the_target(fake: FakeTarget) -> None:
    """A file that is not there is not a failure of the target."""
    project = a_project()
    a_target(project, **REAL_LIFE)
    lost = ActionRequest("cms", Kind.UPLOAD_FILE, "hero", {"file": {"sha256": "0" * 64}})
    batch = a_batch(project, *(a_delivery(f"item-{number}", actions=(lost,)) for number in range(6)))

    perform(batch, fake)

    assert fake.creates == []
    assert gate.opens_at(target_id=the_target(batch).pk) is None
