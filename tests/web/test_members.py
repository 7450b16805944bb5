"""The people of a project: who sees them, who changes them, and what is said before."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client as Browser
from django.utils import timezone

from once_delivery.accounts.access import role_of
from once_delivery.accounts.models import Membership, Project, Role, User
from reconciliation.models import Case
from reconciliation.services.pass_on_cases import pass_on_cases
from tests.web.conftest import World, signed_in

HERE = "/projects/aurora/members/"


@pytest.fixture
def admin(world: World) -> Browser:
    return signed_in(world.people[Role.ADMIN], confirmed=True)


def page_of(world: World, user: User) -> str:
    return f"{HERE}{Membership.objects.get(project=world.project, user=user).pk}/"


def test_everybody_reads_who_is_in(world: World) -> None:
    html = signed_in(world.vic).get(HERE).content.decode()
    assert ("爱丽" in html, "some-admin" in html, "Invite somebody" in html) == (True, True, False)


def test_another_role(world: World, admin: Browser) -> None:
    path = page_of(world, world.vic)
    assert admin.post(path, {"act": "role", "role": "finance"})["Location"] == path
    assert role_of(world.vic, world.project) == Role.FINANCE


@pytest.mark.parametrize("act", ["role", "remove", "absence", "nonsense", ""])
def test_a_forged_form_changes_nothing(world: World, act: str) -> None:
    """Only an admin changes somebody else, whatever a form says; and only one's own absence is one's own."""
    finance = world.people[Role.FINANCE]
    for person in (world.alice, world.vic, finance):
        data = {"act": act, "role": "admin", "until": "2999-01-01"}
        target = world.people[Role.MARKETING_LEAD]
        assert signed_in(person, confirmed=True).post(page_of(world, target), data).status_code == 403
        if act != "absence":
            assert signed_in(person, confirmed=True).post(page_of(world, person), data).status_code == 403
    assert role_of(finance, world.project) == Role.FINANCE
    assert not Membership.objects.filter(absent_until__isnull=False).exists()


def test_members_of_another_project_are_not_there(world: World, admin: Browser) -> None:
    theirs = Membership.objects.get(user=world.charlie).pk
    for method in ("get", "post"):
        assert getattr(admin, method)(f"{HERE}{theirs}/", {"act": "remove"}).status_code == 404
    assert Membership.objects.filter(user=world.charlie).exists()


def test_removal_says_to_whom_the_cases_go(world: World, admin: Browser) -> None:
    marketing = world.people[Role.MARKETING_LEAD]
    Case.objects.filter(project=world.project).update(owner=marketing)
    count = Case.objects.filter(project=world.project, status="open").count()
    assert count
    html = admin.get(page_of(world, marketing)).content.decode()
    assert f"{count} open case" in html
    assert "爱丽" in html.split("pass on to" if count > 1 else "passes on to")[1][:60]
    assert admin.post(page_of(world, marketing), {"act": "remove"})["Location"] == HERE
    assert role_of(marketing, world.project) is None
    pass_on_cases()
    assert set(Case.objects.filter(project=world.project).values_list("owner__username", flat=True)) == {
        "alice"
    }


def test_the_default_owner_stays_until_another_is_named(world: World, admin: Browser) -> None:
    """R13"""
    answer = admin.post(page_of(world, world.alice), {"act": "remove"})
    assert (answer.status_code, role_of(world.alice, world.project)) == (409, Role.OPS_OWNER)
    owners = {"default": world.vic.pk, "stand_in": world.people[Role.ADMIN].pk}
    assert admin.post("/projects/aurora/owners/", owners)["Location"] == HERE
    assert admin.post(page_of(world, world.alice), {"act": "remove"}).status_code == 302


@pytest.mark.parametrize("stranger", ["charlie", "nobody"])
def test_owners_are_members(world: World, admin: Browser, stranger: str) -> None:
    pk = User.objects.get(username=stranger).pk
    answer = admin.post("/projects/aurora/owners/", {"default": pk, "stand_in": world.alice.pk})
    assert answer.status_code == 422
    assert Project.objects.get(pk=world.project.pk).default_owner == world.alice


def test_the_last_admin_stays(world: World, admin: Browser) -> None:
    path = page_of(world, world.people[Role.ADMIN])
    for data in ({"act": "remove"}, {"act": "role", "role": "viewer"}):
        answer = admin.post(path, data)
        assert (answer.status_code, "last admin" in answer.content.decode()) == (409, True)


def test_ones_own_absence(world: World) -> None:
    browser, path = signed_in(world.vic), page_of(world, world.vic)
    day = (timezone.now() + timedelta(days=3)).date().isoformat()
    assert browser.post(path, {"act": "absence", "until": day}).status_code == 302
    until = Membership.objects.get(user=world.vic).absent_until
    assert until is not None
    assert until.astimezone(timezone.get_fixed_timezone(480)).isoformat()[:19] == f"{day}T23:59:59"
    assert "away until" in browser.get(HERE).content.decode()
    assert f'value="{day}"' in browser.get(path).content.decode()
    assert browser.post(path, {"act": "absence", "until": ""}).status_code == 302
    assert Membership.objects.get(user=world.vic).absent_until is None


@pytest.mark.parametrize("until", ["2020-01-01", "tomorrow", "2026-13-01", "9" * 30, "9999-12-31"])
def test_days_that_are_none(world: World, until: str) -> None:
    answer = signed_in(world.vic).post(page_of(world, world.vic), {"act": "absence", "until": until})
    assert (answer.status_code, 'id="w-until"' in answer.content.decode()) == (422, True)
    assert Membership.objects.get(user=world.vic).absent_until is None


def test_several_projects_are_listed_and_one_is_opened(world: World) -> None:
    assert signed_in(world.vic).get("/projects/")["Location"] == "/projects/aurora/"
    Membership.objects.create(project=Project.objects.get(code="borealis"), user=world.vic, role=Role.ADMIN)
    html = signed_in(world.vic).get("/projects/").content.decode()
    assert ("/projects/aurora/" in html, "/projects/borealis/" in html) == (True, True)
    assert "not a member of any project" in signed_in(world.nobody).get("/projects/").content.decode()


@pytest.mark.parametrize(
    "tail",
    ["", "members/", "owners/", "invitations/", "tokens/", "notices/", "outbox/", "hours/", "settings/"],
)
def test_a_foreign_project_looks_like_a_missing_one(world: World, tail: str) -> None:
    """R14"""
    browser = signed_in(world.charlie, confirmed=True)
    foreign, missing = browser.get(f"/projects/aurora/{tail}"), browser.get(f"/projects/nowhere/{tail}")
    assert (foreign.status_code, foreign.content) == (404, missing.content)
