"""Many recoveries at once, each on a connection of its own (FAULTS 5, 14, 15, 17); processes: tests/faults."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from once_delivery.ledger.claims import Claimed
from once_delivery.ledger.looking import take_due_looks
from once_delivery.ledger.models import Action, Attempt, Batch, Event, Run, RunStatus
from once_delivery.ledger.services.expire_leases import expire_leases
from once_delivery.ledger.services.record_looks import Looked, record_looks
from once_delivery.ledger.services.resume_batch import Resumed, resume_batch
from once_delivery.ledger.services.work_all import work_all
from once_delivery.ledger.services.work_target import work_target
from once_delivery.ledger.states import State
from once_delivery.targets.base import Answer, EffectRequest
from tests.builders import a_batch, a_delivery, a_project, a_target, actions_of, the_action
from tests.fakes.clock import DatabaseClock
from tests.fakes.connector import FakeTarget, answer_lost, lost_before
from tests.ledger.given import (
    ACTOR,
    UNKNOWN,
    a_batch_of,
    cannot_tell,
    claim,
    done,
    perform,
    put,
    record,
    the_claim,
    the_target,
)

pytestmark = pytest.mark.django_db(transaction=True)


def resume_at_once(batch: Batch, count: int, *, wait_s: float = 10.0) -> list[Resumed]:
    """``count`` recoveries, released together; an error of any is an error of the test."""
    gate = threading.Barrier(count)

    def one(_: int) -> Resumed:
        try:
            connection.ensure_connection()
            gate.wait(timeout=60)
            return resume_batch(batch=batch, wait_s=wait_s)
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=count) as pool:
        return list(pool.map(one, range(count)))


def results(resumed: Resumed) -> Counter[str]:
    return Counter(line.step.params.get("result_id", line.step.reason) for line in resumed.after)


@pytest.mark.parametrize(
    ("_case", "script", "creates"),
    [
        ("never executed", [], 1),
        ("uncertain, made", [answer_lost], 1),
        ("uncertain, not made", [lost_before], 2),
    ],
)
def test_fifty_recoveries_at_once_end_with_one_object_and_no_error(
    _case: str, script: list[Any], creates: int, fake: FakeTarget
) -> None:
    """FAULTS 5: the others are told the same ID."""
    project = a_project()
    a_target(project, settle_s=0.2)
    batch = a_batch(project)
    if script:
        fake.scripted = script
        perform(batch, fake)

    ended = resume_at_once(batch, 50)

    action = the_action(batch)
    assert (action.state, fake.ids(action.marker)) == (State.CONFIRMED, [action.result_id])
    assert len(fake.creates) == creates
    assert [results(one) for one in ended] == [Counter({action.result_id: 1})] * 50
    assert Run.objects.filter(status=RunStatus.FINISHED, batch=batch).count() == 50


def test_who_does_not_wait_is_told_that_another_has_it(fake: FakeTarget) -> None:
    """FAULTS 5: being handled is no error."""
    batch = a_batch_of(1)
    started, go_on = threading.Event(), threading.Event()

    def slow(target: FakeTarget, request: EffectRequest) -> Answer:
        started.set()
        go_on.wait(timeout=30)
        return target.create(request)

    fake.scripted = [slow]
    first = threading.Thread(target=lambda: resume_at_once(batch, 1))
    first.start()
    assert started.wait(timeout=30)

    second = resume_batch(batch=batch)
    go_on.set()
    first.join(timeout=30)

    assert [(line.step.verb, line.step.reason) for line in second.after] == [("wait", "being-handled")]
    assert (len(fake.creates), the_action(batch).state) == (1, State.CONFIRMED)


def test_twelve_locales_resumed_twice_at_once_and_once_more(fake: FakeTarget) -> None:
    """FAULTS 17: six confirmed, one lost, five never sent."""
    project = a_project()
    a_target(project)
    locales = [
        "de-DE",
        "fr-FR",
        "it-IT",
        "es-ES",
        "nl-NL",
        "pl-PL",
        "sv-SE",
        "ja-JP",
        "ko-KR",
        "pt-BR",
        "ar-SA",
        "tr-TR",
    ]
    batch = a_batch(project, *(a_delivery("kettle", locale) for locale in locales))
    perform(batch, fake, limit=6)
    fake.scripted = [answer_lost]
    perform(batch, fake, limit=1)
    before = {
        action.marker: action.result_id for action in actions_of(batch) if action.state == State.CONFIRMED
    }
    assert Counter(action.state for action in actions_of(batch)) == {
        "confirmed": 6,
        "uncertain": 1,
        "planned": 5,
    }

    first, second = resume_at_once(batch, 2)
    third = resume_batch(batch=batch)

    after = {action.marker: action.result_id for action in actions_of(batch)}
    assert Counter(action.state for action in actions_of(batch)) == {"confirmed": 12}
    assert before.items() <= after.items()
    assert sorted(after.values()) == sorted(found.result_id for found in fake.objects)
    assert len(fake.creates) == 12
    assert results(first) == results(second) == results(third) == Counter(after.values())
    assert Counter(line.step.verb for line in third.before) == {"reuse": 12}


def test_every_message_ten_times_changes_nothing(fake: FakeTarget) -> None:
    """R12, FAULTS 15: ten workers on one target, then ten on all."""
    batch = a_batch_of(40, concurrency=8)
    target_id = the_target(batch).pk

    def work(number: int) -> None:
        try:
            if number % 2:
                work_all(actor=ACTOR)
            else:
                work_target(target_id=target_id, actor=ACTOR)
        finally:
            connection.close()

    for _ in range(2):
        with ThreadPoolExecutor(max_workers=10) as pool:
            list(pool.map(work, range(10)))

    assert Counter(action.state for action in actions_of(batch)) == {"confirmed": 40}
    assert (len(fake.creates), Attempt.objects.count()) == (40, 40)


def test_without_any_message_a_sweep_finds_everything(clock: DatabaseClock, fake: FakeTarget) -> None:
    """R12: an expired lease, a lost answer, what was never sent."""
    batch = a_batch_of(3)
    record(batch, (the_claim_of(batch), UNKNOWN))
    the_claim_of(batch)
    clock.forward(63)

    for _ in range(4):
        work_all(actor=ACTOR)
        clock.forward(601)

    assert Counter(action.state for action in actions_of(batch)) == {"confirmed": 3}
    assert len(fake.creates) == 3


def the_claim_of(batch: Batch) -> Claimed:
    group = claim(batch, limit=1)
    assert group is not None
    return group.items[0]


def test_eight_sweeps_at_once_expire_a_lease_once(clock: DatabaseClock) -> None:
    """R3: one change of state, one event."""
    batch = a_batch_of(20)
    assert claim(batch) is not None
    clock.forward(63)

    def sweep(_: int) -> int:
        try:
            return expire_leases()
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=8) as pool:
        moved = list(pool.map(sweep, range(8)))

    assert sum(moved) == 20
    assert Event.objects.filter(reason="lease-expired").count() == 20


def test_looks_recorded_at_once_in_any_order_wait_for_nobody(clock: DatabaseClock, fake: FakeTarget) -> None:
    """No deadlock: rows are held in one order, whatever order the look-ups had."""
    fake.scripted = [lost_before] * 30
    batch = a_batch_of(30)
    while perform(batch, fake) is not None:
        clock.forward(301)
    target = the_target(batch)

    def record_in_order(number: int) -> None:
        try:
            for _ in range(3):
                for action in actions_of(batch):
                    put(action, next_step_at="2000-01-01T00:00:00Z")
                due = take_due_looks(target_id=target.pk, profile=target.profile, limit=30)
                looked = [Looked(one, cannot_tell()) for one in due]
                record_looks(looked[:: 1 if number % 2 else -1], profile=target.profile, actor=ACTOR)
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=4) as pool:
        list(pool.map(record_in_order, range(4)))

    assert Action.objects.filter(state=State.UNCERTAIN).count() == 30


def test_one_claim_is_recorded_by_two_at_once_only_once(clock: DatabaseClock) -> None:
    """A sender that believed its commit lost, twice."""
    batch = a_batch_of()
    claimed = the_claim(batch)

    def write(_: int) -> set[int]:
        try:
            return record(batch, (claimed, done()))
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=6) as pool:
        confirmed = list(pool.map(write, range(6)))

    assert sorted(map(len, confirmed)) == [0, 0, 0, 0, 0, 1]
    assert the_action(batch).receipts.count() == 1
