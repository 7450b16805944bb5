"""Deciding a case and working on it: what is done, who may, and what is said when it cannot be done."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client as Browser
from django.utils import timezone
from kombu.exceptions import OperationalError

from once_delivery.accounts.models import Role
from once_delivery.ledger import tasks
from once_delivery.ledger.models import Action, Observation
from once_delivery.targets.base import Kind
from reconciliation.decisions import Decision
from reconciliation.models import Approval, Case, CaseEvent, CaseStatus, TimeSpan
from reconciliation.services.approvals import propose
from reconciliation.services.decide_case import decide_case
from reconciliation.services.work_on_case import hand_over
from tests.web.conftest import World, signed_in
from tests.web.pages import read


@pytest.fixture(autouse=True)
def woken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    targets: list[int] = []
    monkeypatch.setattr(tasks.work_target, "delay", targets.append)
    return targets


def again(world: World) -> Case:
    return Case.objects.select_related("action", "owner").get(pk=world.case.pk)


def send(browser: Browser, world: World, what: str, **data: Any) -> Any:
    """A form of the page as it is now, unless ``data`` says otherwise."""
    last = CaseEvent.objects.filter(case=world.case).order_by("-pk").values_list("pk", flat=True).first()
    state = {"revision": again(world).revision, "seen": last or 0}
    return browser.post(f"/cases/{world.case.uuid}/{what}/", {**state, **data})


def said(response: Any) -> str:
    return " ".join(read(response.content.decode()))


def kinds(world: World) -> list[str]:
    return list(CaseEvent.objects.filter(case=world.case).order_by("pk").values_list("kind", flat=True))


def admin(world: World) -> Browser:
    return signed_in(world.people[Role.ADMIN])


def test_adopting_the_chosen_candidate(world: World, alice: Browser, woken: list[int]) -> None:
    response = send(
        alice, world, "decide", decision="adopt", how="decide", candidate="8117", other="", words="Same text."
    )
    assert (response.status_code, response["Location"]) == (302, f"/cases/{world.case.uuid}/")
    case = again(world)
    assert (case.status, case.resolved_by, case.action.result_id) == (
        CaseStatus.RESOLVED,
        world.alice,
        "8117",
    )
    assert woken == [case.action.target_id]
    page = alice.get(f"/cases/{world.case.uuid}/")
    assert "An object was adopted as the result." in said(page)
    assert "Same text." in page.content.decode()
    assert 'class="bar"' not in page.content.decode()


def test_another_id_that_was_typed_wins(world: World, alice: Browser) -> None:
    send(alice, world, "decide", decision="adopt", how="decide", candidate="8117", other=" 9 ")
    assert again(world).action.result_id == "9"


def test_what_is_wrong_stands_beside_its_field_with_what_was_typed(world: World, alice: Browser) -> None:
    response = send(alice, world, "decide", decision="adopt", how="decide", words="My <words>")
    assert response.status_code == 422
    html = response.content.decode()
    assert "Name the result ID that is to be adopted." in html
    assert "My &lt;words&gt;" in html
    assert 'aria-invalid="true"' in html
    taken = world.action("confirmed").result_id
    response = send(alice, world, "decide", decision="adopt", how="decide", other=taken)
    assert response.status_code == 422
    assert f'value="{taken}"' in response.content.decode()
    assert again(world).status == CaseStatus.OPEN


def test_a_double_click_is_one_decision(world: World, alice: Browser) -> None:
    form = {"decision": "give_up", "how": "decide", "words": "Not needed.", "revision": 0, "seen": 0}
    form["revision"] = again(world).revision
    both = [alice.post(f"/cases/{world.case.uuid}/decide/", form) for _ in range(2)]
    assert [one.status_code for one in both] == [302, 302]
    assert kinds(world).count("decided") == 1


def test_the_back_button_shows_no_other_persons_decision_as_ones_own(world: World, alice: Browser) -> None:
    revision, seen = again(world).revision, CaseEvent.objects.filter(case=world.case).latest("pk").pk
    decide_case(
        case=world.case, decision=Decision.GIVE_UP, user=world.people[Role.ADMIN], words="Too late anyway."
    )
    response = send(
        alice, world, "decide", decision="adopt", how="decide", candidate="8117", words="It is ours.",
        revision=revision, seen=seen,
    )  # fmt: skip
    assert response.status_code == 409
    html = response.content.decode()
    assert "This case has been decided already." in html
    assert "some-admin" in html
    assert "Too late anyway." in html
    assert "It is ours." in html  # what was typed is not lost
    assert again(world).resolution == "give_up"


def test_a_page_that_was_opened_yesterday_says_what_happened_meanwhile(world: World, alice: Browser) -> None:
    revision, seen = again(world).revision, CaseEvent.objects.filter(case=world.case).latest("pk").pk
    hand_over(case=world.case, to=world.alice, user=world.people[Role.ADMIN], words="You know them.")
    response = send(
        alice,
        world,
        "decide",
        decision="give_up",
        how="decide",
        words="No need.",
        revision=revision,
        seen=seen,
    )
    assert response.status_code == 409
    html = response.content.decode()
    assert "Somebody else has worked on this case since you opened it" in html
    assert "handed over to 爱丽" in html
    assert "You know them." in html
    assert html.count("No need.") == 2  # in the sentence, and in its field
    assert 'value="give_up" data-key="g" data-key-goal="do-give_up" checked' in html
    assert again(world).status == CaseStatus.OPEN
    # the page that came back is of now: sent again, it is done
    assert send(alice, world, "decide", decision="give_up", how="decide").status_code == 302


@pytest.mark.parametrize("revision", ["", "x", "-1", "9" * 30])
def test_a_form_without_its_state_does_nothing(world: World, alice: Browser, revision: str) -> None:
    assert (
        send(alice, world, "decide", decision="give_up", how="decide", revision=revision).status_code == 409
    )
    assert again(world).status == CaseStatus.OPEN


def test_what_needs_agreement_cannot_be_decided_alone_whatever_the_form_says(
    world: World, alice: Browser
) -> None:
    response = send(alice, world, "decide", decision="absent", how="decide", words="Sure.")
    assert (response.status_code, again(world).action.state) == (409, "reconcile")
    assert "This needs the agreement of somebody else: propose it." in said(response)


def test_proposing_and_the_second_persons_answer(world: World, alice: Browser, woken: list[int]) -> None:
    assert (
        send(alice, world, "decide", decision="absent", how="propose", words="Not there.").status_code == 302
    )
    approval = Approval.objects.get()
    assert send(alice, world, "answer", approval=approval.uuid, agree="yes").status_code == 403
    client = signed_in(world.people[Role.CLIENT_APPROVER])
    assert send(client, world, "answer", approval=approval.uuid, agree="yes").status_code == 403
    assert woken == []
    form = {"approval": approval.uuid, "agree": "yes", "words": "I looked, too."}
    both = [send(admin(world), world, "answer", **form) for _ in range(2)]
    assert [one.status_code for one in both] == [302, 302]
    case = again(world)
    assert (case.resolution, case.action.state, case.resolved_by) == ("absent", "planned", world.alice)
    assert kinds(world).count("approved") == 1
    assert woken
    # the other way round it is too late, and the page says so
    assert send(admin(world), world, "answer", approval=approval.uuid, agree="no").status_code == 409
    answered = admin(world).get("/approvals/").content.decode()
    assert "I looked, too." in answered


def test_proposing_twice(world: World, alice: Browser) -> None:
    form = {
        "decision": "absent",
        "how": "propose",
        "words": "Not there.",
        "revision": again(world).revision,
        "seen": 0,
    }
    both = [alice.post(f"/cases/{world.case.uuid}/decide/", form) for _ in range(2)]
    assert [one.status_code for one in both] == [302, 302]
    response = send(alice, world, "decide", decision="absent", how="propose", words="Another.")
    assert response.status_code == 409
    assert Approval.objects.count() == 1


def test_the_client_answers_what_is_the_clients(world: World, alice: Browser) -> None:
    now, like = timezone.now(), world.case.action
    job = Action.objects.create(
        project=world.project, task=like.task, target=like.target, kind=Kind.START_JOB, slot="video", marker="m",
        client_id=world.case.uuid, payload={}, fingerprint="f", reason="job-failed", next_step="person",
        next_step_at=now, state_since=now,
    )  # fmt: skip
    Case.objects.filter(pk=world.case.pk).update(action=job)
    send(alice, world, "decide", decision="retry", how="propose", words="Paid twice at worst.")
    approval = Approval.objects.get()
    assert (approval.by_client, again(world).paused_at is None) == (True, False)
    client = signed_in(world.people[Role.CLIENT_APPROVER])
    assert "Paid twice at worst." in client.get(f"/cases/{world.case.uuid}/").content.decode()
    assert send(admin(world), world, "answer", approval=approval.uuid, agree="yes").status_code == 403
    response = send(client, world, "answer", approval=approval.uuid, agree="no", words="Not at our cost.")
    assert response.status_code == 302
    case = again(world)
    assert (case.status, case.paused_at) == (CaseStatus.OPEN, None)
    assert "Not at our cost." in alice.get(f"/cases/{world.case.uuid}/").content.decode()


def test_an_answer_to_a_case_that_changed_is_void(world: World, alice: Browser) -> None:
    approval = propose(case=world.case, decision=Decision.ABSENT, user=world.alice)
    now = timezone.now()
    Observation.objects.create(
        project=world.project, action=world.case.action, verdict="found", method="m", complete=True,
        looked_at=now, recorded_at=now,
    )  # fmt: skip
    response = send(admin(world), world, "answer", approval=approval.uuid, agree="yes", words="Yes.")
    assert response.status_code == 409
    assert "is void because the case has changed" in said(response)


def test_an_answer_to_a_proposal_of_another_case(world: World) -> None:
    approval = propose(case=world.case, decision=Decision.ABSENT, user=world.alice)
    other = Case.objects.exclude(pk=world.case.pk).get(project=world.project)
    browser = admin(world)
    for uuid in (approval.uuid, "nonsense", ""):
        assert browser.post(f"/cases/{other.uuid}/answer/", {"approval": uuid}).status_code == 404


def test_handing_over_and_undoing(world: World, alice: Browser) -> None:
    form = {"to": "some-admin", "words": "Yours.", "revision": again(world).revision, "seen": 0}
    both = [alice.post(f"/cases/{world.case.uuid}/hand-over/", form) for _ in range(2)]
    assert [one.status_code for one in both] == [302, 302]
    assert (again(world).owner.username, kinds(world).count("handed")) == ("some-admin", 1)
    assert "You have just handed this case over." in said(alice.get(f"/cases/{world.case.uuid}/"))
    assert "You have just" not in said(admin(world).get(f"/cases/{world.case.uuid}/"))
    assert send(admin(world), world, "undo").status_code == 409
    assert send(alice, world, "undo").status_code == 302
    assert again(world).owner == world.alice
    assert send(alice, world, "undo").status_code == 409


@pytest.mark.parametrize("to", ["vic", "charlie", "nobody", ""])
def test_only_to_those_who_decide(world: World, alice: Browser, to: str) -> None:
    assert send(alice, world, "hand-over", to=to).status_code == 403
    assert again(world).owner == world.alice


def test_putting_off(world: World, alice: Browser) -> None:
    until = timezone.localtime() + timedelta(hours=3)
    form = {"until": f"{until:%Y-%m-%dT%H:%M}", "reason": "The site is down."}
    for wrong in (
        {"until": "2020-01-01T00:00"},
        {"reason": " "},
        {"until": "soon"},
        {"until": "2026-02-30T10:00"},
    ):
        response = send(alice, world, "put-off", **{**form, **wrong})
        assert response.status_code == 422
        assert "and with a reason" in said(response)
        assert '<details id="put-off" open>' in response.content.decode()
    assert send(alice, world, "put-off", **form).status_code == 302
    snoozed = again(world).snoozed_until
    assert snoozed is not None
    assert abs(snoozed - until) < timedelta(minutes=1)
    assert f"/cases/{world.case.uuid}/" not in alice.get("/cases/").content.decode()
    assert send(alice, world, "undo").status_code == 302
    assert again(world).snoozed_until is None


def test_everybody_comments_and_nobody_twice(world: World) -> None:
    vic = signed_in(world.vic)
    form = {"text": "I saw <b>two</b>.", "seen": 0}
    both = [vic.post(f"/cases/{world.case.uuid}/comment/", form) for _ in range(2)]
    assert [one.status_code for one in both] == [302, 302]
    assert kinds(world).count("commented") == 1
    assert "I saw &lt;b&gt;two&lt;/b&gt;." in vic.get(f"/cases/{world.case.uuid}/").content.decode()
    assert send(vic, world, "comment", text=" ").status_code == 422
    assert send(vic, world, "comment", text="I saw <b>two</b>.").status_code == 302  # said again on purpose
    assert kinds(world).count("commented") == 2


def test_looking_again_is_followed_until_it_has_come_back(
    world: World, alice: Browser, woken: list[int]
) -> None:
    path = f"/cases/{world.case.uuid}/"
    htmx = {"hx-request": "true"}
    assert send(alice, world, "look").status_code == 302
    assert woken == [world.case.action.target_id]
    assert 'hx-trigger="every 2s"' in alice.get(path).content.decode()  # also after a reload
    part = alice.get(path, headers=htmx).content.decode()
    assert "<html" not in part
    assert "The target is being asked again." in part
    now = timezone.now()
    Observation.objects.create(
        project=world.project, action=world.case.action, verdict="found", method="m", complete=True,
        looked_at=now, recorded_at=now,
    )  # fmt: skip
    part = alice.get(path, headers=htmx).content.decode()
    assert "The target has been asked." in part
    assert "hx-get" not in part
    assert 'id="looking"' not in alice.get(path).content.decode()


def test_a_worker_that_cannot_be_woken_is_said(
    world: World, alice: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*args: object) -> None:
        raise OperationalError("no broker")

    monkeypatch.setattr(tasks.work_target, "delay", fails)
    assert send(alice, world, "look").status_code == 302
    page = said(alice.get(f"/cases/{world.case.uuid}/"))
    assert "The worker could not be woken." in page
    assert again(world).action.next_step == "look_up"


def test_time_is_measured_with_and_without_a_script(world: World, alice: Browser) -> None:
    assert send(alice, world, "time", do="start").status_code == 302
    assert "data-running" in alice.get(f"/cases/{world.case.uuid}/").content.decode()
    TimeSpan.objects.update(began_at=timezone.now() - timedelta(minutes=2))
    assert send(alice, world, "time", do="beat", by="script").json() == {"running": True, "seconds": 120}
    other = Case.objects.exclude(pk=world.case.pk).get(project=world.project)
    alice.post(f"/cases/{other.uuid}/time/", {"do": "start", "by": "script"})
    # the first page says late that it was left: the time on the second one runs on
    assert not send(alice, world, "time", do="pause", by="script").json()["running"]
    assert alice.post(f"/cases/{other.uuid}/time/", {"do": "beat", "by": "script"}).json()["running"]
    assert not send(alice, world, "time", do="beat", by="script").json()["running"]


def test_no_time_is_measured_on_a_decided_case(world: World, alice: Browser) -> None:
    send(alice, world, "time", do="start")
    decide_case(case=world.case, decision=Decision.GIVE_UP, user=world.alice)
    assert not send(alice, world, "time", do="beat", by="script").json()["running"]
    assert not send(alice, world, "time", do="start", by="script").json()["running"]
    assert not TimeSpan.objects.filter(ended_at__isnull=True).exists()


def test_a_decision_that_no_page_offers(world: World, alice: Browser) -> None:
    assert send(alice, world, "decide", decision="explode", how="decide").status_code == 403
    assert send(alice, world, "decide", decision="settle", how="decide").status_code == 409
