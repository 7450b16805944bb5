"""The task's story and the queue of cases."""

from __future__ import annotations

from datetime import timedelta

from django.test import Client as Browser
from django.utils import timezone

from reconciliation.models import Case
from tests.web.conftest import World, signed_in
from tests.web.pages import read


def said(world: World, path: str) -> str:
    return " ".join(read(signed_in(world.alice).get(path).content.decode()))


def test_each_action_shows_its_facts(world: World) -> None:
    action = world.action("confirmed")
    html = signed_in(world.alice).get(f"/tasks/{action.task.uuid}/").content.decode()
    for fact in (
        "Identity",
        "Input version",
        "Target system",
        "Result ID",
        "Last confirmed",
        "State",
        "Marker",
    ):
        assert fact in html
    for value in ("obj-", "v1", "周舟", action.marker[:-6], action.marker[-6:], "at the target, exactly one"):
        assert value in html


def test_the_guard_is_said_in_one_sentence(world: World) -> None:
    assert "absence counts only after the settle time" in said(
        world, f"/tasks/{world.case.action.task.uuid}/"
    )


def test_the_time_line_has_each_kind_of_evidence(world: World) -> None:
    text = said(world, f"/cases/{world.case.uuid}/")
    for tag in ("attempt", "receipt", "look-up", "event"):
        assert tag in text
    assert "no readable, definite answer" in text
    assert "Looked up: not there" in text
    assert "Something that looks alike is there, without our marker." in text


def test_a_case_shows_the_candidates_of_the_latest_look(world: World) -> None:
    html = signed_in(world.alice).get(f"/cases/{world.case.uuid}/").content.decode()
    assert "保温杯 350 ml" in html
    assert "looks alike, without our marker" in html


def test_the_queue_has_the_most_urgent_first_and_says_what_is_over(world: World, alice: Browser) -> None:
    Case.objects.filter(pk=world.case.pk).update(due_at=timezone.now() - timedelta(hours=2))
    text = said(world, "/cases/")
    assert "over its time" in text
    assert "over by 2 h 00 min" in text


def test_cases_page_by_key(world: World, alice: Browser) -> None:
    Case.objects.filter(project=world.project).exclude(pk=world.case.pk).update(
        due_at=timezone.now() + timedelta(days=1)
    )
    first = alice.get("/cases/").context["page"]
    key = f"{world.case.due_at.isoformat()}|{world.case.pk}"
    rest = alice.get("/cases/", {"after": key}).context["page"]
    assert first.rows[0].case.pk == world.case.pk
    assert world.case.pk not in [row.case.pk for row in rest.rows]
    assert len(rest.rows) == len(first.rows) - 1


def test_home_says_what_waits_and_since_when(world: World) -> None:
    waiting = Case.objects.filter(project=world.project, status="open").count()
    assert f"{waiting} of 8 need" in said(world, "/").replace("needs", "need")
    assert "wait" in " ".join(read(signed_in(world.vic).get("/").content.decode()))
