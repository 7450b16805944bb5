"""The queue, as it is read."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from once_delivery.accounts.models import Membership, Role
from once_delivery.ledger.models import Action
from once_delivery.targets.models import Target
from once_delivery.web.selectors.cases import PAGE, case_page
from once_delivery.web.selectors.queue_filter import QueueFilter
from reconciliation.decisions import Decision
from reconciliation.models import Calendar, Case
from reconciliation.services.approvals import propose
from reconciliation.services.decide_case import decide_case
from tests.web.conftest import World, signed_in
from tests.web.of_cases import html, looked, other, page_of, text


def found(world: World, **chosen: str) -> set[int]:
    page = case_page(world.alice, chosen=QueueFilter(**chosen), key="")
    return {row.case.pk for row in page.rows}


def test_a_line_says_what_is_known_of_the_case(world: World) -> None:
    said = text(world, "/cases/")
    assert '保温杯 › <span class="nowrap">en-US</span> › 商品页 › v1' in html(world, "/cases/")
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
