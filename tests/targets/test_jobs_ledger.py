"""Generation jobs through the ledger, against simulated services: one job an action, or a person."""

from __future__ import annotations

import time
from collections.abc import Iterator
from threading import Thread
from typing import Any

import pytest
from django.db import connection

from once_delivery.ledger.models import Attempt, Receipt
from once_delivery.ledger.services.decide import declare_absent, retry_refused
from once_delivery.ledger.services.work_target import work_target
from once_delivery.ledger.states import State
from once_delivery.ledger.transitions import Actor
from once_delivery.sandbox.generation.faults import Kind as Fault
from once_delivery.targets.base import Presence
from tests.builders import a_user, actions_of, the_action
from tests.fakes.clock import DatabaseClock, database_clock
from tests.targets.jobs_ledger import a_batch_of_jobs, carried_out, latest
from tests.targets.jobs_service import ASYNCHRONOUS, LISTED, SERVICES, serving

pytestmark = pytest.mark.django_db(transaction=True)

SOLE: dict[str, Any] = {"sole_user": True}
UNASKABLE = ["fal", "openai_images"]


@pytest.fixture
def clock(transactional_db: None) -> Iterator[DatabaseClock]:
    """The database's clock in the test's hand."""
    with database_clock() as clock:
        yield clock


@pytest.mark.parametrize("service", SERVICES)
def test_a_batch_is_carried_out_to_its_end(service: str) -> None:
    with serving(service, finish_s=0.5) as served:
        batch = a_batch_of_jobs(served, ["a red kettle", "a blue kettle", "a green kettle"])
        carried_out(batch)

        assert {action.state for action in actions_of(batch)} == {State.CONFIRMED}
        assert len(served.jobs) == len(served.simulator.submits) == 3
        ids = {action.result_id.removeprefix("req_") for action in actions_of(batch)}
        assert ids == {job.id for job in served.jobs}


@pytest.mark.parametrize(
    ("service", "fault"),
    [*((name, Fault.ANSWER_LOST) for name in LISTED), ("kling", Fault.CUT), ("replicate", Fault.ERROR_AFTER)],
)
def test_a_lost_answer_gives_exactly_one_job(service: str, fault: Fault) -> None:
    with serving(service, declaration=SOLE) as served:
        batch = a_batch_of_jobs(served, declaration=SOLE)
        served.simulator.faults.arm(fault)
        carried_out(batch)

        action = the_action(batch)
        assert (action.state, action.result_id) == (State.CONFIRMED, served.only_job.id)
        assert Attempt.objects.filter(action=action).count() == 1


@pytest.mark.parametrize("service", LISTED)
def test_what_never_arrived_is_sent_once_more_after_the_settle_time(service: str) -> None:
    with serving(service, declaration=SOLE) as served:
        batch = a_batch_of_jobs(served, declaration=SOLE)
        served.simulator.faults.arm(Fault.NEVER_DONE)
        carried_out(batch)

        assert (the_action(batch).state, the_action(batch).result_id) == ("confirmed", served.only_job.id)
        assert len(served.simulator.submits) == 2


@pytest.mark.parametrize("fault", [Fault.ANSWER_LOST, Fault.NEVER_DONE])
@pytest.mark.parametrize("service", UNASKABLE)
def test_where_nothing_can_be_asked_a_person_decides_and_sees_the_price(service: str, fault: Fault) -> None:
    with serving(service) as served:
        batch = a_batch_of_jobs(served)
        served.simulator.faults.arm(fault)
        carried_out(batch)
        carried_out(batch, wait_s=0)

        action = the_action(batch)
        assert (action.state, action.reason) == (State.RECONCILE, "cannot-be-asked")
        assert len(served.simulator.submits) == 1
        price = Receipt.objects.get(action=action).usage["second_try"]
        assert price == {"amount": "0.28", "currency": "USD", "source": ""}

        declare_absent(action=action, user=a_user("ops"), second=a_user("deputy"))
        carried_out(batch)
        assert the_action(batch).state == State.CONFIRMED
        assert len(served.simulator.submits) == 2


def test_two_equal_orders_that_were_both_lost_are_for_a_person() -> None:
    with serving("replicate") as served:
        batch = a_batch_of_jobs(served, ["a red kettle", "a red kettle"])
        served.simulator.faults.arm(Fault.ANSWER_LOST, times=2)
        carried_out(batch)

        assert {(action.state, action.reason) for action in actions_of(batch)} == {
            (State.RECONCILE, "looks-alike")
        }
        assert len(served.jobs) == 2
        seen = {one["result_id"] for one in latest(actions_of(batch)[0]).candidates}
        assert seen == {job.id for job in served.jobs}


def test_of_two_equal_orders_one_that_was_lost_takes_the_job_that_is_left() -> None:
    with serving("replicate") as served:
        batch = a_batch_of_jobs(served, ["a red kettle", "a red kettle"], concurrency=1)
        served.simulator.faults.arm(Fault.ANSWER_LOST)
        carried_out(batch)

        assert {action.state for action in actions_of(batch)} == {State.CONFIRMED}
        assert {action.result_id for action in actions_of(batch)} == {job.id for job in served.jobs}


def test_of_two_equal_orders_one_job_is_nobodys_while_it_may_be_either_ones() -> None:
    """One landed and one did not; whose it is cannot be known, and sending for both would pay twice."""
    with serving("replicate") as served:
        batch = a_batch_of_jobs(served, ["a red kettle", "a red kettle"])
        served.simulator.faults.arm(Fault.ANSWER_LOST)
        served.simulator.faults.arm(Fault.NEVER_DONE)
        carried_out(batch)

        assert {action.state for action in actions_of(batch)} == {State.RECONCILE}
        assert len(served.jobs) == 1
        assert len(served.simulator.submits) == 2


def test_different_orders_that_were_all_lost_find_their_own_jobs() -> None:
    prompts = [f"kettle number {number}" for number in range(8)]
    with serving("replicate") as served:
        batch = a_batch_of_jobs(served, prompts)
        served.simulator.faults.arm(Fault.ANSWER_LOST, times=8)
        carried_out(batch)

        assert len(served.jobs) == 8
        ordered = {job.id: job.prompt for job in served.jobs}
        assert [ordered[action.result_id] for action in actions_of(batch)] == prompts


# how long OpenAI keeps a batch is not documented, so that no window is declared for it
@pytest.mark.parametrize("service", [name for name in LISTED if name != "openai_batch"])
def test_when_the_window_of_its_list_is_over_a_person_decides(service: str, clock: DatabaseClock) -> None:
    """Nothing was made, and nobody looked in time: that nothing is shown any more proves nothing."""
    year = 365 * 86_400
    with serving(service, declaration=SOLE) as served:
        batch = a_batch_of_jobs(served, declaration=SOLE, settle_s=600)
        served.simulator.faults.arm(Fault.NEVER_DONE)
        carried_out(batch, wait_s=0)
        clock.forward(year)
        served.simulator.world.offset_s = year
        carried_out(batch)

        action = the_action(batch)
        assert (action.state, latest(action).code) == (State.RECONCILE, "window-over")
        assert len(served.simulator.submits) == 1


@pytest.mark.parametrize("service", [name for name in ASYNCHRONOUS if name != "openai_batch"])
def test_a_failed_job_is_refused_its_cost_is_kept_and_a_second_try_is_another_job(service: str) -> None:
    with serving(service, declaration=SOLE) as served:
        batch = a_batch_of_jobs(served, ["this fails"], declaration=SOLE)
        carried_out(batch)

        action = the_action(batch)
        assert (action.state, action.reason) == (State.REFUSED, "job-failed")
        (seen,) = latest(action).objects_seen
        assert (seen["failed"], seen["usage"]["job_id"]) == (True, served.only_job.id)

        first = served.only_job.id
        served.simulator.world.fails = False  # a second try goes well
        retry_refused(action=the_action(batch))
        carried_out(batch)

        assert len(served.jobs) == 2
        assert the_action(batch).state == State.CONFIRMED
        assert the_action(batch).result_id != first


def test_the_second_try_of_a_failed_job_is_not_taken_for_the_failed_one() -> None:
    """Its answer is lost, and the failed job is still there with the same words."""
    with serving("replicate") as served:
        batch = a_batch_of_jobs(served, ["this fails"])
        carried_out(batch)
        first = served.only_job.id
        retry_refused(action=the_action(batch))
        served.simulator.faults.arm(Fault.ANSWER_LOST)
        carried_out(batch)

        action = the_action(batch)
        assert len(served.jobs) == 2
        assert action.result_id != first
        assert (action.state, action.reason) == (State.REFUSED, "job-failed")


@pytest.mark.parametrize("service", ["ark", "fal"])  # one that does not say how long, and one that does
def test_busy_is_waited_out(service: str) -> None:
    with serving(service) as served:
        batch = a_batch_of_jobs(served)
        served.simulator.faults.arm(Fault.BUSY, times=2)
        carried_out(batch)

        assert the_action(batch).state == State.CONFIRMED
        assert len(served.jobs) == 1


@pytest.mark.parametrize("service", ["ark", "kling"])
def test_a_request_that_lands_after_it_was_given_up_is_found_or_counted(service: str) -> None:
    """It lands within the settle time: then it is found, and nothing is sent again."""
    with serving(service, declaration=SOLE) as served:
        batch = a_batch_of_jobs(served, declaration=SOLE, settle_s=2.0)
        served.simulator.faults.arm(Fault.LATE, seconds=0.7)
        carried_out(batch)

        assert (the_action(batch).state, the_action(batch).result_id) == ("confirmed", served.only_job.id)
        assert len(served.simulator.submits) == 1


@pytest.mark.parametrize("service", ["kling", "openai_batch", "replicate"])
def test_a_request_that_lands_after_the_settle_time_is_seen_as_a_second_job(service: str) -> None:
    with serving(service, declaration=SOLE) as served:
        batch = a_batch_of_jobs(served, declaration=SOLE, settle_s=0.5)
        served.simulator.faults.arm(Fault.LATE, seconds=2.5)
        carried_out(batch)
        sent_again = len(served.jobs)
        time.sleep(3.0)
        work_target(target_id=the_action(batch).target_id, actor=Actor("test:worker"))

        action = the_action(batch)
        assert sent_again == 1
        if service == "kling":  # our ID is unique there: the late one was not made
            assert len(served.jobs) == 1
            return
        assert len(served.jobs) == 2
        assert action.state == State.CONFIRMED
        assert action.presence == Presence.DUPLICATE
        assert action.events.filter(kind="duplicate.seen").exists()


@pytest.mark.parametrize("service", ["kling", "replicate"])
def test_two_resumes_at_once_make_one_job(service: str) -> None:
    with serving(service, declaration=SOLE, finish_s=0.3) as served:
        batch = a_batch_of_jobs(served, ["a", "b", "c", "d"], declaration=SOLE)
        served.simulator.faults.arm(Fault.NEVER_DONE)

        def resume() -> None:
            carried_out(batch)
            connection.close()

        threads = [Thread(target=resume) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert len(served.jobs) == 4
        assert {action.state for action in actions_of(batch)} == {State.CONFIRMED}
