"""Reports of drills are read: on the page, in the downloaded file, on a phone, and on A4 across."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from once_delivery.drill.models import Drill, DrillStatus
from once_delivery.drill.wording import GUARDS, WHY
from once_delivery.sandbox.process import SandboxProcess
from once_delivery.vendor_drill.models import Declared, Fault, VendorDrill
from once_delivery.vendor_drill.services.declare import declare
from tests.browser.conftest import NewVisitor
from tests.browser.demo import Demo
from tests.browser.visitor import Visitor
from tests.vendor_drill.given import a_vendor, agreed, proxy_running

pytestmark = pytest.mark.real

A4_ACROSS_PX = 1016  # 297 mm less two margins of 14 mm
SCREENS = (1280, 390)
REMS = 12

# cells whose own words (no IDs, no links) are a sentence, with the width that their column has
NARROW = """
(rems) => {
  const least = rems * parseFloat(getComputedStyle(document.documentElement).fontSize);
  const found = [];
  for (const cell of document.querySelectorAll("table[class^=drill] :is(tbody, tfoot) :is(th, td)")) {
    const copy = cell.cloneNode(true);
    for (const one of copy.querySelectorAll("code, a")) one.remove();
    const text = copy.textContent.trim().replace(/\\s+/g, " ");
    const long = /[\\u4e00-\\u9fff]/.test(text) ? 14 : 30;
    const width = cell.getBoundingClientRect().width;
    if (text.length > long && width < least) found.push(`${Math.round(width)}px: ${text}`);
  }
  return found;
}
"""
# what reaches past the paper or the screen: nothing scrolls on paper; on a screen a table may, in its own region
CUT = """
(scrolls) => {
  const edge = document.documentElement.clientWidth;
  return [...document.body.querySelectorAll("*")]
    .filter((one) => one.checkVisibility() && !(scrolls && one.parentElement.closest(".drill-scroll")))
    .filter((one) => one.getBoundingClientRect().right > edge + 1)
    .map((one) => `${one.tagName}.${one.className}: ${one.textContent.trim().slice(0, 40)}`);
}
"""


@pytest.fixture
def own(demo: Demo) -> Drill:
    """A judged one with every guard and reason, IDs as long as a target's are, one item that failed."""
    reasons = sorted(WHY)
    rounds = [
        _round(guard, recoveries, reasons[place * 3 % len(reasons) :] + reasons)
        for place, (guard, recoveries) in enumerate((g, r) for g in GUARDS for r in ("one", "two"))
    ]
    return Drill.objects.create(
        project=demo.project,
        status=DrillStatus.FAILED,
        report={
            "target": "https://cms.example.com/wp-json",
            "locales": ["en-US"],
            "total": 8,
            "rounds": rounds,
        },
    )


@pytest.fixture
def vendors(demo: Demo, sandbox: SandboxProcess) -> VendorDrill:
    """A judged one in which every fault struck, once recovered well and once badly."""
    titles = ("Kettle", "Reading lamp, the landing page of autumn", "Chair", "Vase", "Desk")
    terms = agreed(5, values=titles, faults=tuple(Fault), race_s=0.5)
    with proxy_running() as proxy:
        vendor = a_vendor(demo.project, sandbox.admin, proxy.port, terms)
        for title in (*titles[:4], titles[1], *titles):
            vendor.try_create(title)
        vendor.ask("GET", f"/drafts?status=any&search={'long-' * 30}")
        declare(
            drill=vendor.drill, kind=Declared.STOPPED, item="D", name="Lin Yue", note="ticket 7", user=None
        )
        vendor.finish()
    vendor.drill.refresh_from_db()
    return vendor.drill


@pytest.fixture
def reports(own: Drill, vendors: VendorDrill) -> tuple[str, ...]:
    """Their pages."""
    return f"/drills/{own.uuid}/", f"/drills/vendors/{vendors.uuid}/"


def test_every_sentence_of_a_report_has_room_to_be_read(
    reports: tuple[str, ...], demo: Demo, visitor: NewVisitor, browser: Browser, tmp_path: Path
) -> None:
    ops = visitor("ops", demo.passwords["ops"])
    for address in reports:
        ops.go(address)
        assert ops.page.locator(".drill-table tbody tr").count() >= 5
        _is_readable(ops.page)
        file = _downloaded(ops, tmp_path)
        alone = browser.new_page()  # nothing of the house reaches a file that was sent by mail
        alone.goto(file.as_uri())
        assert alone.locator("html").get_attribute("lang") == ops.language
        _is_readable(alone)
        alone.close()


def test_every_sentence_of_a_comparison_has_room_to_be_read(
    demo: Demo, vendors: VendorDrill, visitor: NewVisitor
) -> None:
    ops = visitor("ops", demo.passwords["ops"])
    ops.go(f"/drills/vendors/compare/?drill={vendors.uuid}")
    _is_readable(ops.page)


def _downloaded(visitor: Visitor, folder: Path) -> Path:
    with visitor.page.expect_download() as download:
        visitor.follow("Download the report")
    file = folder / "report.html"
    download.value.save_as(file)
    return file


def _is_readable(page: Page) -> None:
    for width in SCREENS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(NARROW, REMS) == [], width
        assert page.evaluate(CUT, True) == [], width
    page.set_viewport_size({"width": A4_ACROSS_PX, "height": 688})
    page.emulate_media(media="print")
    assert page.evaluate(NARROW, REMS) == []
    assert page.evaluate(CUT, False) == []
    kept_whole = (
        "() => [...document.querySelectorAll('.drill-panel')].map((one) => getComputedStyle(one).breakInside)"
    )
    assert set(page.evaluate(kept_whole)) <= {"auto"}  # or the first page stands empty
    assert page.pdf(prefer_css_page_size=True).count(b"/MediaBox [0 0 841.") > 0  # A4 across
    page.emulate_media(media="screen")


def _round(guard: str, recoveries: str, reasons: list[str]) -> dict[str, Any]:
    items = []
    for letter, why in zip("ABC", reasons, strict=False):
        result = str(uuid.uuid4())
        items.append(
            {
                "letter": letter,
                "identity": f"gooseneck-kettle › en-US › drill-0333e9-{guard}-{recoveries} › v1",
                "before": [result] if letter != "C" else [],
                "sent_first": 1,
                "sent_in_recovery": 1,
                "now": [
                    {"id": one, "created_at": "", "deleted": False} for one in (result, str(uuid.uuid4()))
                ],
                "result_id": result,
                "state": "reconcile",
                "owner": "ops",
                "passed": why != "duplicate",
                "why": why,
            }
        )
    totals = {"held_before": 2, "held_now": 6, "deleted": 0, "calls_first": 3, "calls_recovery": 3}
    return {
        "guard": guard, "round": recoveries, "seconds": 12.5, "passed": False, "items": items, "totals": totals,
    }  # fmt: skip
