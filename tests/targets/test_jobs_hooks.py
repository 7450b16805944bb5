"""The service's call: it names the job, its address names our action, and the service itself has the last word."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import pytest
from django.test import Client as Browser

from once_delivery.ledger.models import Action, Receipt
from once_delivery.ledger.states import State
from once_delivery.sandbox.generation.faults import Kind as Fault
from once_delivery.sandbox.generation.world import Job
from once_delivery.targets.jobs import hooks
from once_delivery.targets.models import Target
from tests.builders import actions_of, the_action
from tests.targets.jobs_ledger import a_batch_of_jobs, carried_out
from tests.targets.jobs_service import CREDENTIALS, MARKER, OTHER, serving

KEY = CREDENTIALS["hook_key"]
BASE: dict[str, Any] = {"hook_base_url": "https://once.example/hooks/jobs"}
CALLING = ["ark", "fal", "kling", "replicate"]


def test_a_claim_names_its_marker_and_only_we_can_write_it() -> None:
    claim = hooks.claim_of(MARKER, KEY)

    assert hooks.claimed_marker(claim) == MARKER
    assert hooks.is_ours(claim, KEY)
    assert not hooks.is_ours(claim, "another key")
    assert not hooks.is_ours(claim.replace(MARKER, OTHER), KEY)


@pytest.mark.parametrize(
    "claim",
    ["", ".", MARKER, f"{MARKER}.", f"{MARKER}.{'a' * 25}", f"{MARKER}.{'a' * 27}", f"x y.{'a' * 26}", "é" * 60, f"{MARKER}.{'a' * 26}\n"],
)  # fmt: skip
def test_what_is_no_claim_proves_nothing(claim: str) -> None:
    assert not hooks.is_ours(claim, KEY)
    assert hooks.claimed_marker(claim) in {"", MARKER}


@pytest.mark.parametrize("service", CALLING)
def test_the_address_is_given_to_the_service_with_the_order(service: str) -> None:
    with serving(service, declaration=BASE) as served:
        served.start()

        claim = served.only_job.callback_url.removeprefix(f"{BASE['hook_base_url']}/").rstrip("/")
        assert hooks.is_ours(claim, KEY)
        assert hooks.claimed_marker(claim) == MARKER


@pytest.mark.parametrize("service", ["dashscope", "openai_batch", "openai_images"])
def test_a_service_that_calls_nobody_is_given_no_address(service: str) -> None:
    with serving(service, declaration=BASE) as served:
        served.start()
        (asked,) = served.simulator.submits
        assert b"once.example" not in asked.body
        assert "once.example" not in str(asked.query)


def test_without_an_address_of_ours_nobody_is_called() -> None:
    with serving("fal") as served:
        served.start()
        assert served.only_job.callback_url == ""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("service", CALLING)
def test_a_lost_job_is_found_by_the_services_call(service: str, live_server: Any) -> None:
    """Over real sockets: lost answer, the job ends, the service calls, the job is read from the service."""
    base = {"hook_base_url": f"{live_server.url}/hooks/jobs"}
    with serving(service, declaration=base, finish_s=1.0) as served:
        served.simulator.deliveries = 3
        # nothing else may find it: only the call does
        batch = a_batch_of_jobs(served, declaration=base, guard="none", look_up=False)
        served.simulator.faults.arm(Fault.ANSWER_LOST)
        carried_out(batch, wait_s=0)
        assert (the_action(batch).state, the_action(batch).reason) == (State.RECONCILE, "cannot-be-asked")

        _until(lambda: the_action(batch).state == State.ACCEPTED)
        carried_out(batch)

        action = the_action(batch)
        assert (action.state, action.result_id) == (State.CONFIRMED, served.only_job.id)
        assert Receipt.objects.filter(action=action, late=True).count() == 1
        assert len(served.simulator.submits) == 1


@pytest.mark.django_db(transaction=True)
def test_where_a_call_will_come_it_is_waited_for_and_then_a_person_decides() -> None:
    with serving("fal", declaration=BASE) as served:
        batch = a_batch_of_jobs(
            served, declaration=BASE, guard="lookup", look_up=True, consistency="unknown", patience_s=1.0
        )
        served.simulator.faults.arm(Fault.NEVER_DONE)
        carried_out(batch, wait_s=0.3)
        waiting = the_action(batch).state
        carried_out(batch)

        assert waiting == State.UNCERTAIN
        assert (the_action(batch).state, the_action(batch).reason) == (State.RECONCILE, "target-cannot-tell")
        assert len(served.simulator.submits) == 1


@pytest.fixture
def lost() -> Any:
    """One action whose answer was lost, its job, and a way to call."""
    with serving("fal", declaration=BASE) as served:
        batch = a_batch_of_jobs(served, declaration=BASE)
        served.simulator.faults.arm(Fault.ANSWER_LOST)
        carried_out(batch, wait_s=0)
        yield served, batch


def call(action: Action, document: Any, *, key: str = KEY) -> int:
    body = document if isinstance(document, str) else json.dumps(document)
    path = f"/hooks/jobs/{hooks.claim_of(action.marker, key)}/"
    return Browser().post(path, body, content_type="application/json").status_code


@pytest.mark.django_db(transaction=True)
def test_a_call_at_a_forged_address_is_told_nothing(lost: Any) -> None:
    served, batch = lost
    document = {"request_id": served.only_job.id}

    assert call(the_action(batch), document, key="a guess") == 404
    assert Browser().post("/hooks/jobs/nonsense/", "{}", content_type="application/json").status_code == 404
    assert the_action(batch).state == State.RECONCILE


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("job", ["\ud800", "a\x00b", "j" * 301, "../jobs/1?x=\r\n"])
def test_a_call_that_names_what_is_no_id_changes_nothing(lost: Any, job: str) -> None:
    _, batch = lost
    assert call(the_action(batch), {"request_id": job}) in {204, 400}
    assert (the_action(batch).state, the_action(batch).result_id) == (State.RECONCILE, "")


@pytest.mark.django_db(transaction=True)
def test_a_call_while_the_settings_cannot_be_read_is_to_come_again(lost: Any) -> None:
    """Not "gone" and not "taken": services call again after a 503."""
    served, batch = lost
    kept = the_action(batch).target.declaration
    Target.objects.update(declaration={"service": 7})
    assert call(the_action(batch), {"request_id": served.only_job.id}) == 503
    Target.objects.update(declaration=kept)
    assert call(the_action(batch), {"request_id": served.only_job.id}) == 204
    assert the_action(batch).state == State.ACCEPTED


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("body", ["", "[", "[]", "{}", '{"request_id": null}', '{"request_id": {"a": 1}}'])
def test_a_call_that_names_no_job_is_unreadable(lost: Any, body: str) -> None:
    _, batch = lost
    assert call(the_action(batch), body) == 400
    assert the_action(batch).state == State.RECONCILE


@pytest.mark.django_db(transaction=True)
def test_only_post_is_a_call(lost: Any) -> None:
    _, batch = lost
    assert Browser().get(f"/hooks/jobs/{hooks.claim_of(the_action(batch).marker, KEY)}/").status_code == 405


@pytest.mark.django_db(transaction=True)
def test_a_repeated_call_changes_nothing(lost: Any) -> None:
    served, batch = lost
    for _ in range(3):
        assert call(the_action(batch), {"request_id": served.only_job.id, "status": "OK"}) == 204
    carried_out(batch)
    assert call(the_action(batch), {"request_id": served.only_job.id}) == 204

    action = the_action(batch)
    assert (action.state, action.result_id) == (State.CONFIRMED, served.only_job.id)
    assert Receipt.objects.filter(action=action).count() == 2
    assert not action.events.filter(kind="duplicate.seen").exists()


@pytest.mark.django_db(transaction=True)
def test_a_call_is_not_believed_the_service_is_asked(lost: Any) -> None:
    """A job that does not exist, handed in by somebody who has seen the address: nothing is confirmed with it."""
    _, batch = lost
    assert call(the_action(batch), {"request_id": "not-a-job", "status": "OK"}) == 204
    carried_out(batch, wait_s=3.0)

    assert the_action(batch).state in {State.ACCEPTED, State.UNCERTAIN, State.RECONCILE}


@pytest.mark.django_db(transaction=True)
def test_a_second_job_for_one_action_is_seen(lost: Any) -> None:
    served, batch = lost
    call(the_action(batch), {"request_id": served.only_job.id})
    carried_out(batch)
    call(the_action(batch), {"request_id": "another-job"})

    action = the_action(batch)
    assert (action.state, action.result_id) == (State.CONFIRMED, served.only_job.id)
    assert action.events.filter(kind="duplicate.seen").exists()


@pytest.mark.django_db(transaction=True)
def test_another_actions_job_cannot_be_handed_in() -> None:
    with serving("fal", declaration=BASE) as served:
        batch = a_batch_of_jobs(served, ["a", "b"], declaration=BASE, concurrency=1)
        served.simulator.faults.arm(Fault.NEVER_DONE)
        carried_out(batch)
        by_state = {action.state: action for action in actions_of(batch)}
        call(by_state[State.RECONCILE], {"request_id": by_state[State.CONFIRMED].result_id})

        assert Action.objects.get(pk=by_state[State.RECONCILE].pk).state == State.RECONCILE


@pytest.mark.django_db(transaction=True)
def test_a_call_that_comes_before_the_answer_is_lost_is_kept(
    live_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job is ready while its submit is still being answered, and then that answer never comes."""
    base = {"hook_base_url": f"{live_server.url}/hooks/jobs"}
    Browser().get("/healthz")  # the first request loads all pages, which may take longer than an answer
    with serving("fal", declaration=base) as served:
        batch = a_batch_of_jobs(served, declaration=base)
        answer, called, over = served.simulator.door.answer, served.simulator.call, threading.Event()

        def slowly(asked: Any) -> Any:
            reply = answer(asked)
            if asked.method == "POST":
                assert over.wait(2.0)
            return reply

        def noted(job: Job) -> None:
            called(job)
            over.set()

        monkeypatch.setattr(served.simulator.door, "answer", slowly)
        monkeypatch.setattr(served.simulator, "call", noted)
        served.simulator.faults.arm(Fault.ANSWER_LOST)
        carried_out(batch)

        assert (the_action(batch).state, the_action(batch).result_id) == ("confirmed", served.only_job.id)


def _until(true: Any, seconds: float = 5.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)
