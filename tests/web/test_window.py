"""Django's admin is a window: superusers with their second factor read every table there, and nobody changes one."""

from __future__ import annotations

import html
import re
from urllib.parse import quote

import pytest
from axes.models import AccessAttempt
from django.apps import apps
from django.contrib.auth.models import Group
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model
from django.test import Client as Browser
from django.test import RequestFactory, override_settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.text import capfirst
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp.oath import totp
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from once_delivery.accounts.models import User
from once_delivery.config.window import LABELS, a_window, told_of
from once_delivery.config.window_names import NAMES, name_of
from once_delivery.ledger.models import Action
from once_delivery.notices.models import Channel, Event, Message, Route
from once_delivery.targets.models import Target
from tests.web.conftest import World
from tests.web.test_policy import problems

MODELS = [model for label in sorted(LABELS) for model in apps.get_app_config(label).get_models()]


HOUSE = ("once_delivery.", "reconciliation.", "billing.")


def came_in(user: User, *, with_factor: bool = True) -> Browser:
    browser = Browser()
    browser.force_login(user)
    if with_factor:
        device = StaticDevice.objects.create(user=user, name="paper")
        session = browser.session
        session[DEVICE_ID_SESSION_KEY] = device.persistent_id
        session.save()
    return browser


@pytest.fixture
def keeper(db: None) -> User:
    return User.objects.create_superuser("keeper", password="quite-a-long-one")


def test_only_the_houses_tables_are_there() -> None:
    site = a_window()
    assert all(site.is_registered(model) for model in MODELS)
    assert {Action, Target, User} <= set(MODELS)
    ours = {model for model in apps.get_models() if model.__module__.startswith(HOUSE)}
    # what only remembers a person's page or a call, and never what was delivered
    assert {model._meta.app_label for model in ours - set(MODELS)} <= {"api", "drill", "ui", "web", "config"}
    for foreign in (StaticDevice, TOTPDevice, AccessAttempt, Group):
        assert not site.is_registered(foreign)


def test_every_table_can_be_read(world: World, keeper: User) -> None:
    browser, seen = came_in(keeper), 0
    for model in MODELS:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        listed = browser.get(reverse(f"{name}_changelist"))
        assert (listed.status_code, problems(listed.content.decode())) == (200, []), name
        for typed in ("7", "nothing"):
            assert browser.get(reverse(f"{name}_changelist"), {"q": typed}).status_code == 200, name
        row = model._base_manager.order_by("-pk").first()
        if row is None:
            continue
        seen += 1
        place = [row.pk]
        page = browser.get(reverse(f"{name}_change", args=place))
        assert (page.status_code, problems(page.content.decode())) == (200, []), name
        assert not re.search(r'type="submit"[^>]*name="_', page.content.decode()), name
    assert seen > 20


def test_nothing_is_changed(world: World, keeper: User) -> None:
    browser = came_in(keeper)
    for model in (Action, Target, User):
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        place = [model._base_manager.latest("pk").pk]
        assert browser.get(reverse(f"{name}_add")).status_code == 403
        assert browser.post(reverse(f"{name}_change", args=place), {}).status_code == 403
        assert browser.post(reverse(f"{name}_delete", args=place), {"post": "yes"}).status_code == 403


def test_nothing_that_opens_a_door_is_shown(world: World, keeper: User) -> None:
    closed = {
        f"{model._meta.label}.{field.name}"
        for model in MODELS
        for field in model._meta.fields
        if field not in told_of(model)
    }
    assert {
        "accounts.User.password",
        "accounts.ApiToken.secret_hash",
        "accounts.Invitation.secret_hash",
        "targets.Target.credentials_sealed",
        "notices.Route.secret_sealed",
        "notices.Route.address",
        "notices.Message.address",
        "review.ApprovalLink.secret_hash",
    } <= closed
    page = came_in(keeper).get(reverse("admin:accounts_user_change", args=[keeper.pk])).content.decode()
    assert keeper.password not in page
    assert "argon2" not in page


def test_columns_that_sound_like_a_door_are_hidden() -> None:
    sounds = re.compile(r"(secret|password|session|nonce|sealed|token|address)(?!s)")
    shown = {f"{model._meta.label}.{one.name}" for model in MODELS for one in told_of(model)}
    assert {one for one in shown if sounds.search(one.rsplit(".", 1)[1])} == set()


def test_no_column_can_be_asked_for_in_the_address(world: World, keeper: User) -> None:
    """Neither a table's own hidden ones nor, through its relations, those of others: not by any kind of condition."""
    browser = came_in(keeper)
    for model in MODELS:
        listed = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        asked = [f"{path}__startswith" for path in ways_to_hidden(model)]
        asked += ["pk__gt", *(field.name for field in model._meta.fields[:2])]
        for condition in asked:
            assert browser.get(listed, {condition: "a"}).status_code == 400, f"{listed} {condition}"
    users = reverse("admin:accounts_user_changelist")
    for condition in ("password", "password__regex", "password__isnull", "visit__session_key__startswith"):
        assert browser.get(users, {condition: "a"}).status_code == 400, condition


def test_lists_are_searched_and_ordered_by_shown_columns_alone(keeper: User) -> None:
    request = RequestFactory().get("/")
    request.user = keeper
    for model, window in a_window()._registry.items():
        shown = {"pk", *(one.name for one in told_of(model))}
        assert set(window.get_list_display(request)) <= shown, model
        assert set(window.get_sortable_by(request)) <= shown, model
        assert not window.get_list_filter(request), model
        assert not window.date_hierarchy, model
        for searched in window.get_search_fields(request):
            assert set(searched.removeprefix("=").split("__")) <= shown, model


def test_hidden_columns_have_no_other_way_out(world: World, keeper: User) -> None:
    browser = came_in(keeper)
    hook = "https://hooks.example.com/services/T0/B0/letter-by-letter"
    route = Route.objects.create(project=world.project, channel=Channel.WEBHOOK, address=hook)
    Message.objects.create(
        project=world.project,
        route=route,
        channel=route.channel,
        address=hook,
        event=Event.ROUTE_TEST,
        next_try_at=timezone.now(),
    )
    for model in (Route, Message):
        name = f"admin:notices_{model._meta.model_name}"
        row = [model.objects.latest("pk").pk]
        pages = (
            reverse(f"{name}_changelist"),
            reverse(f"{name}_changelist") + "?_popup=1&o=1",
            reverse(f"{name}_change", args=row),
            reverse(f"{name}_history", args=row),
            reverse(f"{name}_delete", args=row),
        )
        for page in pages:
            assert "letter-by-letter" not in browser.get(page).content.decode(), page
        for by in ("address", "uuid", "id"):
            assert browser.get(reverse(f"{name}_changelist"), {"_to_field": by}).status_code == 400
            assert browser.get(reverse(f"{name}_change", args=row), {"_to_field": by}).status_code == 400
    autocomplete = {"app_label": "notices", "model_name": "message", "field_name": "route", "term": "http"}
    assert browser.get("/admin/autocomplete/", autocomplete).status_code == 404
    content_type = ContentType.objects.get_for_model(Route).pk
    assert browser.get(f"/admin/r/{content_type}/{route.pk}/").status_code == 404


def ways_to_hidden(model: type[Model]) -> list[str]:
    """Paths of conditions to hidden columns: the table's own, and those of the tables at the end of its relations."""
    paths = [one.name for one in model._meta.fields if one not in told_of(model)]
    for relation in model._meta.get_fields():
        related = relation.related_model
        if isinstance(related, type) and issubclass(related, Model):
            paths += [
                f"{relation.name}__{one.name}" for one in related._meta.fields if one not in told_of(related)
            ]
    return paths


def test_nobody_else_comes_in(world: World, keeper: User) -> None:
    page = reverse("admin:ledger_action_changelist")
    clerk = User.objects.create_user("clerk", password="quite-a-long-one", is_staff=True)
    assert came_in(clerk).get(page).status_code == 403
    assert came_in(world.alice).get(page).status_code == 403
    assert Browser().get(page)["Location"] == f"/sign-in/?next={page}"
    assert came_in(keeper, with_factor=False).get(page).status_code == 302
    User.objects.filter(pk=keeper.pk).update(is_active=False)
    assert came_in(keeper).get(page)["Location"] == f"/sign-in/?next={page}"


def test_there_is_one_door_and_it_leads_back(keeper: User) -> None:
    page, browser = reverse("admin:ledger_action_changelist"), Browser()
    assert browser.get(reverse("admin:login"), {"next": page})["Location"] == f"/sign-in/?next={page}"
    credentials = {"username": "keeper", "password": "quite-a-long-one", "next": page}
    assert browser.post(reverse("admin:login"), credentials)["Location"] == f"/sign-in/?next={page}"
    assert "_auth_user_id" not in browser.session
    assert browser.post("/sign-in/", credentials)["Location"] == page

    away = browser.get(page)["Location"]  # no factor is set up yet
    assert away == f"/second-factor/set-up/?next={quote(page, safe='')}"
    browser.get(away)
    setup = TOTPDevice.objects.get(user=keeper)
    done = browser.post("/second-factor/set-up/", {"code": code_of(setup), "next": page})
    assert page in done.content.decode()
    assert browser.get(page).status_code == 200

    other = Browser()
    other.post("/sign-in/", credentials)
    away = other.get(page)["Location"]
    assert away == f"/second-factor/?next={quote(page, safe='')}"
    TOTPDevice.objects.update(last_t=-1)
    shown = other.post("/second-factor/", {"code": code_of(setup), "next": page})
    assert shown["Location"] == page
    assert other.get(page).status_code == 200
    assert other.get(reverse("admin:password_change"))["Location"] == reverse("web:password")
    assert other.post(reverse("admin:logout"))["Location"] == "/sign-in/"
    assert other.get(page)["Location"] == f"/sign-in/?next={page}"


def test_the_door_is_shut_after_too_many_wrong_passwords(keeper: User) -> None:
    browser = Browser()
    wrong = {"username": "keeper", "password": "not-this-one", "next": "/admin/"}
    with override_settings(AXES_FAILURE_LIMIT=2):
        answers = [browser.post(reverse("admin:login"), wrong, follow=True).status_code for _ in range(3)]
        assert answers == [200] * 3  # nothing is tried at the window's own address
        answers = [browser.post("/sign-in/", wrong).status_code for _ in range(2)]
        assert answers[-1] == 429
        right = wrong | {"password": "quite-a-long-one"}
        assert browser.post("/sign-in/", right).status_code == 429


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_tables_are_called_by_their_names(keeper: User, language: str) -> None:
    browser = came_in(keeper)
    asked = {"accept-language": language}
    index = browser.get("/admin/", headers=asked).content.decode()
    with translation.override(language):
        assert set(NAMES) == {model._meta.label for model in MODELS}
        for model in MODELS:
            assert capfirst(name_of(model, many=True)) in html.unescape(index), model
    assert "entrys" not in index
    assert "ookss" not in index
    listed = browser.get("/admin/billing/costentry/", headers=asked).content.decode()
    assert ("Cost entries" in listed) == (language == "en")
    if language != "en":
        names = re.findall(r'<th scope="row"[^>]*>\s*<a[^>]*>([^<]*)<', index)
        assert names
        assert [one for one in names if not re.search("[\u4e00-\u9fff]", one)] == []


def test_the_icon_is_there_for_pages_that_name_none(client: Browser) -> None:
    answer = client.get("/favicon.ico")
    assert answer.status_code == 302
    assert answer["Location"].endswith(".svg")


def code_of(device: TOTPDevice) -> str:
    return f"{totp(device.bin_key, step=device.step, t0=device.t0, digits=device.digits):06d}"
