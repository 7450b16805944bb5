"""The queue and the page of a case, as they are read."""

from __future__ import annotations

import re
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from once_delivery.accounts.models import Membership, Role
from once_delivery.ledger.models import Action, Attempt, Observation, Run
from once_delivery.review.services import fetch_image
from once_delivery.targets.models import Target
from once_delivery.web.selectors.cases import PAGE, case_page
from once_delivery.web.selectors.image_claims import candidate_claim
from once_delivery.web.selectors.queue_filter import QueueFilter
from reconciliation.decisions import Decision
from reconciliation.models import Calendar, Case
from reconciliation.services.approvals import propose
from reconciliation.services.decide_case import decide_case
from tests.web.conftest import World, signed_in
from tests.web.pages import read


def html(world: World, path: str, who: Role = Role.OPS_OWNER) -> str:
    response = signed_in(world.people[who]).get(path)
    assert response.status_code == 200
    return response.content.decode()


def text(world: World, path: str, who: Role = Role.OPS_OWNER) -> str:
    return " ".join(read(html(world, path, who)))


def page_of(world: World) -> str:
    return f"/cases/{world.case.uuid}/"


def found(world: World, **chosen: str) -> set[int]:
    page = case_page(world.alice, chosen=QueueFilter(**chosen), key="")
    return {row.case.pk for row in page.rows}


def other(world: World) -> Case:
    """The case of the refused action."""
    return Case.objects.exclude(pk=world.case.pk).get(project=world.project)


def looked(world: World, **values: object) -> None:
    action = world.case.action
    now = timezone.now()
    Observation.objects.create(
        project=action.project,
        action=action,
        **{
            "verdict": "absent",
            "method": "marker",
            "complete": True,
            "looked_at": now,
            "recorded_at": now,
            **values,
        },
    )


def test_a_line_says_what_is_known_of_the_case(world: World) -> None:
    said = text(world, "/cases/")
    assert "保温杯 › en-US › 商品页 › v1" in html(world, "/cases/")
    assert "It looks alike, without our marker." in said
    assert "% used" in said
    assert "2 of 2 open need you" in said


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"objects_seen": [{"result_id": "1"}], "verdict": "found"}, "It carries our marker."),
        ({"objects_seen": [{"result_id": "1"}, {"result_id": "2"}]}, "More than one carries our marker."),
        ({"candidates": [{"result_id": "1", "title": "保温杯 en-US"}]}, "Same title, without our marker."),
        (
            {"candidates": [{"result_id": "1", "title": "保温杯 en-US"}, {"result_id": "2"}]},
            "1 has our title; none our marker.",
        ),
        ({"proves_absence": True}, "Absence is proven."),
        ({}, "Absence is not proven yet."),
        ({"verdict": "cannot_tell", "code": "http-503", "complete": False}, "The target could not tell."),
        ({"candidates": ["no object", 7]}, "Absence is not proven yet."),
    ],
)
def test_the_best_candidate_and_why(world: World, values: dict[str, object], said: str) -> None:
    looked(world, **values)
    assert said in text(world, "/cases/")
    assert signed_in(world.alice).get(page_of(world)).status_code == 200


def test_what_a_second_try_costs_stands_in_the_line(world: World) -> None:
    assert "a second try" not in text(world, "/cases/")
    price = {"amount": "0.003", "currency": "USD", "source": "price list"}
    Target.objects.filter(project=world.project).update(declaration={"price": price})
    assert "USD 0.003" in html(world, "/cases/")
    Case.objects.filter(pk=world.case.pk).update(due_at=timezone.now())
    assert html(world, page_of(world)).count("USD 0.003") == 1  # beside what sends: "not there"


def test_views(world: World) -> None:
    mine, refused = world.case, other(world)
    assert found(world) == found(world, view="mine") == {mine.pk, refused.pk}
    Case.objects.filter(pk=refused.pk).update(owner=world.people[Role.ADMIN])
    assert found(world, view="mine") == {mine.pk}
    Case.objects.filter(pk=mine.pk).update(paused_at=timezone.now())
    assert found(world, view="waiting") == {mine.pk}
    Case.objects.filter(pk=mine.pk).update(snoozed_until=timezone.now() + timedelta(hours=1))
    assert (found(world), found(world, view="off")) == ({refused.pk}, {mine.pk})
    assert "put off until" in text(world, "/cases/?view=off")
    Case.objects.filter(pk=mine.pk).update(snoozed_until=timezone.now() - timedelta(minutes=1))
    assert found(world) == {mine.pk, refused.pk}
    decide_case(case=refused, decision=Decision.GIVE_UP, user=world.alice)
    assert (found(world), found(world, view="resolved")) == ({mine.pk}, {refused.pk})


def test_the_resolved_last_come_first(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    early, late = world.case, other(world)
    now = timezone.now()
    for case, resolved_at, due_at in (
        (early, now - timedelta(hours=2), now),
        (late, now - timedelta(hours=1), now - timedelta(days=1)),
    ):
        Case.objects.filter(pk=case.pk).update(
            status="resolved", resolution="adopt", resolved_at=resolved_at, due_at=due_at
        )
    monkeypatch.setattr("once_delivery.web.selectors.cases.PAGE", 1)
    browser = signed_in(world.alice)
    first = browser.get("/cases/?view=resolved").context["page"]
    assert [row.case.pk for row in first.rows] == [late.pk]
    address = f"/cases/?{urlencode({'view': 'resolved', 'after': first.next_key})}"
    second = browser.get(address).context["page"]
    assert ([row.case.pk for row in second.rows], second.next_key) == ([early.pk], "")


def test_filters_stand_in_the_address(world: World) -> None:
    mine, refused = world.case, other(world)
    assert found(world, kind="refused") == {refused.pk}
    assert found(world, target="cms") == {mine.pk, refused.pk}
    assert found(world, target="elsewhere") == found(world, project="borealis") == set()
    assert found(world, owner="alice") == {mine.pk, refused.pk}
    said = text(world, "/cases/?kind=duplicate&owner=alice")
    assert "Nothing fits these filters" in said
    # what no filter knows is not filtered by, and breaks nothing
    for query in (
        "view=x&age=y&kind=z",
        "after=%7C",
        "after=2026-13-99T00:00%7C1",
    ):
        assert signed_in(world.alice).get(f"/cases/?{query}").status_code == 200


def test_ages_are_counted_in_the_projects_own_working_time(world: World) -> None:
    now = timezone.now()

    def aged(hours: float) -> str:
        Case.objects.filter(pk=world.case.pk).update(opened_at=now - timedelta(hours=hours))
        return next(
            age for age in ("0-4", "4-8", "1d", "2-3d", "more") if world.case.pk in found(world, age=age)
        )

    assert [aged(hours) for hours in (1, 5, 9, 47, 49, 95, 97)] == [
        "0-4",
        "4-8",
        "1d",
        "1d",
        "2-3d",
        "2-3d",
        "more",
    ]
    Calendar.objects.create(project=world.project, days=[])  # nobody works: every hour counts
    assert aged(5) == "4-8"
    Calendar.objects.update(days=[(now + timedelta(days=3)).weekday()])
    assert aged(47) == "0-4"  # nobody worked since


def test_counts_are_those_of_the_view(world: World) -> None:
    page = case_page(world.alice, chosen=QueueFilter(view="mine", kind="refused"), key="")
    assert (page.counts["open"], page.counts["mine"], page.counts["waiting"], page.counts["off"]) == (
        1,
        1,
        0,
        0,
    )
    assert sum(bucket.count for bucket in page.buckets) == 1
    Case.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    assert "2 over their time" in text(world, "/cases/")


def test_pages_follow_one_another_without_gap_or_repeat(world: World) -> None:
    due = timezone.now()
    task, target = world.case.action.task, world.case.action.target
    for number in range(PAGE + 3):
        action = Action.objects.create(
            project=world.project, task=task, target=target, kind="create_draft", slot=f"s{number}",
            marker=f"m{number}", client_id=world.case.uuid, payload={}, fingerprint="f", state="planned",
            next_step="person", next_step_at=due, state_since=due,
        )  # fmt: skip
        Case.objects.create(
            project=world.project,
            action=action,
            kind="stuck",
            reason="r",
            owner=world.alice,
            opened_at=due,
            due_at=due,
        )
    browser = signed_in(world.alice)
    with CaptureQueriesContext(connection) as many:
        first = browser.get("/cases/")
    seen = [row.case.pk for row in first.context["page"].rows]
    after = first.context["page"].next_key
    rest = browser.get("/cases/", {"after": after})
    seen += [row.case.pk for row in rest.context["page"].rows]
    assert len(seen) == len(set(seen)) == Case.objects.filter(project=world.project).count()
    assert rest.context["page"].next_key == ""
    with CaptureQueriesContext(connection) as few:
        browser.get("/cases/", {"after": after})
    assert len(few) <= len(many) <= len(few) + 1  # the first page of a visit writes down that one is here


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
        project=world.project, action=action, run=Run.objects.filter(project=world.project)[0], number=1,
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


def test_the_menu_shows_approvals_only_to_whom_they_concern(world: World) -> None:
    def shown() -> set[Role]:
        return {role for role in Role if 'href="/approvals/"' in html(world, "/batches/", role)}

    assert shown() == {Role.CLIENT_APPROVER}
    propose(case=world.case, decision=Decision.ABSENT, user=world.alice)
    assert shown() == {Role.CLIENT_APPROVER, Role.ADMIN}
    assert "1 proposal waits for your answer" in text(world, "/approvals/", Role.ADMIN)
    assert "Nothing waits for your answer" in text(world, "/approvals/", Role.OPS_OWNER)
    Membership.objects.filter(user=world.people[Role.ADMIN]).update(role=Role.VIEWER)
    assert shown() == {Role.CLIENT_APPROVER}


def test_the_number_of_queries_does_not_grow_with_the_proposals(world: World) -> None:
    browser = signed_in(world.people[Role.CLIENT_APPROVER])

    def one_more(number: int) -> None:
        now, like = timezone.now(), world.case.action
        action = Action.objects.create(
            project=world.project, task=like.task, target=like.target, kind="start_job", slot=f"video-{number}",
            marker=f"m-{number}", client_id=world.case.uuid, payload={}, fingerprint="f", reason="job-failed",
            next_step="person", next_step_at=now, state_since=now,
        )  # fmt: skip
        case = Case.objects.create(
            project=world.project,
            action=action,
            kind="stuck",
            reason="r",
            owner=world.alice,
            opened_at=now,
            due_at=now,
        )
        propose(case=case, decision=Decision.RETRY, user=world.alice, words="Once more.")

    def queries() -> int:
        browser.get("/approvals/")
        with CaptureQueriesContext(connection) as caught:
            assert "Send once more" in browser.get("/approvals/").content.decode()
        return len(caught)

    one_more(1)
    before = queries()
    for number in range(2, 6):
        one_more(number)
    assert queries() == before <= 14


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
