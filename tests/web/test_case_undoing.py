"""Undo, withdrawing, and a target that is held back, as the page of a case shows them."""

from __future__ import annotations

import pytest
from django.test import Client as Browser

from once_delivery.accounts.models import Membership, Role
from once_delivery.ledger import tasks
from once_delivery.ledger.models import Action
from once_delivery.targets.models import Target
from reconciliation.decisions import Decision
from reconciliation.models import Approval, Case, CaseEvent, CaseKind, CaseStatus
from reconciliation.services.approvals import propose
from reconciliation.services.open_cases import open_cases
from tests.web.conftest import World, signed_in
from tests.web.pages import read


@pytest.fixture(autouse=True)
def _woken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks.work_target, "delay", lambda target: None)


def page_of(case: Case, browser: Browser) -> str:
    return " ".join(read(browser.get(f"/cases/{case.uuid}/").content.decode()))


def decided(case: Case, browser: Browser, decision: str) -> None:
    case.refresh_from_db()
    form = {"decision": decision, "how": "decide", "revision": case.revision, "seen": 0}
    assert browser.post(f"/cases/{case.uuid}/decide/", form).status_code == 302


def test_a_second_try_is_undone_from_the_page(world: World, alice: Browser) -> None:
    case = Case.objects.get(project=world.project, kind=CaseKind.REFUSED)
    decided(case, alice, "retry")
    assert "undo works until it goes" in page_of(case, alice)
    assert alice.post(f"/cases/{case.uuid}/undo/").status_code == 302
    case.refresh_from_db()
    assert (case.status, Action.objects.get(pk=case.action_id).next_step) == (CaseStatus.OPEN, "person")


def test_what_cannot_be_undone_says_so_before_and_after(world: World, alice: Browser) -> None:
    why = "No: it is closed for good."
    assert why in page_of(world.case, alice)
    decided(world.case, alice, "give_up")
    after = page_of(world.case, alice)
    assert f"Undo : {why}" in after.replace("Undo:", "Undo :")
    assert alice.post(f"/cases/{world.case.uuid}/undo/").status_code == 409
    assert why not in page_of(world.case, signed_in(world.people[Role.ADMIN]))


def test_a_proposal_of_somebody_who_has_gone_is_withdrawn(world: World, alice: Browser) -> None:
    admin = world.people[Role.ADMIN]
    propose(case=world.case, decision=Decision.ABSENT, user=admin)
    Membership.objects.filter(user=admin).delete()
    approval = Approval.objects.get()
    form = {"approval": approval.uuid, "seen": 0}
    response = alice.post(f"/cases/{world.case.uuid}/answer/", {**form, "agree": "yes"})
    assert response.status_code == 409
    assert "does not decide in this project any more" in " ".join(read(response.content.decode()))
    both = [alice.post(f"/cases/{world.case.uuid}/withdraw/", form) for _ in range(2)]
    assert [one.status_code for one in both] == [302, 302]
    assert CaseEvent.objects.filter(case=world.case, kind="withdrawn").count() == 1
    assert "proposal withdrawn" in page_of(world.case, alice)


def test_what_is_held_back_leads_to_the_target(world: World, alice: Browser) -> None:
    kept = {"claimed": "lookup", "seen": "", "numbers": {}, "at": "2026-01-01T00:00:00+00:00"}
    Target.objects.filter(pk=world.target.pk).update(refuted={"guard": kept})
    open_cases()
    case = Case.objects.get(project=world.project, kind=CaseKind.HELD)
    html = alice.get(f"/cases/{case.uuid}/").content.decode()
    assert "Nothing is sent there before a newer probe confirms it" in html
    assert f"/targets/{world.target.uuid}/" in html
    assert 'class="bar"' not in html
