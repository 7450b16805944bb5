"""Submitting to simulated generation services: one request, one job, and what the answer proves."""

from __future__ import annotations

import json

import pytest

from once_delivery.common.errors import InvalidInputError
from once_delivery.sandbox.generation.faults import Kind as Fault
from once_delivery.sandbox.generation.wire import Reply
from once_delivery.targets.base import Connection, Kind, LookUpRequest, Outcome, Verdict
from once_delivery.targets.jobs.connector import connect
from tests.targets.jobs_service import (
    ASYNCHRONOUS,
    CREDENTIALS,
    MARKER,
    SERVICES,
    declared,
    serving,
)

LOST = [Fault.ANSWER_LOST, Fault.NEVER_DONE, Fault.ERROR_AFTER, Fault.ERROR_BEFORE, Fault.CUT]


@pytest.mark.parametrize("service", ASYNCHRONOUS)
def test_a_job_is_accepted_with_the_services_id_and_polled_until_it_is_finished(service: str) -> None:
    with serving(service, finish_s=0.3) as served:
        answer = served.start()
        running = served.look(result_id=answer.result_id)
        served.simulator.world.offset_s = 1.0
        finished = served.look(result_id=answer.result_id)

        assert (answer.outcome, answer.result_id) == (Outcome.ACCEPTED, served.only_job.id)
        assert (running.verdict, running.objects[0].finished) == (Verdict.FOUND, False)
        (job,) = finished.objects
        assert (finished.verdict, job.result_id, job.finished, job.failed) == (
            Verdict.FOUND, answer.result_id, True, False,
        )  # fmt: skip


@pytest.mark.parametrize("service", SERVICES)
def test_the_usage_has_one_shape(service: str) -> None:
    with serving(service) as served:
        answer = served.start()
        job = served.look(result_id=answer.result_id).objects
        usage = job[0].usage if job else answer.usage

    told = {
        "ark": ("108900", "token"),
        "dashscope": ("1", "image"),
        "fal": ("3.5", "second"),
        "kling": ("2", "credit"),
        "openai_batch": ("1200", "token"),
        "openai_images": ("4160", "token"),
        "replicate": ("3.25", "second"),
    }
    assert (usage["units"], usage["unit"]) == told[service]
    assert (usage["provider"], usage["proven"], usage["job_id"]) == (service, "simulator", answer.result_id)
    assert (usage["amount"], usage["currency"]) == (None, None)  # none of them tells an amount
    assert json.loads(json.dumps(usage)) == usage
    if service != "openai_batch":  # its output is a file of the account, not an address
        assert usage["outputs"][0].startswith("https://")
        assert (usage["outputs_expire_at"] is None) == (service == "fal")


def test_a_synchronous_service_is_done_at_once() -> None:
    with serving("openai_images") as served:
        answer = served.start()

        assert answer.outcome == Outcome.DONE
        assert answer.result_id == f"req_{served.only_job.id}"
        assert answer.url.endswith(f"{served.only_job.id}.png")


def test_a_model_that_answers_with_bytes_is_refused_before_anything_is_paid() -> None:
    with serving("openai_images") as served:
        answer = served.start(model="gpt-image-1")

        assert (answer.outcome, served.jobs) == (Outcome.REFUSED, [])


@pytest.mark.parametrize("fault", LOST)
@pytest.mark.parametrize("service", SERVICES)
def test_without_a_whole_answer_nothing_is_known_and_nothing_is_sent_again(
    service: str, fault: Fault
) -> None:
    """fal's own client would have sent it ten times, OpenAI's three times."""
    with serving(service) as served:
        served.simulator.faults.arm(fault)
        answer = served.start()

        assert answer.outcome == Outcome.UNKNOWN
        assert len(served.simulator.submits) == 1
        assert len(served.jobs) == (0 if fault in {Fault.NEVER_DONE, Fault.ERROR_BEFORE} else 1)
        assert answer.usage["second_try"] == {"amount": "0.28", "currency": "USD", "source": ""}


@pytest.mark.parametrize("service", SERVICES)
def test_busy_comes_before_processing(service: str) -> None:
    with serving(service) as served:
        served.simulator.faults.arm(Fault.BUSY)
        answer = served.start()

        assert (answer.outcome, answer.http_status, served.jobs) == (Outcome.NOT_DONE, 429, [])
        assert answer.retry_after_s == (1.0 if service in {"fal", "replicate"} else None)


def test_what_is_over_the_rate_limit_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving("dashscope", rate_per_s=2) as served:
        monkeypatch.setattr(served.simulator.world, "now", lambda: 1_800_000_000.0)  # all in one second
        answers = [served.start(f"order {number}").outcome for number in range(5)]

        assert answers == [Outcome.ACCEPTED] * 2 + [Outcome.NOT_DONE] * 3
        assert len(served.jobs) == 2


def test_an_account_without_money_is_not_tried_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving("kling") as served:
        empty = Reply(429, {"code": 1102, "message": "resource pack is used up", "request_id": "r"})
        monkeypatch.setattr(served.simulator.door, "busy", lambda: empty)
        served.simulator.faults.arm(Fault.BUSY)
        answer = served.start()

    assert (answer.outcome, answer.code) == (Outcome.REFUSED, "account-empty")


@pytest.mark.parametrize("service", ["ark", "dashscope", "kling", "openai_images", "replicate"])
def test_a_forbidden_prompt_is_refused_and_makes_nothing(service: str) -> None:
    with serving(service) as served:
        answer = served.start("something forbidden")

        assert (answer.outcome, served.jobs) == (Outcome.REFUSED, [])
        assert answer.code == ("http-422" if service == "replicate" else "content-policy")


@pytest.mark.parametrize("service", [name for name in ASYNCHRONOUS if name != "openai_batch"])
def test_a_job_that_fails_is_failed_and_what_it_cost_is_kept(service: str) -> None:
    with serving(service) as served:
        answer = served.start("this fails")
        look = served.look(result_id=answer.result_id)

    (job,) = look.objects
    assert (look.verdict, look.code, job.finished, job.failed) == (Verdict.FOUND, "job-failed", True, True)
    assert job.usage["error"]
    if service in {"fal", "replicate"}:
        assert job.usage["units"] is not None


def test_only_the_token_that_kling_documents_is_sent() -> None:
    with serving("kling") as served:
        served.start()
        (asked,) = served.simulator.submits

    token = asked.headers["authorization"].removeprefix("Bearer ")
    assert token.count(".") == 2
    assert CREDENTIALS["secret_key"] not in repr(asked)


def test_fals_own_retries_are_switched_off_and_the_model_stays_in_the_path() -> None:
    with serving("fal") as served:
        served.start()
        served.look(result_id=served.only_job.id)
        (submit,) = served.simulator.submits

        assert (submit.path, submit.headers["x-fal-no-retry"]) == ("/fal-ai/flux/dev", "1")
        status = f"/fal-ai/flux/requests/{served.only_job.id}/status"
        assert served.simulator.reads[0].path == status


@pytest.mark.parametrize("model", ["", "../../account", "a/../b", None])
def test_a_model_cannot_lead_to_another_address(model: object) -> None:
    with serving("fal") as served:
        answer = served.start(model=model)

        assert (answer.outcome, served.simulator.submits) == (Outcome.REFUSED, [])


def test_what_is_no_job_is_not_done() -> None:
    with serving("kling") as served:
        look = served.connector.look_up(LookUpRequest(Kind.CREATE_DRAFT, MARKER, "", 1.0))
        removed = served.connector.remove(kind=Kind.START_JOB, result_id="x", deadline_s=1.0)

    assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "kind-not-declared")
    assert (removed.outcome, removed.code) == (Outcome.REFUSED, "cannot-remove")


@pytest.mark.parametrize(
    ("declaration", "pointer"),
    [
        ({}, "/"),
        ({"service": "midjourney"}, "/service"),
        ({"service": "fal", "hook_base_url": "ftp://x"}, "/hook_base_url"),
        ({"service": "fal", "price": {"amount": "1,5", "currency": "USD"}}, "/price/amount"),
    ],
)
def test_a_bad_declaration_is_named_with_its_place(declaration: dict[str, object], pointer: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        connect(Connection("https://x.example", declaration, CREDENTIALS))
    assert caught.value.problems[0].pointer == pointer


@pytest.mark.parametrize(
    ("service", "missing", "more"),
    [
        ("replicate", "api_key", {}),
        ("kling", "secret_key", {}),
        ("fal", "hook_key", {"hook_base_url": "https://once.example/hooks/jobs"}),
    ],
)
def test_a_missing_credential_is_named(service: str, missing: str, more: dict[str, str]) -> None:
    given = {name: value for name, value in CREDENTIALS.items() if name != missing}
    with pytest.raises(InvalidInputError) as caught:
        connect(Connection("https://x.example", declared(service, **more), given))
    assert caught.value.problems[0].code == "credential-missing"


@pytest.mark.parametrize("service", SERVICES)
def test_the_connection_test_says_on_what_the_declaration_was_proven(service: str) -> None:
    with serving(service) as served:
        evidence, account = served.connector.check()

        assert (evidence.ok, evidence.code) == (True, "simulated")
        assert account.ok == (service not in {"fal", "openai_images"})
        assert served.simulator.submits == []
