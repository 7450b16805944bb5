"""The form of a target: built from what each kind declares; what is typed stays; secrets are never shown."""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.test import Client as Browser
from pytest_django import Settings

from once_delivery.accounts.models import Role
from once_delivery.common.secrets import unseal
from once_delivery.targets.models import Target
from once_delivery.web.target_form.start import choices
from tests.web.conftest import World, signed_in

WAGTAIL = {
    "name": "site",
    "base_url": "https://cms.example.org",
    "c.token": "t0ken-of-the-site",
    "p.page_type": "shop.ProductPage",
    "p.parent_id": "7",
    "p.parent_by_locale": "de-DE = 12\nfr-FR = 13",
    "n.guard": "client_id",
    "n.look_up": "true",
    "n.consistency": "strong",
    "n.settle_s": "60",
    "n.concurrency": "4",
}


def confirmed(world: World, role: Role = Role.OPS_OWNER) -> Browser:
    browser = signed_in(world.people[role])
    session = browser.session
    session["confirmed_at"] = time.time()
    session.save()
    return browser


def store(world: World, kind: str, **typed: str) -> Any:
    return confirmed(world).post(f"/targets/new/?kind={kind}", typed)


def test_a_target_is_stored_as_it_was_typed(world: World) -> None:
    assert store(world, "wagtail", **WAGTAIL).status_code == 302

    target = Target.objects.get(name="site")
    assert target.declaration == {
        "page_type": "shop.ProductPage",
        "parent_id": 7,
        "parent_by_locale": {"de-DE": 12, "fr-FR": 13},
    }
    assert target.profile_data == {
        "guard": "client_id", "look_up": True, "consistency": "strong", "settle_s": 60, "concurrency": 4
    }  # fmt: skip
    assert unseal(bytes(target.credentials_sealed)) == {"token": WAGTAIL["c.token"]}
    assert target.credentials_at is not None
    assert (target.project, target.is_test) == (world.project, False)


def test_what_is_wrong_stands_beside_its_field_and_everything_else_stays(world: World) -> None:
    wrong = WAGTAIL | {"p.parent_id": "seven", "p.page_type": "no dots", "n.settle_s": "-1"}
    answer = store(world, "wagtail", **wrong)
    said = answer.content.decode()

    assert answer.status_code == 422
    assert not Target.objects.filter(name="site").exists()
    for key, value in wrong.items():
        if not key.startswith("c."):
            assert value in said.replace("\r", ""), key
    assert WAGTAIL["c.token"] not in said
    assert "Credentials must be typed again." in said
    assert 'id="f-n-settle-s-error">At least 0.' in said
    # the profile is mended first; then the parameters say what is wrong with them
    said = store(world, "wagtail", **wrong | {"n.settle_s": "60"}).content.decode()
    assert 'id="f-p-parent-id-error">This is not of the right kind' in said
    assert 'id="f-p-page-type-error">This is not written as it must be.' in said


def test_what_is_missing_is_said_at_its_field_in_both_languages(world: World) -> None:
    typed = {key: value for key, value in WAGTAIL.items() if key != "p.page_type"}
    assert 'id="f-p-page-type-error">This is needed.' in store(world, "wagtail", **typed).content.decode()
    browser = confirmed(world)
    browser.cookies["django_language"] = "zh-hans"
    said = browser.post("/targets/new/?kind=wagtail", typed).content.decode()
    assert 'id="f-p-page-type-error">必填。' in said


def test_credentials_that_stay_empty_stay_and_typed_ones_replace_only_themselves(world: World) -> None:
    store(world, "s3", **S3)
    target = Target.objects.get(name="store")
    typed = {key: value for key, value in S3.items() if not key.startswith("c.")} | {
        "c.secret_key": "new-secret"
    }
    browser = confirmed(world)

    shown = browser.get(f"/targets/{target.uuid}/edit/").content.decode()
    assert "first-secret" not in shown
    assert "set on" in shown
    assert browser.post(f"/targets/{target.uuid}/edit/", typed | {"p.region": "eu-west-1"}).status_code == 302

    target.refresh_from_db()
    assert unseal(bytes(target.credentials_sealed)) == {"access_key": "first-key", "secret_key": "new-secret"}
    assert target.declaration == {"bucket": "drafts-of-ours", "region": "eu-west-1"}


S3 = {
    "name": "store",
    "base_url": "https://s3.example.org",
    "c.access_key": "first-key",
    "c.secret_key": "first-secret",
    "p.bucket": "drafts-of-ours",
    "n.guard": "lookup",
    "n.look_up": "true",
    "n.consistency": "strong",
}


def test_a_confirmation_that_is_over_keeps_what_was_typed_and_stores_nothing(world: World) -> None:
    answer = signed_in(world.alice).post("/targets/new/?kind=wagtail", WAGTAIL)
    said = answer.content.decode()
    assert answer.status_code == 422
    assert "confirm once more that it is you" in said
    assert "shop.ProductPage" in said
    assert not Target.objects.filter(name="site").exists()


def test_opening_the_form_asks_who_one_is(world: World) -> None:
    answer = signed_in(world.alice).get("/targets/new/?kind=wagtail")
    assert answer.status_code == 302
    assert answer["Location"].startswith("/confirm/")


def test_a_ready_profile_is_filled_with_typed_values(world: World) -> None:
    typed = {
        "name": "shop",
        "n.guard": "lookup",
        "n.look_up": "true",
        "n.consistency": "strong",
        "c.token": "x",
    }
    path = "shopify"
    missing = confirmed(world).post(f"/targets/new/?kind=rest&ready={path}", typed)
    assert 'id="f-v-shop-error">This ready profile needs a value for “shop”.' in missing.content.decode()

    assert confirmed(world).post(
        f"/targets/new/?kind=rest&ready={path}", typed | {"v.shop": "aurora"}
    ).status_code == 302  # fmt: skip
    target = Target.objects.get(name="shop")
    assert target.base_url == "https://aurora.myshopify.com"
    assert target.declaration["evidence"] == "documentation"
    said = confirmed(world).get(f"/targets/{target.uuid}/").content.decode()
    assert "from documentation, not run" in said
    assert "Why this is the default" in said


def test_a_declaration_by_hand_is_asked_for_its_credential_where_it_is_missing(world: World) -> None:
    typed = {
        "name": "api", "base_url": "https://api.example.org", "n.guard": "none",
        "expert": '{"auth": {"scheme": "bearer", "credential": "apikey"}, "kinds": {}}',
    }  # fmt: skip
    said = store(world, "rest", **typed).content.decode()
    assert 'name="c.apikey"' in said
    broken = store(world, "rest", **typed | {"expert": "{not json"})
    assert broken.status_code == 422
    assert "This is not a JSON object." in broken.content.decode()
    assert "{not json" in broken.content.decode()


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ('{"auth": 1, "auth": 2, "kinds": {}}', "The key “auth” is there twice."),
        ('{"auth": "", "kinds": {}}', "/auth: This is not of the right kind"),
    ],
)
def test_a_declaration_that_cannot_be_meant_is_refused_in_words(
    world: World, declared: str, said: str
) -> None:
    typed = {"name": "api", "base_url": "https://api.example.org", "n.guard": "none", "expert": declared}
    answer = store(world, "rest", **typed)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not Target.objects.filter(name="api").exists()


def test_a_name_that_is_taken_or_malformed_is_refused(world: World) -> None:
    assert (
        "has a target “cms” already" in store(world, "wagtail", **WAGTAIL | {"name": "cms"}).content.decode()
    )
    said = store(world, "wagtail", **WAGTAIL | {"name": "no spaces"}).content.decode()
    assert 'id="f-name-error">A name is 1 to 50 letters' in said


@pytest.mark.parametrize("project", ["borealis", "nowhere"])
def test_nobody_sets_up_a_target_in_a_project_that_is_not_theirs(world: World, project: str) -> None:
    path = f"/targets/new/?kind=wagtail&project={project}"
    assert confirmed(world).post(path, WAGTAIL).status_code == 404
    assert confirmed(world, Role.VIEWER).post(path, WAGTAIL).status_code == 403


def test_every_card_of_the_first_step_leads_to_a_form(world: World) -> None:
    browser = confirmed(world)
    cards = choices()
    assert len(cards) > 15
    for card in cards:
        assert browser.get(f"/targets/new/?{card.query}").status_code == 200, card.query
    for query in ("kind=nothing", "kind=rest&ready=nothing", "kind=jobs&service=nothing", "kind=noop"):
        assert browser.get(f"/targets/new/?{query}").status_code == 404, query


def test_where_the_operator_lets_no_target_inside_the_box_is_not_there_and_not_heard(
    world: World, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = 'name="allow_inside"'
    assert asking in confirmed(world).get("/targets/new/?kind=wagtail").content.decode()

    settings.TARGETS_MAY_GO_INSIDE = False
    monkeypatch.delenv("ONCE_SANDBOX_URL", raising=False)
    assert asking not in confirmed(world).get("/targets/new/?kind=wagtail").content.decode()
    browser = confirmed(world)
    for language, words in {
        "en": "Targets do not lead inside this network here",
        "zh-hans": "不允许目标访问内网地址",
    }.items():
        browser.cookies["django_language"] = language
        answer = browser.post("/targets/new/?kind=wagtail", WAGTAIL | {"allow_inside": "yes"})
        assert answer.status_code == 422
        assert words in answer.content.decode()
    assert not Target.objects.filter(name="site").exists()


def test_an_old_row_that_may_lead_inside_is_shown_as_it_is_taken(world: World, settings: Settings) -> None:
    Target.objects.filter(pk=world.target.pk).update(allow_inside=True, base_url="http://127.0.0.1:8000")
    page = f"/targets/{world.target.uuid}/"
    shown = "<dt>Inside addresses</dt><dd>{}</dd>"
    assert shown.format("allowed") in confirmed(world).get(page).content.decode()
    settings.TARGETS_MAY_GO_INSIDE = False
    assert shown.format("not allowed") in confirmed(world).get(page).content.decode()


def test_a_box_that_is_not_offered_says_nothing(world: World, settings: Settings) -> None:
    """Whoever changes something else must not take back what the row says, and may not lead it elsewhere."""
    settings.TARGETS_MAY_GO_INSIDE = False
    inside = "http://127.0.0.1:8000"
    assert confirmed(world).post("/targets/new/?kind=wagtail", WAGTAIL).status_code == 302
    Target.objects.filter(name="site").update(allow_inside=True, base_url=inside)
    page = f"/targets/{Target.objects.get(name='site').uuid}/edit/"
    form = {key: said for key, said in WAGTAIL.items() if key != "name"}
    assert confirmed(world).post(page, form | {"base_url": inside, "n.concurrency": "3"}).status_code == 302
    kept = Target.objects.get(name="site")
    assert (kept.allow_inside, kept.profile_data["concurrency"], kept.may_go_inside) == (True, 3, False)
    assert confirmed(world).post(page, form | {"base_url": "http://127.0.0.1:9000"}).status_code == 422
    assert Target.objects.get(name="site").base_url == inside
