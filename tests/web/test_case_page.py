"""The page of a case, as it is read."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from once_delivery.accounts.models import Role
from once_delivery.ledger.models import Action, Attempt, Run
from once_delivery.review.services import fetch_image
from once_delivery.targets.models import Target
from once_delivery.web.selectors.image_claims import candidate_claim
from reconciliation.decisions import Decision
from reconciliation.models import Case
from reconciliation.services.approvals import propose
from tests.web.conftest import World, signed_in
from tests.web.of_cases import html, looked, other, page_of
from tests.web.pages import read


def test_who_reads_chooses_nothing(world: World) -> None:
    for role in (Role.VIEWER, Role.MARKETING_LEAD, Role.FINANCE, Role.CLIENT_APPROVER):
        said = html(world, "/cases/", role)
        assert ('name="case"' in said, "/cases/plans/" in said) == (False, False)
        said = html(world, page_of(world), role)
        forms = set(re.findall(rf'action="{page_of(world)}([a-z-]+)/"', said))
        assert forms == {"comment"}
    said = html(world, page_of(world), Role.ADMIN)
    assert set(re.findall(rf'action="{page_of(world)}([a-z-]+)/"', said)) == {
        "comment", "decide", "hand-over", "look", "put-off", "time",
    }  # fmt: skip


def test_each_decision_shows_its_effects_before_its_button(world: World) -> None:
    said = html(world, page_of(world))
    assert re.findall(r'id="decide-([a-z_]+)"', said) == ["adopt", "absent", "give_up"]
    for part in re.findall(r'<form class="choice.*?</form>', said, re.DOTALL):
        assert (
            part.index("<dt>Result")
            < part.index("<dt>Cost")
            < part.index("<dt>Units")
            < part.index("<button")
        )
    assert "Propose: It is not there: send one request" in said


def test_what_we_sent_stands_beside_what_was_found(world: World) -> None:
    now, like = timezone.now(), world.case.action
    action = Action.objects.create(
        project=world.project, task=like.task, target=like.target, kind="create_draft", slot="another", marker="m-1",
        client_id=world.case.uuid, payload={"title": "Cup", "body": "<p>Holds 350 ml.</p>"}, fingerprint="f",
        next_step="person", next_step_at=now, state_since=now,
    )  # fmt: skip
    Attempt.objects.create(
        project=world.project, action=action, run=Run.objects.filter(project=world.project).order_by("pk")[0], number=1,
        replay=False, key_generation=1, sender="test", intended_at=now, lease_until=now,
    )  # fmt: skip
    Case.objects.filter(pk=world.case.pk).update(action=action)
    world.case.refresh_from_db()
    theirs = {"title": "Cup", "body": "<p>Holds 500 ml.</p><script>alert(1)</script>"}
    looked(
        world,
        verdict="cannot_tell",
        code="changed-meanwhile",
        complete=False,
        candidates=[
            {"result_id": "7", "title": "Cup", "marker": action.marker, "content": theirs, "usage": {"amount": "1.20", "currency": "CNY"}},
            {"result_id": "8", "title": "Cup set", "marker": "once-other", "created_at": "2020-01-01T00:00:00+00:00"},
        ],
    )  # fmt: skip
    said = html(world, page_of(world))
    words = " ".join(read(said))
    assert "<del>500</del>" in said
    assert "<ins>350</ins>" in said
    assert "alert(1)" not in said
    assert "CNY 1.20" in said
    assert "1 place differs" in words
    assert re.search(r"These match: Marker · Title\.", words)
    assert re.search(r"\d+ d \d+ h before we sent", words)


def test_of_two_of_ours_the_one_that_matches_best_comes_first(world: World) -> None:
    """Neither is said to be the only one with our marker."""
    action = world.case.action
    one = {"result_id": "d1", "marker": action.marker, "title": "Something else"}
    two = {"result_id": "d2", "marker": action.marker, "title": action.payload["title"]}
    looked(world, verdict="found_many", objects_seen=[one, two])

    said = html(world, page_of(world))
    assert said.index('value="d2"') < said.index('value="d1"')
    assert "It carries our marker, and so does another one." in said
    assert "which nothing else has" not in said


def test_what_was_refused_is_not_said_to_wait_for_a_look(world: World) -> None:
    said = html(world, f"/cases/{other(world).uuid}/")
    assert "The target refused and made nothing." in said
    assert "was not asked" not in said
    assert "The target refused and made nothing." in html(world, "/cases/")


def test_evidence_from_a_target_is_only_text(world: World) -> None:
    bad = "<script>alert(1)</script>"
    looked(
        world,
        candidates=[
            {"result_id": bad, "title": bad, "status": bad, "marker": bad, "created_at": bad, "url": bad}
        ],
    )
    assert bad not in html(world, page_of(world))
    assert bad not in html(world, "/cases/")


def test_the_cases_before_and_after(world: World) -> None:
    Case.objects.filter(pk=world.case.pk).update(due_at=timezone.now())
    later = other(world)
    assert f'href="/cases/{later.uuid}/" data-key="j"' in html(world, page_of(world))
    assert f'href="/cases/{world.case.uuid}/" data-key="k"' in html(world, f"/cases/{later.uuid}/")


def test_the_proposal_is_shown_to_everybody(world: World) -> None:
    propose(case=world.case, decision=Decision.ABSENT, user=world.alice, words="It is not there.")
    for role in Role:
        said = html(world, page_of(world), role)
        assert "爱丽 proposes: Not there: perform." in said
        assert ("Do not approve" in said) == (role == Role.ADMIN)


def test_queries_do_not_grow_with_what_was_done(world: World) -> None:
    browser = signed_in(world.alice)
    browser.get(page_of(world))

    def queries() -> int:
        with CaptureQueriesContext(connection) as caught:
            browser.get(page_of(world))
        return len(caught)

    browser.post(f"{page_of(world)}hand-over/", {"to": "some-admin", "revision": world.case.revision})
    before = queries()
    for number in range(5):
        browser.post(f"{page_of(world)}comment/", {"text": f"comment {number}"})
        looked(world, candidates=[{"result_id": str(one)} for one in range(number)])
    assert queries() <= before


def test_a_candidate_that_is_an_image_is_shown_through_the_house(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = "https://cms.example/media/pot.png?w=3"
    asked: list[str] = []

    def got(address: str, _: Target) -> bytes:
        asked.append(address)
        return b"\x89PNG\r\n\x1a\n" + b"\0" * 40

    monkeypatch.setattr(fetch_image, "_got", got)
    looked(
        world,
        candidates=[{"result_id": "1", "url": picture}, {"result_id": "2", "url": "https://cms.example/2"}],
    )
    shown = re.findall(r'<img class="candidate__image" src="([^"]+)"', html(world, page_of(world)))
    assert len(shown) == 1
    browser = signed_in(world.alice)
    answer = browser.get(shown[0].replace("&amp;", "&"))
    assert (answer.status_code, answer["Content-Type"], asked) == (200, "image/png", [picture])
    place = f"/cases/{other(world).uuid}/image/"
    claim = candidate_claim(world.case.pk, picture)
    assert browser.get(place, {"of": claim}).status_code == 404  # of another case
    assert browser.get(f"{page_of(world)}image/", {"of": claim + "x"}).status_code == 404
    monkeypatch.setattr(fetch_image, "_got", lambda address, target: b"<html>")
    assert browser.get(f"{page_of(world)}image/", {"of": claim}).status_code == 502
