"""Who may be told to go again after a lost answer: what each guard allows, and no more (R4)."""

from __future__ import annotations

import pytest

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Action
from once_delivery.ledger.services.work_target import work_target
from tests.api.caller import Caller, a_caller
from tests.api.test_permits import ask, report
from tests.fakes.clock import DatabaseClock
from tests.ledger.given import ACTOR, a_real_target

DAY = 86_400.0


def test_nothing_protects_so_a_person_decides(project: Project) -> None:
    a_real_target(project, guard="none", look_up=False)
    caller = a_caller(project)
    told = report(caller, ask(caller), "unknown")
    assert told["state"] == "reconcile"
    stop = ask(caller)
    assert (stop["answer"], stop["reason"], stop["permit"]) == ("stop", "cannot-be-asked", None)


def test_a_look_that_finds_nothing_sends_nothing_where_nothing_protects(project: Project) -> None:
    a_real_target(project, guard="none", look_up=True)
    caller = a_caller(project)
    report(caller, ask(caller), "unknown")
    look = ask(caller)
    assert look["answer"] == "look_up"
    told = report(caller, look, "absent", complete=True, method="all pages")
    assert told["state"] == "reconcile"


def test_our_own_id_may_be_sent_again(project: Project) -> None:
    a_real_target(project, guard="client_id", look_up=False)
    caller = a_caller(project)
    first = ask(caller)
    report(caller, first, "unknown")
    again = ask(caller)
    assert (again["answer"], again["replay"]) == ("go", True)
    assert again["client_id"] == first["client_id"]
    assert ask(caller)["answer"] == "wait", "one at a time all the same"
    told = report(caller, again, "refused", http_status=422)
    assert told["state"] == "uncertain", "a no to the second request says nothing of the first"
    assert report(caller, first, "done", result_id="4")["state"] == "confirmed"


def test_our_own_id_is_looked_for_first_where_it_can_be(project: Project) -> None:
    a_real_target(project, guard="client_id", look_up=True)
    caller = a_caller(project)
    report(caller, ask(caller), "unknown")
    look = ask(caller)
    assert look["answer"] == "look_up"
    report(caller, look, "absent", complete=True, method="GET /objects/{id}")
    again = ask(caller)
    assert (again["answer"], again["replay"]) == ("go", True), "without any settle time"


@pytest.mark.django_db(transaction=True)
class TestInTime:
    def test_a_key_within_its_window_and_not_after_it(self, project: Project, clock: DatabaseClock) -> None:
        a_real_target(project, guard="idempotency_key", window_s=DAY, look_up=False, patience_s=2 * DAY)
        caller = a_caller(project)
        first = ask(caller)
        report(caller, first, "unknown")
        clock.forward(3600)
        again = ask(caller, lease_s=3600)
        assert (again["answer"], again["replay"]) == ("go", True)
        assert again["idempotency_key"] == first["idempotency_key"]
        lease = Action.objects.get().lease_until
        assert lease is not None
        assert (lease - clock.now()).total_seconds() < 63, "the margin of the window is made for no longer"
        answer = caller.post(f"/permits/{again['permit']}/heartbeat", {"lease_s": 3600})
        assert answer.json()["code"] == "permit-expired"
        report(caller, again, "unknown")
        clock.forward(DAY)
        stop = ask(caller)
        assert (stop["answer"], stop["reason"]) == ("stop", "protection-over")

    def test_a_workflow_that_never_comes_back_leaves_it_to_a_person(
        self, project: Project, clock: DatabaseClock
    ) -> None:
        target = a_real_target(
            project, kind="permit", guard="idempotency_key", window_s=DAY, look_up=False, patience_s=600.0
        )
        caller = a_caller(project)
        ask(caller)
        clock.forward(63)
        for _ in range(2):
            work_target(target_id=target.pk, actor=ACTOR)
            clock.forward(700)
        work_target(target_id=target.pk, actor=ACTOR)
        action = Action.objects.get()
        assert (action.state, action.next_step, action.sends) == ("reconcile", "person", 1)

    def test_the_house_sends_nothing_that_is_in_permit_mode(
        self, project: Project, clock: DatabaseClock
    ) -> None:
        target = a_real_target(project, kind="noop", guard="client_id")
        caller = a_caller(project)
        report(caller, ask(caller), "refused", outcome="not_sent")
        clock.forward(3600)
        done = work_target(target_id=target.pk, actor=ACTOR)
        action = Action.objects.get()
        assert (done.performed, action.state, action.next_step) == (0, "planned", "wait")


def test_a_target_that_only_permits_reach_takes_no_other(project: Project) -> None:
    a_real_target(project, kind="permit")
    caller: Caller = a_caller(project)
    told = caller.post(
        "/deliveries",
        {
            "items": [
                {
                    "identity": {"product": "a", "locale": "de", "purpose": "p", "input_version": 1},
                    "brief": {"text": "a"},
                    "target": "cms",
                    "content": {"title": "a"},
                }
            ]
        },
    ).json()
    (action,) = told["deliveries"][0]["actions"]
    assert (action["performed_by"], action["next_step"]) == ("permit", "wait")
    permit = caller.post(f"/actions/{action['id']}/permits", {"execution": "n8n-1"}).json()
    assert permit["answer"] == "go"
