"""A permit: go, reuse, wait, look up, stop; and what becomes of each report."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from once_delivery.accounts.models import Project
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.facts import PERMIT_LONGEST_S
from once_delivery.ledger.models import Action, Attempt, Batch, Observation, Permit, Receipt
from once_delivery.ledger.services.expire_leases import expire_leases
from once_delivery.ledger.services.restore_ledger import open_restoration
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.ledger.transitions import Actor
from tests.api.caller import Caller, an_ask, an_identity
from tests.fakes.clock import DatabaseClock


def ask(caller: Caller, product: str = "kettle", **changes: Any) -> dict[str, Any]:
    answer = caller.post("/permits", an_ask(product, **changes))
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def report(caller: Caller, permit: dict[str, Any], verb: str, **said: Any) -> dict[str, Any]:
    answer = caller.post(f"/permits/{permit['permit']}/{verb}", said)
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def test_go_then_done_then_reuse(caller: Caller) -> None:
    permit = ask(caller, execution="n8n-1")
    assert permit["answer"] == "go"
    assert permit["idempotency_key"] == permit["marker"]
    attempt = Attempt.objects.get(pk=permit["attempt"])
    assert (attempt.run.external_id, attempt.number) == ("n8n-1", 1)
    assert ask(caller)["answer"] == "wait"
    told = report(caller, permit, "done", result_id="77", url="https://cms.example/77", http_status=201)
    assert (told["taken_as"], told["state"], told["late"]) == ("done", "confirmed", False)
    again = ask(caller, execution="n8n-2")
    assert (again["answer"], again["action"]["result_id"]) == ("reuse", "77")
    assert again["permit"] is None
    assert report(caller, permit, "done", result_id="77")["repeated"] is True
    assert Receipt.objects.count() == 1


def test_the_secret_is_kept_as_a_hash_alone(caller: Caller) -> None:
    permit = ask(caller)
    row = Permit.objects.get()
    assert permit["permit"] not in {row.secret_hash, str(row.attempt.token if row.attempt else "")}
    assert Action.objects.get().by_permit


def test_go_brings_the_results_that_the_content_refers_to(caller: Caller) -> None:
    picture = {"kind": "upload_file", "slot": "hero", "content": {"alt": "a kettle"}}
    draft = {"content": {"title": "kettle", "featured_media": {"$result": "hero"}}}
    by_permit = {"target": "cms", "performed_by": "permit"}
    item = {
        "identity": an_identity(),
        "brief": {"text": "…"},
        "actions": [one | by_permit for one in (picture, draft)],
    }
    (delivery,) = caller.post("/deliveries", {"items": [item]}).json()["deliveries"]
    first, second = (f"/actions/{action['id']}/permits" for action in delivery["actions"])
    assert caller.post(second).json()["answer"] == "wait"
    picture_permit = caller.post(first).json()
    assert (picture_permit["answer"], picture_permit["results"]) == ("go", {})
    report(caller, picture_permit, "done", result_id="77")
    assert caller.post(second).json()["results"] == {"hero": "77"}


def test_refused_may_be_tried_again_or_left(caller: Caller) -> None:
    told = report(caller, ask(caller), "refused", http_status=422, code="http-422")
    assert (told["taken_as"], told["state"]) == ("refused", "refused")
    assert ask(caller, retry_refused=False)["answer"] == "stop"
    second = ask(caller)
    assert second["answer"] == "go"
    assert second["idempotency_key"] != second["marker"], "a new key after a definite no"


@pytest.mark.parametrize(
    ("status", "taken_as", "state"),
    [(500, "unknown", "uncertain"), (409, "exists", "uncertain"), (201, "unknown", "uncertain")],
)
def test_a_status_that_can_follow_a_commit_is_no_refusal(
    caller: Caller, status: int, taken_as: str, state: str
) -> None:
    told = report(caller, ask(caller), "refused", http_status=status)
    assert (told["taken_as"], told["state"]) == (taken_as, state)


def test_too_many_requests_made_nothing_and_waits(caller: Caller) -> None:
    permit = ask(caller)
    told = report(caller, permit, "refused", outcome="not_done", http_status=429, retry_after_s=60)
    assert told["state"] == "planned"
    again = ask(caller)
    assert (again["answer"], again["reason"]) == ("wait", "asked-to-wait")
    assert again["again_at"] is not None


def test_another_marker_is_not_ours(caller: Caller) -> None:
    told = report(caller, ask(caller), "done", result_id="9", marker="once-somebody-elses")
    assert (told["taken_as"], told["code"], told["state"]) == ("unknown", "marker-mismatch", "uncertain")


def test_one_object_is_the_result_of_one_action(caller: Caller) -> None:
    report(caller, ask(caller, "kettle"), "done", result_id="9")
    told = report(caller, ask(caller, "lamp"), "done", result_id="9")
    assert (told["code"], told["state"]) == ("result-taken", "uncertain")


def test_late_truth_is_kept_and_used(caller: Caller) -> None:
    permit = ask(caller)
    report(caller, permit, "unknown", code="timeout")
    told = report(caller, permit, "done", result_id="12")
    assert (told["late"], told["state"]) == (True, "confirmed")
    other = report(caller, permit, "done", result_id="13")
    assert other["action"]["presence"] == "duplicate"
    answer = caller.post(f"/permits/{permit['permit']}/refused", {})
    assert (answer.status_code, answer.json()["code"]) == (409, "already-reported")


@pytest.mark.django_db(transaction=True)
class TestInTime:
    """With the database's clock in hand. The target: looked up by the marker, settled after ten minutes."""

    def test_unreported_it_expires_into_uncertain(self, caller: Caller, clock: DatabaseClock) -> None:
        permit = ask(caller)
        clock.forward(61)
        assert ask(caller)["answer"] == "wait"
        clock.forward(2)
        again = ask(caller)
        assert (again["answer"], again["action"]["state"]) == ("look_up", "uncertain")
        late = report(caller, permit, "done", result_id="5")
        assert (late["late"], late["state"]) == (True, "confirmed")

    def test_the_sweep_finds_it_too(self, caller: Caller, clock: DatabaseClock) -> None:
        ask(caller)
        clock.forward(63)
        assert expire_leases() == 1
        assert Action.objects.get().state == "uncertain"

    def test_a_heartbeat_prolongs_and_moves_the_settle_time(
        self, caller: Caller, clock: DatabaseClock
    ) -> None:
        permit = ask(caller)
        clock.forward(50)
        assert caller.post(f"/permits/{permit['permit']}/heartbeat", {"lease_s": 100}).status_code == 200
        clock.forward(90)
        assert ask(caller)["answer"] == "wait"
        clock.forward(11)
        look = ask(caller)
        assert look["answer"] == "look_up"
        ends = Permit.objects.get(kind="perform").lease_until
        assert look["absent_counts_from"][:19] == (ends + timedelta(seconds=600)).isoformat()[:19]
        answer = caller.post(f"/permits/{permit['permit']}/heartbeat")
        assert (answer.status_code, answer.json()["code"]) == (409, "permit-expired")

    def test_absence_is_earned(self, caller: Caller, clock: DatabaseClock) -> None:
        report(caller, ask(caller), "unknown")
        early = ask(caller)
        assert early["answer"] == "look_up"
        clock.forward(1)
        told = report(caller, early, "absent", complete=True, method="GET /posts?meta=…")
        assert (told["absence_proven"], told["state"]) == (False, "uncertain")
        wait = ask(caller)
        assert (wait["answer"], wait["reason"]) == ("wait", "not-visible-yet")
        clock.forward(600)
        second = ask(caller)
        assert second["answer"] == "look_up"
        part = report(caller, second, "absent", complete=False, method="first page")
        assert (part["taken_as"], part["state"]) == ("cannot_tell", "uncertain")
        forbidden = report(caller, ask(caller), "absent", complete=True, method="x", http_status=403)
        assert (forbidden["taken_as"], forbidden["code"]) == ("cannot_tell", "http-403")
        proven = report(caller, ask(caller), "absent", complete=True, method="all pages", http_status=200)
        assert (proven["absence_proven"], proven["state"]) == (True, "planned")
        assert ask(caller)["answer"] == "go"

    def test_a_look_begun_too_early_proves_nothing_however_late_it_is_told(
        self, caller: Caller, clock: DatabaseClock
    ) -> None:
        report(caller, ask(caller), "unknown")
        clock.forward(590)
        look = ask(caller)
        clock.forward(30)
        told = report(caller, look, "absent", complete=True, method="all pages")
        assert (told["absence_proven"], told["state"]) == (False, "uncertain")
        look = ask(caller)
        clock.forward(70)
        answer = caller.post(f"/permits/{look['permit']}/absent", {"complete": True, "method": "x"})
        assert (answer.status_code, answer.json()["code"]) == (409, "permit-expired")

    def test_found_after_absence_was_proven_is_late_truth(self, caller: Caller, clock: DatabaseClock) -> None:
        report(caller, ask(caller), "unknown")
        clock.forward(601)
        first, second = ask(caller), ask(caller)
        assert report(caller, first, "absent", complete=True, method="x")["state"] == "planned"
        thing = {"result_id": "31", "marker": second["marker"]}
        told = report(caller, second, "found", objects=[thing], method="x")
        assert told["state"] == "confirmed"


def test_found_with_the_marker_is_adopted(caller: Caller) -> None:
    report(caller, ask(caller), "unknown", http_status=504)
    look = ask(caller)
    thing = {"result_id": "21", "marker": look["marker"], "title": "kettle", "status": "draft"}
    told = report(caller, look, "found", objects=[thing], method="GET /posts?meta=…", complete=True)
    assert (told["taken_as"], told["state"], told["action"]["result_id"]) == ("found", "confirmed", "21")
    seen = Observation.objects.get()
    assert (seen.method, seen.objects_seen[0]["title"]) == ("GET /posts?meta=…", "kettle")
    assert ask(caller)["answer"] == "reuse"


def test_found_without_the_marker_goes_to_a_person(caller: Caller) -> None:
    report(caller, ask(caller), "unknown")
    alike = {"result_id": "21", "title": "kettle"}
    told = report(caller, ask(caller), "found", objects=[alike], method="by title", complete=True)
    assert told["state"] == "reconcile"
    stop = ask(caller)
    assert (stop["answer"], stop["reason"]) == ("stop", "looks-alike")


def test_two_of_ours_go_to_a_person(caller: Caller) -> None:
    report(caller, ask(caller), "unknown")
    look = ask(caller)
    two = [{"result_id": number, "marker": look["marker"]} for number in ("1", "2")]
    told = report(caller, look, "found", objects=two, method="x")
    assert (told["taken_as"], told["state"]) == ("found_many", "reconcile")
    assert ask(caller)["answer"] == "stop"


def test_a_permit_of_the_other_kind(caller: Caller) -> None:
    permit = ask(caller)
    answer = caller.post(f"/permits/{permit['permit']}/absent", {"complete": True, "method": "x"})
    assert (answer.status_code, answer.json()["code"]) == (409, "permit-does-not-fit")


def test_what_the_house_performs_is_waited_for(caller: Caller) -> None:
    caller.post("/deliveries", {"items": [an_ask()]})
    told = ask(caller)
    assert (told["answer"], told["reason"]) == ("wait", "by-the-house")


def test_the_lease_is_by_the_databases_clock(caller: Caller, project: Project) -> None:
    ask(caller, lease_s=3600)
    until = Action.objects.get().lease_until
    assert until is not None
    assert timedelta(minutes=59) < until - database_now() <= timedelta(hours=1)


def test_a_resume_leaves_to_the_permit_what_is_performed_by_one(caller: Caller) -> None:
    report(caller, ask(caller, batch="autumn"), "refused")
    batch = Batch.objects.get(name="autumn")
    told = caller.post(f"/batches/{batch.uuid}/plan").json()
    assert [(step["verb"], step["reason"]) for step in told["steps"]] == [("wait", "by-permit")]
    resume_batch(batch=batch)
    action = Action.objects.get()
    assert (action.state, action.sends) == ("refused", 1)
    assert ask(caller)["answer"] == "go"


# after a restore of the database: permits that were given out before are void, what was done under them is found


def restored(clock: DatabaseClock) -> None:
    open_restoration(since=clock.now() - timedelta(hours=1), actor=Actor("test"))


@pytest.mark.parametrize("said", ["done", "refused", "unknown"])
def test_a_permit_of_before_the_restore_lets_nobody_else_go(
    caller: Caller, clock: DatabaseClock, said: str
) -> None:
    permit = ask(caller)
    restored(clock)
    assert ask(caller)["answer"] == "look_up"
    beat = caller.post(f"/permits/{permit['permit']}/heartbeat", {})
    assert (beat.status_code, beat.json()["code"]) == (409, "permit-expired")

    told = report(caller, permit, said, **({"result_id": "77"} if said == "done" else {}))

    assert (told["late"], told["state"]) == (True, "confirmed" if said == "done" else "uncertain")
    assert ask(caller)["answer"] == ("reuse" if said == "done" else "look_up")


def test_what_was_performed_under_a_permit_that_is_forgotten_is_found(
    caller: Caller, clock: DatabaseClock
) -> None:
    """The permit itself came after the backup: its action is asked for anew, and looked for."""
    restored(clock)
    look = ask(caller)
    assert (look["answer"], look["action"]["state"]) == ("look_up", "uncertain")
    found = {"result_id": "77", "marker": look["marker"]}
    report(caller, look, "found", objects=[found], method="by marker", complete=True)
    assert (ask(caller)["answer"], Action.objects.get().result_id) == ("reuse", "77")


def test_absence_counts_only_when_the_longest_permit_is_over(caller: Caller, clock: DatabaseClock) -> None:
    """R5: whoever was told to go before the restore may hold their lease for an hour."""
    restored(clock)
    report(caller, ask(caller), "absent", complete=True, method="all pages")
    assert ask(caller)["answer"] in {"look_up", "wait"}
    clock.forward(PERMIT_LONGEST_S + 601.0)
    report(caller, ask(caller), "absent", complete=True, method="all pages")
    assert ask(caller)["answer"] == "go"
