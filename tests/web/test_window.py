"""Django's admin is a window: superusers with their second factor read every table there, and nobody changes one."""

from __future__ import annotations

import re

import pytest
from axes.models import AccessAttempt
from django.apps import apps
from django.contrib.auth.models import Group
from django.test import Client as Browser
from django.urls import reverse
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from once_delivery.accounts.models import User
from once_delivery.config.window import LABELS, a_window, told_of
from once_delivery.ledger.models import Action
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
        "review.ApprovalLink.secret_hash",
    } <= closed
    page = came_in(keeper).get(reverse("admin:accounts_user_change", args=[keeper.pk])).content.decode()
    assert keeper.password not in page
    assert "argon2" not in page


def test_nobody_else_comes_in(world: World, keeper: User) -> None:
    page = reverse("admin:ledger_action_changelist")
    assert came_in(keeper, with_factor=False).get(page).status_code == 302
    clerk = User.objects.create_user("clerk", password="quite-a-long-one", is_staff=True)
    assert came_in(clerk).get(page).status_code == 403
    assert came_in(world.alice).get(page).status_code == 302
    assert Browser().get(page).status_code == 302
