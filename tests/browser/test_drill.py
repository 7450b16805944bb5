"""A newcomer starts the drill from the page, watches it, and prints its report."""

from __future__ import annotations

import pytest

from once_delivery.drill.models import Drill, DrillStatus
from tests.browser.conftest import NewVisitor
from tests.browser.demo import Demo

pytestmark = [pytest.mark.real, pytest.mark.usefixtures("working")]

LONG_MS = 240_000


def test_a_newcomer_runs_the_drill_and_prints_its_report(demo: Demo, visitor: NewVisitor) -> None:
    ops = visitor("ops", demo.passwords["ops"])
    ops.follow("Acceptance drill")
    ops.page.locator("form[action$='/start/'] .btn--main").dblclick()  # impatient
    ops.waits_for("/drills/[0-9a-f-]{36}/")
    ops.sees("Under way")
    ops.page.wait_for_function("() => !document.querySelector('#live[hx-get]')", timeout=LONG_MS)
    drill = Drill.objects.get()  # one, whatever was pressed twice
    assert drill.status == DrillStatus.PASSED
    ops.page.reload()
    assert ops.page.locator(".drill-panel tbody tr").count() >= 8 * 3  # every guard twice, three drafts each

    ops.page.evaluate("window.print = () => { document.body.dataset.printed = 'yes' }")
    ops.page.locator("[data-print]").click()
    assert ops.page.evaluate("document.body.dataset.printed") == "yes"
    ops.page.emulate_media(media="print")
    assert not ops.page.locator(".rail").is_visible()
    assert ops.page.locator(".drill-panel").is_visible()
    assert len(ops.page.pdf()) > 10_000
    with ops.page.expect_download() as download:
        ops.page.emulate_media(media="screen")
        ops.follow("Download the report")
    assert "<table" in download.value.path().read_text(encoding="utf-8")
