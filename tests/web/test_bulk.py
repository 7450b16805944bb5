"""Many cases decided alike: chosen, planned, carried out, followed, cancelled."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client as Browser
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from kombu.exceptions import OperationalError

from once_delivery.accounts.models import Membership, Role
from reconciliation import tasks
from reconciliation.models import BulkDecision, BulkStatus, Case, CaseStatus
from reconciliation.services.open_cases import open_cases
from tests.web.conftest import World, signed_in
from tests.web.pages import read


@pytest.fixture(autouse=True)
def woken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    plans: list[int] = []
    monkeypatch.setattr(tasks.run_bulk, "delay", plans.append)
    return plans


def cases(world: World) -> list[Case]:
    return list(Case.objects.filter(project=world.project).order_by("due_at", "pk"))


def planned(browser: Browser, world: World, decision: str = "give_up") -> str:
    chosen = [str(one.uuid) for one in cases(world)]
    response = browser.post("/cases/plans/", {"decision": decision, "case": chosen})
    assert response.status_code == 302
    return str(response["Location"])


def text(browser: Browser, path: str) -> str:
    return " ".join(read(browser.get(path).content.decode()))


def test_the_plan_comes_before_anything_is_decided(world: World, alice: Browser, woken: list[int]) -> None:
    path = planned(alice, world)
    said = text(alice, path)
    assert "2 cases fit, 0 left out. Nothing is decided yet." in said
    assert "The task is closed without a result." in said
    assert "Give up (2 cases)" in said
    assert (woken, {one.status for one in cases(world)}) == ([], {CaseStatus.OPEN})


def test_what_does_not_fit_is_left_out_and_says_why(world: World, alice: Browser) -> None:
    said = text(alice, planned(alice, world, "absent"))
    assert "No chosen case fits." in said
    assert "It needs somebody else's agreement: propose it on its own page." in said
    assert "The decision does not fit its state." in said
    said = text(alice, planned(alice, world, "adopt"))
    assert "1 case fits, 1 left out." in said
    assert "The latest look-up did not show exactly one object." in said


def test_it_is_carried_out_once_and_followed(world: World, alice: Browser, woken: list[int]) -> None:
    path = planned(alice, world)
    assert [alice.post(f"{path}run/").status_code for _ in range(2)] == [302, 302]
    bulk = BulkDecision.objects.get()
    assert woken == [bulk.pk]
    page = alice.get(path).content.decode()
    assert 'hx-trigger="every 1s"' in page  # also after a reload
    assert "0 of 2 done" in page
    htmx = {"hx-request": "true"}
    assert alice.get(f"{path}?seen=running-0", headers=htmx).status_code == 204
    tasks.run_bulk(bulk.pk)
    part = alice.get(f"{path}?seen=running-0", headers=htmx).content.decode()
    assert "<html" not in part
    assert "hx-get" not in part
    assert "2 of 2 decided" in part
    assert {one.status for one in cases(world)} == {CaseStatus.RESOLVED}
    assert alice.post(f"{path}run/").status_code == 302  # the back button: it is done
    assert {one["outcome"] for one in BulkDecision.objects.get().items} == {"decided"}


def test_how_far_it_is_and_how_long_it_takes(world: World, alice: Browser) -> None:
    path = planned(alice, world)
    bulk = BulkDecision.objects.get()
    bulk.items[0]["outcome"] = "decided"
    began = timezone.now() - timedelta(minutes=1)
    BulkDecision.objects.update(items=bulk.items, done=1, status=BulkStatus.RUNNING, began_at=began)
    said = text(alice, path)
    assert "1 of 2 done" in said
    assert "1 a minute" in said
    assert "about 1 min left" in said


def test_what_changed_since_the_plan_is_skipped(world: World, alice: Browser) -> None:
    path = planned(alice, world)
    Case.objects.filter(pk=world.case.pk).update(revision=9)
    alice.post(f"{path}run/")
    tasks.run_bulk(BulkDecision.objects.get().pk)
    said = text(alice, path)
    assert "1 of 2 decided" in said
    assert "skipped: it changed since the plan" in said


def test_cancelling(world: World, alice: Browser, woken: list[int]) -> None:
    path = planned(alice, world)
    assert [alice.post(f"{path}cancel/").status_code for _ in range(2)] == [302, 302]
    assert "Cancelled after 0 of 2" in text(alice, path)
    alice.post(f"{path}run/")
    assert "This plan was carried out or cancelled already." in text(alice, path)
    assert (woken, {one.status for one in cases(world)}) == ([], {CaseStatus.OPEN})


def test_a_plan_whose_worker_cannot_be_woken_waits_for_the_sweep(
    world: World, alice: Browser, woken: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*args: object) -> None:
        raise OperationalError("no broker")

    path = planned(alice, world)
    with monkeypatch.context() as broken:
        broken.setattr(tasks.run_bulk, "delay", fails)
        response = alice.post(f"{path}run/", follow=True)
    assert "The worker could not be woken." in " ".join(read(response.content.decode()))
    BulkDecision.objects.update(began_at=timezone.now() - timedelta(minutes=3))
    assert "No worker has taken it yet." in text(alice, path)
    tasks.open_cases()
    assert woken == [BulkDecision.objects.get().pk]


@pytest.mark.parametrize(
    "data", [{}, {"decision": "give_up"}, {"decision": "explode", "case": "x"}, {"case": "x"}]
)
def test_nothing_chosen_is_said(world: World, alice: Browser, data: dict[str, str]) -> None:
    response = alice.post("/cases/plans/", data, follow=True)
    assert response.status_code == 200
    assert "Choose" in " ".join(read(response.content.decode().split('class="notes"')[1].split("</div>")[0]))
    assert not BulkDecision.objects.exists()


def test_nobody_carries_out_anothers_plan(world: World, alice: Browser) -> None:
    path = planned(alice, world)
    browser = signed_in(world.people[Role.ADMIN])
    assert "Only who made the plan carries it out" in text(browser, path)
    assert browser.post(f"{path}run/").status_code == 403
    Membership.objects.filter(user=world.alice, project=world.project).update(role=Role.VIEWER)
    assert alice.post(f"{path}run/").status_code == 403


def test_a_reader_learns_nothing_of_another_tenants_cases(world: World, alice: Browser) -> None:
    theirs = Case.objects.exclude(project=world.project).first()
    if theirs is None:
        action = world.charlie.memberships.get().project.actions.first()
        assert action is not None
        now = timezone.now()
        theirs = Case.objects.create(
            project=action.project, action=action, kind="stuck", reason="r", owner=world.charlie,
            opened_at=now, due_at=now,
        )  # fmt: skip
    # what is not one's own is not chosen, and not named as left out
    response = alice.post(
        "/cases/plans/", {"decision": "give_up", "case": [str(theirs.uuid), str(world.case.uuid)]}
    )
    bulk = BulkDecision.objects.get()
    assert ([one["case"] for one in bulk.items], bulk.excluded) == ([str(world.case.uuid)], [])
    # who belongs to both leaves it out; who reads the plan and does not belong there sees no name
    Membership.objects.create(user=world.alice, project=theirs.project, role=Role.OPS_OWNER)
    Case.objects.filter(pk=world.case.pk).update(due_at=timezone.now() - timedelta(days=9))
    response = alice.post(
        "/cases/plans/", {"decision": "give_up", "case": [str(theirs.uuid), str(world.case.uuid)]}
    )
    path = str(response["Location"])
    assert "It belongs to another project than the first one chosen." in text(alice, path)
    page = signed_in(world.vic).get(path).content.decode()
    assert "a case that you do not see" in page
    assert str(theirs.uuid) not in page
    assert signed_in(world.charlie).get(path).status_code == 404
    assert alice.get(f"/cases/plans/{uuid4()}/").status_code == 404


def test_the_number_of_queries_does_not_grow_with_the_plan(world: World, alice: Browser) -> None:
    open_cases()
    one = alice.post("/cases/plans/", {"decision": "give_up", "case": [str(world.case.uuid)]})["Location"]
    two = planned(alice, world)

    def queries(path: str) -> int:
        alice.get(path)
        with CaptureQueriesContext(connection) as caught:
            alice.get(path)
        return len(caught)

    assert queries(one) == queries(two) <= 14


def test_a_long_plan_is_read_page_by_page(
    world: World, alice: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("once_delivery.web.selectors.bulk.PAGE", 1)
    gone = [{"case": str(uuid4()), "why": "not-open"} for _ in range(2)]
    item = {"case": str(world.case.uuid), "revision": 0, "outcome": "", "why": "", "result_id": ""}
    plan = BulkDecision.objects.create(
        project=world.project, user=world.alice, decision="give_up", items=[item], excluded=gone
    )
    first = alice.get(f"/cases/plans/{plan.uuid}/")
    now = first.context["now"]
    assert (len(now.items), len(now.excluded), now.left_out, now.next_first) == (1, 1, 2, 1)
    assert f"/cases/plans/{plan.uuid}/?from=1" in first.content.decode()
    last = alice.get(f"/cases/plans/{plan.uuid}/?from=1").context["now"]
    assert (len(last.items), len(last.excluded), last.next_first, last.total) == (0, 1, None, 1)
