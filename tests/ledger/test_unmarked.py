"""Results without a marker (generation jobs): nobody takes what may be another action's (R6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from once_delivery.ledger.looking import DueLook, take_due_looks
from once_delivery.ledger.models import Action, Batch, Observation
from once_delivery.ledger.requests import ActionRequest
from once_delivery.ledger.states import NextStep, State
from once_delivery.ledger.unmarked import looked_at_again, with_what_others_have, without_what_others_hold
from once_delivery.targets.base import FoundObject, Kind, Look, LookUpRequest, Outcome, Presence, Verdict
from tests.builders import a_batch, a_delivery, a_project, actions_of
from tests.fakes.clock import DatabaseClock
from tests.fakes.connector import FakeTarget
from tests.ledger.given import (
    UNKNOWN,
    a_real_target,
    claim,
    look,
    next_at,
    put,
    record,
    said,
    seen,
    state_of,
    the_target,
)

pytestmark = pytest.mark.django_db(transaction=True)


def jobs(count: int = 2, **profile: Any) -> Batch:
    project = a_project()
    a_real_target(project, **profile)
    return a_batch(
        project,
        *(
            a_delivery(
                f"product-{number}",
                actions=(ActionRequest("cms", Kind.START_JOB, "video", {"prompt": f"order {number}"}),),
            )
            for number in range(count)
        ),
    )


def answered(batch: Batch, *answers: Any) -> list[Action]:
    """Everything that is due is sent, and answered in the order of the actions."""
    group = claim(batch)
    assert group is not None
    items = sorted(group.items, key=lambda one: one.action_id)
    record(batch, *zip(items, answers, strict=True))
    return actions_of(batch)


def due(batch: Batch) -> list[DueLook]:
    target = the_target(batch)
    taken = take_due_looks(target_id=target.pk, profile=target.profile, limit=10)
    return sorted(with_what_others_have(taken, target_id=target.pk), key=lambda one: one.action_id)


def job(result_id: str = "job-1", **values: Any) -> FoundObject:
    return FoundObject(result_id=result_id, marker=None, **values)


def accepted(result_id: str) -> Any:
    return said(Outcome.ACCEPTED, "http-202", result_id=result_id)


def failed(result_id: str) -> Look:
    return seen(job(result_id, failed=True), code="job-failed")


def test_a_look_knows_what_others_have_and_who_else_may_have_made_it() -> None:
    batch = jobs(3)
    one, _, _ = answered(batch, UNKNOWN, accepted("job-2"), UNKNOWN)

    asked = next(each for each in due(batch) if each.action_id == one.pk).request

    assert asked.taken == {"job-2"}
    assert asked.rivals == ({"prompt": "order 2"},)
    assert asked.sent_at == one.attempts.get().intended_at
    assert asked.asked_at is not None
    assert asked.asked_at >= asked.sent_at
    assert asked.failed_before == 0


def test_the_time_of_sending_is_that_of_the_first_request_that_may_have_arrived(clock: DatabaseClock) -> None:
    batch = jobs(1)
    answered(batch, said(Outcome.NOT_DONE, "http-429"))
    clock.forward(600)
    (one,) = answered(batch, UNKNOWN)

    (asked,) = due(batch)
    assert asked.request.sent_at == one.attempts.get(number=2).intended_at


def test_what_has_failed_is_not_asked_for_again_after_a_second_try(clock: DatabaseClock) -> None:
    batch = jobs(1)
    (one,) = answered(batch, accepted("job-1"))
    clock.to(next_at(one))
    look(batch, FakeTarget(scripted_looks=[failed("job-1")]))
    assert state_of(one) == State.REFUSED
    put(one, next_step=NextStep.PERFORM)
    answered(batch, UNKNOWN)

    (asked,) = due(batch)
    assert (asked.request.result_id, asked.request.taken, asked.request.failed_before) == (
        "",
        frozenset({"job-1"}),
        1,
    )


def test_a_job_that_fails_now_is_still_read_by_its_id(clock: DatabaseClock) -> None:
    batch = jobs(1)
    (one,) = answered(batch, UNKNOWN)
    look(batch, FakeTarget(scripted_looks=[failed("job-1"), failed("job-1")]))
    assert state_of(one) == State.ACCEPTED

    clock.to(next_at(one))
    fake = FakeTarget(scripted_looks=[failed("job-1")])
    look(batch, fake)
    assert [request.result_id for request in fake.looks] == ["job-1"]
    assert state_of(one) == State.REFUSED


def test_what_was_recognised_is_looked_for_twice_before_it_is_believed() -> None:
    batch = jobs(1)
    (one,) = answered(batch, UNKNOWN)
    fake = FakeTarget(scripted_looks=[seen(job()), seen(job())])
    look(batch, fake)

    assert len(fake.looks) == 2
    assert (state_of(one), Action.objects.get().result_id) == (State.CONFIRMED, "job-1")


@pytest.mark.parametrize(
    "second",
    [seen(job("job-2")), seen(candidates=(job(), job("job-2"))), seen(), said],
    ids=["another", "two", "none", "cannot tell"],
)
def test_a_second_look_that_shows_something_else_leaves_it_open(second: Any) -> None:
    if not isinstance(second, Look):
        second = Look(Verdict.CANNOT_TELL, "scripted", complete=False, code="http-500")
    batch = jobs(1)
    (one,) = answered(batch, UNKNOWN)
    look(batch, FakeTarget(scripted_looks=[seen(job()), second]))

    assert state_of(one) in {State.UNCERTAIN, State.RECONCILE}


def test_who_was_sent_during_the_look_is_a_rival_in_the_second_one() -> None:
    batch = jobs(2)
    _, second = actions_of(batch)
    its_turn = next_at(second)
    put(second, next_step_at=its_turn + timedelta(days=1))
    group = claim(batch)
    assert group is not None
    record(batch, (group.items[0], UNKNOWN))
    looks = due(batch)
    assert looks[0].request.rivals == ()

    put(second, next_step_at=its_turn)
    assert claim(batch) is not None  # sent while the look was under way
    asked: list[LookUpRequest] = []

    def again(due_again: Sequence[DueLook]) -> list[Look]:
        asked.extend(one.request for one in due_again)
        return [seen(job()) for _ in due_again]

    looked_at_again(looks, [seen(job())], target_id=the_target(batch).pk, look=again)

    assert [request.rivals for request in asked] == [({"prompt": "order 1"},)]


def test_what_another_action_has_got_meanwhile_is_a_candidate() -> None:
    batch = jobs(2)
    answered(batch, UNKNOWN, UNKNOWN)
    mine, others = due(batch)
    put(Action.objects.get(pk=others.action_id), result_id="job-1")

    judged = without_what_others_hold(mine, seen(job()))

    assert (judged.verdict, judged.code, judged.objects) == (Verdict.CANNOT_TELL, "match-disputed", ())
    assert [one.result_id for one in judged.candidates] == ["job-1"]
    assert without_what_others_hold(mine, seen(job("job-2"))).verdict == Verdict.FOUND


@pytest.mark.parametrize("kind", [Kind.CREATE_DRAFT, Kind.UPLOAD_FILE])
def test_other_kinds_are_asked_for_as_before(kind: Kind) -> None:
    one = DueLook(1, 1, State.UNCERTAIN, 1, 0, 1, None, LookUpRequest(kind, "m", "", 1.0))  # type: ignore[arg-type]

    assert with_what_others_have([one], target_id=1) == [one]
    assert without_what_others_hold(one, seen(job())).verdict == Verdict.FOUND


def test_a_marker_needs_no_second_look() -> None:
    batch = jobs(1)
    (one,) = answered(batch, UNKNOWN)
    fake = FakeTarget(scripted_looks=[seen(replace(job(), marker=one.marker))])
    look(batch, fake)

    assert len(fake.looks) == 1
    assert state_of(one) == State.CONFIRMED


@pytest.mark.parametrize(
    ("shown", "presence"),
    [
        (seen(job()), Presence.PRESENT),
        (seen(candidates=(job(), job("job-2"))), Presence.DUPLICATE),
        (seen(candidates=(job(),)), Presence.PRESENT),
        (seen(candidates=(job("job-2"),)), Presence.MISSING),
        (seen(), Presence.MISSING),
    ],
    ids=["itself", "itself and another", "itself as a candidate", "another", "nothing"],
)
def test_counting_jobs_that_carry_nothing(shown: Look, presence: Presence, clock: DatabaseClock) -> None:
    batch = jobs(1, check_after_create=True)
    (one,) = answered(batch, said(Outcome.DONE, "http-200", result_id="job-1"))
    clock.forward(601)
    look(batch, FakeTarget(scripted_looks=[shown, shown]), checks=True)

    assert Action.objects.get(pk=one.pk).presence == presence


def test_what_a_job_cost_stands_in_the_observation() -> None:
    batch = jobs(1)
    answered(batch, UNKNOWN)
    usage = {"units": "2", "unit": "credit", "outputs": ["https://cdn.example/1.mp4"]}
    shown = seen(job(usage=usage, finished=False))
    look(batch, FakeTarget(scripted_looks=[shown, shown]))

    (kept,) = Observation.objects.get().objects_seen
    assert (kept["usage"], kept["finished"], kept["failed"]) == (usage, False, False)
