"""The marketing lead's morning, by keyboard; and the client's approver, who has a link and no account."""

from __future__ import annotations

import time

import pytest

from once_delivery.ledger.models import Batch
from once_delivery.review.models import Review
from once_delivery.targets.profile import Guard
from tests.browser.conftest import NewVisitor
from tests.browser.demo import Demo, actions, work
from tests.browser.visitor import Visitor

SECONDS = 10
pytestmark = [pytest.mark.real, pytest.mark.usefixtures("working")]


def three_drafts(demo: Demo) -> Batch:
    target, _judge = demo.target(Guard.LOOKUP)
    batch = demo.batch(target, "露营灯", "手冲壶", "保温杯")
    work(batch, "confirmed", "confirmed", "confirmed")
    return batch


def stands(batch: Batch, *wanted: str) -> None:
    """What stands for each task, in its order, now or in a moment."""

    def now() -> list[str]:
        latest = {one.task_id: str(one.verdict) for one in Review.objects.order_by("pk")}
        return [latest.get(action.task_id, "") for action in actions(batch)]

    until = time.monotonic() + SECONDS
    while now() != list(wanted):
        assert time.monotonic() < until, f"{now()} instead of {list(wanted)}"
        time.sleep(0.1)


def opened(person: Visitor, batch: Batch, place: int) -> None:
    task = actions(batch)[place].task
    person.go("/review/")
    person.page.locator(f'a[href*="{task.uuid}"]').first.click()
    person.waits_for(f"/review/{task.uuid}/")


def test_back_after_changes_were_asked_for_without_a_reason(demo: Demo, visitor: NewVisitor) -> None:
    batch = three_drafts(demo)
    lead = visitor("marketing", demo.passwords["marketing"])
    opened(lead, batch, 0)
    page = f"/review/{actions(batch)[0].task.uuid}/"
    lead.keys("e")
    lead.page.locator('button[value="changes"]').click()  # nothing said why
    lead.page.locator("#why-wrong").wait_for()
    lead.page.reload()
    lead.page.locator("#why-wrong").wait_for()
    assert lead.page.locator("#why-text").is_visible()
    assert lead.is_at(page)
    lead.page.locator("#why-text").fill("The price is missing.")
    lead.page.locator('button[value="changes"]').click()
    stands(batch, "changes", "", "")
    lead.goes_back(page)
    lead.goes_back(page)
    assert lead.page.locator("#why-wrong").count() == 0
    stands(batch, "changes", "", "")


def test_accepting_sending_back_rejecting_and_undoing(demo: Demo, visitor: NewVisitor) -> None:
    batch = three_drafts(demo)
    lead = visitor("marketing", demo.passwords["marketing"])
    opened(lead, batch, 0)
    before = lead.page.url
    lead.page.set_viewport_size({"width": 1280, "height": 400})  # a draft longer than the window
    lead.keys("a")
    assert lead.page.evaluate("[document.activeElement.value, scrollY]") == ["accept-next", 0]
    lead.keys("Enter")
    lead.page.wait_for_url(lambda url: url != before)
    stands(batch, "accepted", "", "")

    lead.press("Undo")
    stands(batch, "withdrawn", "", "")

    opened(lead, batch, 1)
    lead.keys("e")
    lead.watched.meant |= {422}
    lead.page.locator('button[value="changes"]').click()  # nothing said why
    lead.page.locator("#why-wrong").wait_for()
    stands(batch, "withdrawn", "", "")
    lead.page.locator("#why-text").fill("The price is missing.")
    lead.page.locator('button[value="changes"]').click()
    stands(batch, "withdrawn", "changes", "")

    opened(lead, batch, 2)
    lead.keys("e")
    lead.page.locator("#why-text").fill("Another product.")
    lead.page.locator('button[value="rejected"]').click()
    stands(batch, "withdrawn", "changes", "rejected")


def test_many_are_accepted_and_taken_back(demo: Demo, visitor: NewVisitor) -> None:
    batch = three_drafts(demo)
    lead = visitor("marketing", demo.passwords["marketing"])
    lead.go("/review/")
    for box in lead.page.locator("[data-pick]").all():
        box.check()
    lead.press("Accept the chosen…")
    assert lead.page.locator(".plan__n").first.inner_text() == "3"
    lead.page.locator(".go form .btn--main").dblclick()  # impatient
    lead.page.locator("#run .go .btn--main").wait_for()
    stands(batch, "accepted", "accepted", "accepted")
    assert Review.objects.count() == 3
    lead.page.locator(".go form .btn").click()
    stands(batch, "withdrawn", "withdrawn", "withdrawn")


def test_a_draft_that_changed_meanwhile_is_not_accepted(demo: Demo, visitor: NewVisitor) -> None:
    batch = three_drafts(demo)
    lead = visitor("marketing", demo.passwords["marketing"])
    opened(lead, batch, 0)
    action = actions(batch)[0]
    demo.admin.edit(action.target.name, "drafts", action.result_id, body="<p>Somebody was here.</p>")
    lead.watched.meant |= {409}
    lead.page.locator('button[value="accept"]').click()
    lead.sees("Nothing was decided; what you typed is still here.")
    stands(batch, "", "", "")


def test_an_approver_decides_by_a_link(demo: Demo, visitor: NewVisitor) -> None:
    batch = three_drafts(demo)
    lead = visitor("marketing", demo.passwords["marketing"])
    opened(lead, batch, 0)
    # who has just signed in has shown who they are
    lead.page.locator("details.panel__f > summary").click()
    lead.page.locator("#approver").fill("Ms Example")
    lead.press("Make the link")
    address = lead.page.locator(".link__new [data-copy]").first.get_attribute("data-copy")
    assert address is not None
    place = address[address.index("/approve/") :]

    guest = visitor()
    guest.go(place)
    guest.page.locator('input[name="confirmed"]').check()
    guest.page.locator('button[value="accept"]').click()
    guest.sees("Your decision:")
    stands(batch, "accepted", "", "")
    guest.go("/review/")
    guest.waits_for("/sign-in/")

    lead.go(f"/review/{actions(batch)[0].task.uuid}/")
    lead.page.locator("form[action$='/revoke/'] button").click()
    lead.page.locator("form[action$='/revoke/']").wait_for(state="detached")
    guest.watched.meant |= {404, 410}
    guest.go(place)
    assert guest.page.locator('button[value="accept"]').count() == 0
