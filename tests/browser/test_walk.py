"""By keyboard alone, at twice the size, without motion."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from playwright.sync_api import Page

from once_delivery.accounts.models import Role
from tests.browser.conftest import NewVisitor
from tests.browser.visitor import Visitor
from tests.web.conftest import World, world  # noqa: F401 -- the world of the pages' own tests
from tests.web.pages import addresses, of_finance

pytestmark = pytest.mark.real

PASSWORD = "quite-a-long-one"
HALF = {"width": 640, "height": 512}  # 1280 × 1024 at 200 %
MOST_STOPS = 400
# what has the focus: its mark in the page, whether one sees that it has it, and whether one sees it at all
FOCUSED = """() => {
  const here = document.activeElement;
  if (!here || here === document.body) return null;
  if (!here.dataset.stop) here.dataset.stop = String(document.querySelectorAll("[data-stop]").length + 1);
  const look = getComputedStyle(here), place = here.getBoundingClientRect();
  return {
    stop: here.dataset.stop, tag: here.outerHTML.slice(0, 120),
    ring: look.outlineStyle !== "none" && parseFloat(look.outlineWidth) > 0,
    size: place.width * place.height,
  };
}"""
REACHABLE = """() => [...document.querySelectorAll(
  "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']"
)].filter((one) => !one.disabled && one.tabIndex >= 0 && one.checkVisibility({visibilityProperty: true})).length"""
# what reaches beyond the window, when the page can be pushed aside
WIDER = """() => {
  const page = document.documentElement, width = page.clientWidth;
  if (page.scrollWidth <= width) return [];
  return [...document.body.querySelectorAll("*")]
    .filter((one) => one.getBoundingClientRect().right > width + 0.5 && !one.closest(".scroll, .topbar"))
    .map((one) => `${one.tagName} ${one.className} ${Math.round(one.getBoundingClientRect().right)}`).slice(0, 5);
}"""
MOVING = """() => document.getAnimations().filter((one) => {
  const time = one.effect.getComputedTiming();
  return one.playState === "running" && (time.iterations === Infinity || time.activeDuration > 100);
}).map((one) => one.effect.target.outerHTML.slice(0, 120))"""


def walked(page: Page) -> list[str]:
    """Tab from the beginning until it begins again; what is wrong on the way."""
    wrong, seen = [], set[str]()
    for _stop in range(MOST_STOPS):
        page.keyboard.press("Tab")
        here = page.evaluate(FOCUSED)
        if here is None or here["stop"] in seen:
            break
        seen.add(here["stop"])
        if not here["ring"]:
            wrong.append(f"no ring: {here['tag']}")
        if here["size"] == 0:
            wrong.append(f"not seen: {here['tag']}")
    else:
        wrong.append(f"no end after {MOST_STOPS} stops")
    # of radio buttons of one name only the chosen one is a stop
    radios = page.evaluate(
        "() => { const all = [...document.querySelectorAll('input[type=radio]')].filter((one) => one.checkVisibility());"
        " return all.length - new Set(all.map((one) => one.name + (one.form?.id ?? ''))).size; }"
    )
    if len(seen) < page.evaluate(REACHABLE) - radios:
        wrong.append(f"{len(seen)} stops of {page.evaluate(REACHABLE) - radios}")
    return wrong


def test_every_page_is_walked_by_keyboard(world: World, visitor: NewVisitor) -> None:  # noqa: F811
    person = visitor("alice", PASSWORD)
    found = {}
    for address in addresses(world):
        person.go(address)
        wrong = walked(person.page)
        if wrong:
            found[address] = wrong
    assert found == {}


def test_the_first_stop_skips_the_menu(world: World, visitor: NewVisitor) -> None:  # noqa: F811
    person = visitor("alice", PASSWORD)
    person.go("/batches/")
    person.keys("Tab")
    assert person.page.evaluate("document.activeElement.textContent") == person.word("Skip to the content")
    person.keys("Enter", "Tab")
    assert person.page.evaluate("document.querySelector('#main').contains(document.activeElement)")


def wider_than_the_window(person: Visitor, addresses: Iterable[str]) -> str:
    """What reaches beyond the window of each page at each width; "" for nothing."""
    found = {}
    for address in addresses:
        person.go(address)
        for width in (640, 390, 320):
            person.page.set_viewport_size({"width": width, "height": 512})
            over = person.page.evaluate(WIDER)
            if over:
                found[f"{address} at {width}"] = over
    return "\n".join(f"{page}: {over}" for page, over in found.items())


def test_nothing_is_wider_than_the_window_at_200_percent(world: World, visitor: NewVisitor) -> None:  # noqa: F811
    person = visitor("alice", PASSWORD, viewport=HALF)
    assert wider_than_the_window(person, addresses(world)) == ""


def test_the_books_are_no_wider_than_the_window(world: World, visitor: NewVisitor) -> None:  # noqa: F811
    keeper = world.people[Role.FINANCE]
    keeper.set_password(PASSWORD)
    keeper.save()
    person = visitor(keeper.username, PASSWORD, viewport=HALF)
    assert wider_than_the_window(person, of_finance(world)) == ""


def test_nothing_moves_for_who_asked_for_that(world: World, visitor: NewVisitor) -> None:  # noqa: F811
    person = visitor("alice", PASSWORD)
    moving = {}
    for address in addresses(world):
        person.go(address)
        found = person.page.evaluate(MOVING)
        if found:
            moving[address] = found
    assert moving == {}
