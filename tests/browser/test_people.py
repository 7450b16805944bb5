"""The administrator's day: somebody is invited and signs up, a second factor becomes required, a program gets a token."""

from __future__ import annotations

import base64

import pytest
from django_otp.oath import totp

from once_delivery.accounts.models import ApiToken, Membership, Role
from tests.browser.conftest import NewVisitor
from tests.browser.demo import Demo
from tests.browser.visitor import Visitor

pytestmark = pytest.mark.real

PASSWORD = "long-enough-for-anybody"


def confirmed(admin: Visitor, demo: Demo, page: str) -> None:
    """On a page where something can be changed: with the password once more when that is asked for."""
    admin.go(f"/projects/{demo.project.code}/{page}/")
    if admin.page.locator('a.btn[href^="/confirm/"]').count():
        admin.page.locator('a.btn[href^="/confirm/"]').click()
        admin.page.locator("#password").fill(demo.passwords["admin"])
        admin.press("Continue")
        admin.waits_for(f"/projects/{demo.project.code}/{page}/")


def test_an_invited_person_signs_up(demo: Demo, visitor: NewVisitor) -> None:
    admin = visitor("admin", demo.passwords["admin"])
    confirmed(admin, demo, "invitations")
    admin.watched.meant |= {422}
    admin.page.locator("#f-email").fill("not an address")
    admin.press("Invite")
    admin.page.locator("#f-email[aria-invalid]").wait_for()
    assert admin.page.locator("#f-email").input_value() == "not an address"
    admin.page.locator("#f-email").fill("new@example.com")
    admin.page.locator(f'input[name="role"][value="{Role.MARKETING_LEAD}"]').check()
    admin.press("Invite")
    link = admin.page.locator(".once-only__secret code").inner_text()
    admin.page.reload()
    assert link not in admin.page.content()

    newcomer = visitor()
    newcomer.watched.meant |= {422, 404}
    place = link[link.index("/invitation/") :]
    newcomer.go(place)
    newcomer.page.locator("#f-username").fill("newcomer")
    newcomer.page.locator("#f-password").fill("short")
    newcomer.press("Make the account and accept")
    newcomer.page.locator("#f-password[aria-invalid]").wait_for()
    assert newcomer.page.locator("#f-username").input_value() == "newcomer"
    newcomer.page.locator("#f-password").fill(PASSWORD)
    newcomer.press("Make the account and accept")
    newcomer.sees_text(demo.project.name)
    member = Membership.objects.get(project=demo.project, user__username="newcomer")
    assert member.role == Role.MARKETING_LEAD

    other = visitor()
    other.watched.meant |= {404}
    other.go(place)
    assert other.page.locator("#f-username").count() == 0


def test_a_second_factor_is_required_of_everybody(demo: Demo, visitor: NewVisitor) -> None:
    admin = visitor("admin", demo.passwords["admin"])
    viewer = visitor("viewer", demo.passwords["viewer"])
    confirmed(admin, demo, "settings")
    admin.page.locator('input[name="second_factor"]').check()
    admin.press("Save")
    admin.page.wait_for_load_state("networkidle")

    viewer.go("/batches/")
    viewer.waits_for("/second-factor/set-up/")
    viewer.watched.meant |= {422}
    viewer.page.locator("#code").fill("000000")
    viewer.press("Use this app from now on")
    viewer.page.locator("#code[aria-invalid]").wait_for()
    viewer.page.wait_for_timeout(1500)  # after a wrong code the next one is heard a second later
    secret = viewer.page.locator("p.mono").inner_text().replace(" ", "")
    key = base64.b32decode(secret + "=" * (-len(secret) % 8), casefold=True)
    viewer.page.locator("#code").fill(f"{totp(key):06d}")
    viewer.press("Use this app from now on")
    viewer.page.locator("#code").wait_for(state="detached")
    viewer.go("/batches/")
    assert viewer.is_at("/batches/")


def test_a_token_is_shown_once_and_revoked(demo: Demo, visitor: NewVisitor) -> None:
    admin = visitor("admin", demo.passwords["admin"])
    confirmed(admin, demo, "tokens")
    admin.page.locator("#f-name").fill("workflow")
    admin.page.locator(f'input[name="role"][value="{Role.OPS_OWNER}"]').check()
    admin.page.locator("#f-days").fill("30")
    admin.press("Make the token")
    secret = admin.page.locator(".once-only__secret code").inner_text()
    token = ApiToken.objects.get()
    assert secret.startswith(token.beginning)
    admin.page.reload()
    assert secret not in admin.page.content()
    admin.press("Revoke")
    admin.page.locator('button[value="revoke"]').wait_for(state="detached")
    token.refresh_from_db()
    assert token.revoked_at is not None


def test_who_is_no_admin_changes_nothing(demo: Demo, visitor: NewVisitor) -> None:
    viewer = visitor("viewer", demo.passwords["viewer"])
    viewer.watched.meant |= {403}
    for page in ("invitations", "tokens", "settings"):
        answer = viewer.go(f"/projects/{demo.project.code}/{page}/")
        assert answer.status == 403 or viewer.page.locator("#main form").count() == 0
