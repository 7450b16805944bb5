"""After a lost answer: the job is found by what we planted, or by its time and content, or nobody can tell."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from once_delivery.sandbox.generation.faults import Kind as Fault
from once_delivery.targets.base import InventoryError, Kind, LookUpRequest, Outcome, Verdict
from tests.targets.jobs_service import (
    LISTED,
    MARKER,
    OTHER,
    RECOGNISED,
    SERVICES,
    Served,
    an_order,
    serving,
)

SOLE: dict[str, Any] = {"sole_user": True}
TELLING = ["dashscope", "replicate"]  # the prompt is shown with the job
PLANTED = ["kling", "openai_batch"]  # our own ID is


def lose(served: Served, prompt: str = "a red kettle", **values: Any) -> None:
    served.simulator.faults.arm(Fault.ANSWER_LOST)
    assert served.start(prompt, **values).outcome == Outcome.UNKNOWN


@pytest.mark.parametrize("service", LISTED)
def test_the_job_of_a_lost_answer_is_found_again(service: str) -> None:
    with serving(service, declaration=SOLE) as served:
        lose(served)
        look = served.look()

        assert (look.verdict, look.complete) == (Verdict.FOUND, True)
        assert [job.result_id for job in look.objects] == [served.only_job.id]
        assert look.objects[0].marker in {None, MARKER}


@pytest.mark.parametrize("service", LISTED)
def test_what_never_arrived_is_absent_and_complete(service: str) -> None:
    with serving(service, declaration=SOLE) as served:
        served.start("another order", marker=OTHER, input_file_id="file-2")
        served.simulator.faults.arm(Fault.NEVER_DONE)
        served.start()
        look = served.look(taken=frozenset({served.only_job.id}))

        assert (look.verdict, look.complete, look.candidates) == (Verdict.ABSENT, True, ())


@pytest.mark.parametrize("service", PLANTED)
def test_only_what_carries_our_id_is_ours(service: str) -> None:
    with serving(service) as served:
        served.start(marker=OTHER)

        assert served.look().verdict == Verdict.ABSENT


def test_an_id_of_ours_that_is_there_twice_is_found_many() -> None:
    with serving("openai_batch") as served:
        served.start()
        served.start()

        assert served.look().verdict == Verdict.FOUND_MANY


def test_a_second_try_is_looked_for_under_its_own_key() -> None:
    """The job of the first try has failed and is still there under the first key."""
    with serving("kling") as served:
        first = served.start("this fails")
        lose(served, failed_before=1)
        look = served.look(failed_before=1, taken=frozenset({first.result_id}))

        assert look.verdict == Verdict.FOUND
        assert look.objects[0].result_id != first.result_id
        assert look.objects[0].marker == MARKER


def test_an_id_that_kling_knows_already_leads_to_a_look() -> None:
    with serving("kling") as served:
        served.start()
        again = served.start()

        assert (again.outcome, again.code) == (Outcome.EXISTS, "already-exists")
        assert served.look().objects[0].result_id == served.only_job.id


@pytest.mark.parametrize("service", TELLING)
def test_another_prompt_is_another_job(service: str) -> None:
    with serving(service) as served:
        served.start("a blue kettle", marker=OTHER)

        assert served.look("a red kettle").verdict == Verdict.ABSENT


@pytest.mark.parametrize("service", RECOGNISED)
def test_another_model_is_another_job(service: str) -> None:
    with serving(service, declaration=SOLE) as served:
        served.start(marker=OTHER, model="other/model")

        assert served.look().verdict == Verdict.ABSENT


@pytest.mark.parametrize("service", RECOGNISED)
def test_two_that_fit_are_for_a_person(service: str) -> None:
    with serving(service, declaration=SOLE) as served:
        lose(served)
        lose(served, marker=OTHER)
        look = served.look()

        assert look.verdict == Verdict.ABSENT  # nothing is ours for certain, and it is never sent again
        assert sorted(one.result_id for one in look.candidates) == sorted(job.id for job in served.jobs)


@pytest.mark.parametrize("service", RECOGNISED)
def test_what_another_action_has_is_not_claimed_again(service: str) -> None:
    with serving(service, declaration=SOLE) as served:
        others = served.start(marker=OTHER).result_id
        lose(served)
        look = served.look(taken=frozenset({others}))

        assert look.verdict == Verdict.FOUND
        assert look.objects[0].result_id != others


@pytest.mark.parametrize("service", RECOGNISED)
def test_one_job_that_two_may_have_ordered_is_left_open(service: str) -> None:
    with serving(service, declaration=SOLE) as served:
        lose(served)
        look = served.look(rivals=(an_order(service),))

        assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "match-disputed")
        assert [one.result_id for one in look.candidates] == [served.only_job.id]


@pytest.mark.parametrize("service", TELLING)
def test_who_ordered_something_else_is_no_rival(service: str) -> None:
    with serving(service) as served:
        lose(served)

        assert served.look(rivals=(an_order(service, "a blue kettle"),)).verdict == Verdict.FOUND


def test_without_the_prompt_a_job_is_recognised_only_where_nobody_else_orders() -> None:
    with serving("ark") as served:
        lose(served)
        look = served.look()

        assert (look.verdict, look.code) == (Verdict.ABSENT, "only-alike")
        assert [one.result_id for one in look.candidates] == [served.only_job.id]


def test_what_the_service_chooses_itself_tells_nothing() -> None:
    """An endpoint shows its model, and "adaptive" becomes a ratio: compared, our own job would be another's."""
    order = {
        **an_order("ark"),
        "model": "ep-20260101-abc",
        "parameters": {"duration": -1, "ratio": "adaptive"},
    }
    with serving("ark", declaration=SOLE) as served:
        lose(served, model=order["model"], parameters=order["parameters"])

        assert served.look(payload=order).verdict == Verdict.FOUND


@pytest.mark.parametrize("model", ["owner/name", "owner/name:5c7d5dc6", "5c7d5dc6"])
def test_a_model_may_be_ordered_by_its_name_or_its_version(model: str) -> None:
    with serving("replicate") as served:
        lose(served, model=model)

        assert served.look(payload={**an_order("replicate"), "model": model}).verdict == Verdict.FOUND
        assert served.look(payload={**an_order("replicate"), "model": "other/name"}).verdict == Verdict.ABSENT


def test_a_prompt_that_the_service_cut_is_still_ours() -> None:
    prompt = "a red kettle on a stove, " * 40
    with serving("dashscope") as served:
        lose(served, prompt)
        served.only_job.order["prompt"] = prompt[:800]

        assert served.look(prompt).verdict == Verdict.FOUND
        assert served.look("a blue kettle on a stove, " * 40).verdict == Verdict.ABSENT


def test_what_is_not_shown_yet_is_waited_for() -> None:
    """DashScope shows the prompt only when the job has ended."""
    with serving("dashscope", finish_s=60) as served:
        lose(served)
        waiting = served.look()
        served.simulator.world.offset_s = 61

        assert (waiting.verdict, waiting.code) == (Verdict.CANNOT_TELL, "cannot-compare-yet")
        assert served.look().verdict == Verdict.FOUND


@pytest.mark.parametrize(
    ("service", "window_s"), [("replicate", 3600), ("dashscope", 86_400), ("ark", 604_800)]
)
def test_after_its_window_a_list_proves_nothing(service: str, window_s: int) -> None:
    with serving(service, declaration=SOLE) as served:
        served.simulator.faults.arm(Fault.NEVER_DONE)
        served.start()
        served.simulator.world.offset_s = window_s - 120
        before = served.look()
        served.simulator.world.offset_s = window_s + 1
        after = served.look()

    assert before.verdict == Verdict.ABSENT
    assert (after.verdict, after.code) == (Verdict.CANNOT_TELL, "window-over")


def test_a_prediction_whose_input_is_gone_is_not_taken_for_absent() -> None:
    with serving("replicate") as served:
        lose(served)
        served.simulator.world.offset_s = 3700
        look = served.look()

    assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "cannot-compare-yet")


@pytest.mark.parametrize("service", RECOGNISED)
def test_without_the_time_of_sending_nothing_is_recognised(service: str) -> None:
    with serving(service, declaration=SOLE) as served:
        lose(served)
        look = served.look(sent_at=None)

    assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "send-time-unknown")


@pytest.mark.parametrize("service", RECOGNISED)
def test_what_is_older_than_our_request_is_not_ours(service: str) -> None:
    with serving(service, declaration=SOLE) as served:
        served.start(marker=OTHER)
        served.simulator.world.offset_s = 300
        look = served.look(sent_at=datetime.now(UTC) + timedelta(seconds=300))

    assert look.verdict == Verdict.ABSENT


@pytest.mark.parametrize("service", RECOGNISED)
def test_a_list_that_lags_shows_nothing_at_first(service: str) -> None:
    """Why a settle time is needed: the look is complete and wrong."""
    with serving(service, declaration=SOLE, list_lag_s=30) as served:
        lose(served)
        early = served.look()
        served.simulator.world.offset_s = 31

        assert early.verdict == Verdict.ABSENT
        assert served.look().verdict == Verdict.FOUND


@pytest.mark.parametrize("service", LISTED)
def test_every_page_is_read(service: str) -> None:
    with serving(service, declaration=SOLE) as served:
        lose(served)
        if service == "replicate":
            served.simulator.door.page = 2  # type: ignore[attr-defined]
        others = {served.start(f"order {n}", marker=f"{OTHER[:-2]}{n:02}").result_id for n in range(120)}
        look = served.look(taken=frozenset(others))

        assert look.verdict == Verdict.FOUND
        assert look.objects[0].result_id not in others


@pytest.mark.parametrize("service", LISTED)
@pytest.mark.parametrize("fault", [Fault.ERROR_BEFORE, Fault.NEVER_DONE, Fault.CUT, Fault.BUSY])
def test_a_look_that_breaks_off_proves_nothing(service: str, fault: Fault) -> None:
    with serving(service, declaration=SOLE) as served:
        lose(served)
        served.simulator.faults.arm(fault, submits=False)
        look = served.look()

    assert (look.verdict, look.complete) == (Verdict.CANNOT_TELL, False)
    assert look.code


@pytest.mark.parametrize("service", ["fal", "openai_images"])
def test_what_cannot_be_asked_is_for_a_person(service: str) -> None:
    with serving(service) as served:
        lose(served)
        look = served.look()

    assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "no-look-up")


@pytest.mark.parametrize("service", [name for name in SERVICES if name != "openai_images"])
def test_a_job_that_the_service_has_forgotten_is_not_absent(service: str) -> None:
    with serving(service) as served:
        look = served.look(result_id="00000000-0000-0000-0000-000000000000")

    assert look.verdict == Verdict.CANNOT_TELL
    assert look.code == "not-found"


@pytest.mark.parametrize("service", SERVICES)
def test_many_at_once_are_one_request_and_one_job_each(service: str) -> None:
    with serving(service) as served, ThreadPoolExecutor(12) as pool:
        answers = list(
            pool.map(lambda n: served.start(f"order {n}", marker=f"{OTHER[:-2]}{n:02}"), range(12))
        )

        assert {answer.outcome for answer in answers} <= {Outcome.ACCEPTED, Outcome.DONE}
        assert len({answer.result_id for answer in answers}) == 12
        assert len(served.jobs) == len(served.simulator.submits) == 12


NO_AUDIT = {
    "ark": "no-marker-in-list",
    "dashscope": "no-marker-in-list",
    "fal": "no-list",
    "kling": "list-forgets",
    "openai_batch": "",
    "openai_images": "no-list",
    "replicate": "no-marker-in-list",
}


@pytest.mark.parametrize("service", SERVICES)
def test_an_audit_is_told_what_a_list_cannot_say(service: str) -> None:
    """A job that the service has forgotten is not missing, and one without a marker has not changed."""
    found: set[str] = set()
    code = ""
    with serving(service) as served:
        for number in range(3):
            served.start(f"order {number}", marker=f"{OTHER[:-2]}{number:02}")
        try:
            for job in served.connector.inventory(kind=Kind.START_JOB, deadline_s=5):
                found.add(job.result_id)
        except InventoryError as error:
            code = error.code

        assert code == NO_AUDIT[service]
        assert found == ({job.id for job in served.jobs} if service in PLANTED else set())


def test_a_job_can_be_read_without_its_order_where_it_is_filed_by_its_id() -> None:
    with serving("replicate") as served:
        result_id = served.start().result_id
        read = served.connector.read(kind=Kind.START_JOB, result_id=result_id, deadline_s=5)
    with serving("fal") as served:
        result_id = served.start().result_id
        unreadable = served.connector.read(kind=Kind.START_JOB, result_id=result_id, deadline_s=5)

    assert read.verdict == Verdict.FOUND
    assert unreadable.verdict == Verdict.CANNOT_TELL


def test_no_secret_is_in_what_a_look_says() -> None:
    with serving("kling") as served:
        look = served.connector.look_up(LookUpRequest(Kind.START_JOB, MARKER, "", 5.0, payload={}))
    assert "very-secret" not in repr(look)
