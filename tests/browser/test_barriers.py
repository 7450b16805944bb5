"""No page stands in anybody's way: axe on every page and its states, in both languages, light and dark, wide and narrow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from once_delivery.accounts.models import Role
from tests.browser.axe import barriers
from tests.browser.chromium import context_of
from tests.browser.visitor import Visitor
from tests.web.conftest import World, world  # noqa: F401 -- the world of the pages' own tests
from tests.web.pages import addresses, of_finance

pytestmark = pytest.mark.real

PASSWORD = "quite-a-long-one"
WIDE, NARROW = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
LOOKS = [(size, scheme) for size in (WIDE, NARROW) for scheme in ("light", "dark")]
BEFORE_SIGNING_IN = (
    "/sign-in/",
    "/sign-in/?next=/cases/",
    "/password/forgotten/",
    "/password/forgotten/sent/",
    "/nowhere/",
)


@pytest.fixture
def reader(browser: Browser, live_server: LiveServer, language: str) -> Iterator[Visitor]:
    """Somebody whose browser lets axe in past the policy; used for nothing else."""
    context, watched = context_of(browser, live_server.url, language=language, bypass_csp=True)
    visitor = Visitor(context, watched, language)
    yield visitor
    visitor.leave()


def test_a_barrier_is_found(browser: Browser) -> None:
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    page.set_content(
        '<html lang="en"><title>x</title><main><img src="x"><p style="color:#aaa">pale</p></main>'
    )
    assert {one.split(":")[0] for one in barriers(page)} == {"image-alt", "color-contrast"}
    context.close()


def in_every_look(page: Page) -> dict[str, list[str]]:
    """What is wrong in each look of the page as it stands, seen from its top."""
    found = {}
    page.evaluate("scrollTo(0, 0)")
    for size, scheme in LOOKS:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        wrong = barriers(page)
        if wrong:
            found[f"{size['width']} {scheme}"] = wrong
    page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    return found


def barriers_on(reader: Visitor, addresses: Iterable[str]) -> dict[str, dict[str, list[str]]]:
    """What is wrong on each page, in each look."""
    found = {}
    for address in addresses:
        reader.go(address)
        wrong = in_every_look(reader.page)
        if wrong:
            found[address] = wrong
    return found


def test_every_page(world: World, reader: Visitor) -> None:  # noqa: F811
    reader.sign_in("alice", PASSWORD)
    assert barriers_on(reader, addresses(world)) == {}
    assert reader.watched.problems == []


def test_the_pages_of_finance(world: World, reader: Visitor) -> None:  # noqa: F811
    keeper = world.people[Role.FINANCE]
    keeper.set_password(PASSWORD)
    keeper.save()
    reader.sign_in(keeper.username, PASSWORD)
    assert barriers_on(reader, of_finance(world)) == {}
    assert reader.watched.problems == []


def test_the_administrators_pages(world: World, reader: Visitor) -> None:  # noqa: F811
    admin = world.people[Role.ADMIN]
    admin.set_password(PASSWORD)
    admin.save()
    reader.sign_in(admin.username, PASSWORD)
    places = (
        "",
        "settings/",
        "members/",
        "owners/",
        "invitations/",
        "tokens/",
        "notices/",
        "outbox/",
        "hours/",
    )
    pages = (
        "/account/",
        "/account/password/",
        "/account/second-factor/",
        "/account/browsers/",
        "/second-factor/set-up/",
        "/confirm/",
        "/projects/",
        *(f"/projects/{world.project.code}/{place}" for place in places),
    )
    assert barriers_on(reader, pages) == {}
    assert reader.watched.problems == []


def test_pages_before_signing_in(transactional_db: None, reader: Visitor) -> None:
    reader.watched.meant |= {404}
    found = {}
    for address in BEFORE_SIGNING_IN:
        reader.go(address)
        wrong = in_every_look(reader.page)
        if wrong:
            found[address] = wrong
    assert found == {}


def test_states_of_pages(world: World, reader: Visitor) -> None:  # noqa: F811
    page, found = reader.page, {}
    reader.go("/sign-in/")
    reader.press("Sign in")
    found["wrong password"] = in_every_look(page)
    reader.sign_in("alice", PASSWORD)

    reader.go(f"/cases/{world.case.uuid}/")
    reader.keys("?")
    page.locator("dialog[open]").wait_for()
    found["keys"] = in_every_look(page)
    reader.keys("Escape")
    for key in ("x", "g", "a", "s"):
        page.locator("h1").click()
        reader.keys(key)
        found[f"case, {key}"] = in_every_look(page)
        reader.keys("Escape")

    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    page.locator(".topbar__menu > summary").click()
    found["menu"] = barriers(page)  # type: ignore[assignment]
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
