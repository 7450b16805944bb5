"""The ready declaration against the real sandbox, in a process of its own."""

from __future__ import annotations

import time
from typing import Any

import pytest

from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.targets.base import EffectRequest, Kind, Outcome, Verdict
from once_delivery.targets.profile import Guard
from tests.targets.sandbox_space import PAYLOADS, SPACES, Target

every_guard = pytest.mark.parametrize("target", list(Guard), indirect=True, ids=str)
every_kind = pytest.mark.parametrize("kind", list(PAYLOADS), ids=str)


@every_guard
@every_kind
def test_one_effect_is_one_object_that_carries_our_marker(target: Target, kind: Kind) -> None:
    answer = target.connector.perform(target.request(kind))
    assert answer.outcome == (Outcome.ACCEPTED if kind == Kind.START_JOB else Outcome.DONE)
    (held,) = target.admin.objects(target.space)
    assert (held["id"], held["marker"]) == (answer.result_id, target.request(kind).marker)
    look = target.look(kind, result_id=answer.result_id)
    assert (look.verdict, look.objects[0].result_id) == (Verdict.FOUND, answer.result_id)


@pytest.mark.parametrize(
    ("target", "outcome", "objects"),
    [
        (Guard.IDEMPOTENCY_KEY, Outcome.DONE, 1),
        (Guard.CLIENT_ID, Outcome.EXISTS, 1),
        (Guard.LOOKUP, Outcome.DONE, 2),
        (Guard.NONE, Outcome.DONE, 2),
    ],
    indirect=["target"],
    ids=[str(guard) for guard in SPACES],
)
def test_what_a_second_request_does_under_each_guard(target: Target, outcome: Outcome, objects: int) -> None:
    first = target.connector.perform(target.request())
    second = target.connector.perform(target.request(replay=True))
    assert second.outcome == outcome
    assert len(target.admin.objects(target.space)) == objects
    if objects == 1:
        assert second.result_id == first.result_id


@every_guard
def test_a_lost_answer_is_unknown_and_sent_once(target: Target) -> None:
    target.admin.add_fault(target.space, "answer_lost")
    answer = target.connector.perform(target.request())
    assert answer.outcome == Outcome.UNKNOWN
    assert len(target.admin.log(target.space, operation="create")) == 1
    assert len(target.admin.objects(target.space)) == 1


@pytest.mark.parametrize(
    ("target", "verdict"),
    [(Guard.CLIENT_ID, Verdict.FOUND), (Guard.LOOKUP, Verdict.FOUND), (Guard.NONE, Verdict.CANNOT_TELL)],
    indirect=["target"],
    ids=["client_id", "lookup", "none"],
)
def test_the_look_after_a_lost_answer(target: Target, verdict: Verdict) -> None:
    target.admin.add_fault(target.space, "answer_lost")
    target.connector.perform(target.request())
    assert target.look().verdict == verdict


def test_another_request_under_the_same_key_is_not_taken_for_a_refusal(admin: SandboxAdmin) -> None:
    target = Target(admin, Guard.IDEMPOTENCY_KEY)
    target.connector.perform(target.request())
    one = target.request()
    other = EffectRequest(one.kind, one.marker, one.client_id, one.idempotency_key, {"title": "other"}, 3.0)
    answer = target.connector.perform(other)
    target.connector.close()
    assert (answer.outcome, answer.code) == (Outcome.EXISTS, "key-reused")


@pytest.mark.parametrize(
    ("variant", "outcome"),
    [
        ("no_id", Outcome.UNKNOWN), ("cut_json", Outcome.UNKNOWN), ("error_null", Outcome.DONE),
        ("ok_error_body", Outcome.UNKNOWN), ("accepted", Outcome.UNKNOWN), ("see_other", Outcome.UNKNOWN),
        ("redirect_inside", Outcome.UNKNOWN), ("bad_gzip", Outcome.UNKNOWN), ("gzip_bomb", Outcome.UNKNOWN),
        ("other_action", Outcome.UNKNOWN), ("html", Outcome.UNKNOWN), ("empty", Outcome.UNKNOWN),
    ],
)  # fmt: skip
def test_an_unreadable_success(target: Target, variant: str, outcome: Outcome) -> None:
    target.connector.perform(target.request(number=9))  # there is another action's object to be confused with
    target.admin.add_fault(target.space, "unreadable", variant=variant)
    assert target.connector.perform(target.request()).outcome == outcome
    look = target.look()
    assert (look.verdict, look.complete) == (Verdict.FOUND, True)


def test_trash_and_a_second_one_are_seen(target: Target) -> None:
    first = target.connector.perform(target.request())
    target.admin.trash(target.space, "drafts", first.result_id)
    look = target.look()
    assert (look.verdict, look.objects[0].trashed) == (Verdict.FOUND, True)
    target.admin.make(target.space, "drafts", title="copy", marker=target.request().marker)
    assert target.look().verdict == Verdict.FOUND_MANY


def test_a_job_is_followed_to_its_end(admin: SandboxAdmin) -> None:
    target = Target(admin, Guard.LOOKUP)
    admin.put_space(target.space, token=admin.get_space(target.space)["token"], job_seconds=0.05)
    answer = target.connector.perform(target.request(Kind.START_JOB))
    for _ in range(100):
        (found,) = target.look(Kind.START_JOB, result_id=answer.result_id).objects
        if found.finished:
            break
        time.sleep(0.02)
    target.connector.close()
    assert (found.finished, found.failed, found.usage["units"]) == (True, False, 1)


@pytest.mark.parametrize(
    ("setting", "code"),
    [
        ({"look_up_status": 500}, "http-500"), ({"look_up_status": 401}, "unauthorized"),
        ({"look_up_status": 403}, "forbidden"), ({"look_up_status": 429}, "rate-limited"),
        ({"look_up_body": "html"}, "html"),
    ],
    ids=["500", "401", "403", "429", "html"],
)  # fmt: skip
def test_a_look_up_that_fails_cannot_tell(admin: SandboxAdmin, setting: dict[str, Any], code: str) -> None:
    target = Target(admin, Guard.LOOKUP)
    admin.put_space(target.space, token=admin.get_space(target.space)["token"], **setting)
    look = target.look()
    target.connector.close()
    assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, code)


def test_an_empty_first_page_is_not_the_end(admin: SandboxAdmin) -> None:
    target = Target(admin, Guard.LOOKUP)
    target.connector.perform(target.request())
    token = admin.get_space(target.space)["token"]
    admin.put_space(target.space, token=token, look_up_body="empty_first_page_with_next")
    look = target.look()
    target.connector.close()
    assert (look.verdict, look.complete) == (Verdict.FOUND, True)


def test_the_inventory_is_what_the_sandbox_holds(target: Target) -> None:
    for number in range(7):
        target.connector.perform(target.request(number=number))
    token = target.admin.get_space(target.space)["token"]
    target.admin.put_space(target.space, token=token, page_size_max=3)
    found = list(target.connector.inventory(kind=Kind.CREATE_DRAFT, deadline_s=3))
    assert [one.result_id for one in found] == [one["id"] for one in target.admin.objects(target.space)]


@every_guard
def test_the_connection_test_reads_only(target: Target) -> None:
    assert [line for line in target.connector.check() if not line.ok] == []
    assert target.admin.log(target.space, operation="create") == []
