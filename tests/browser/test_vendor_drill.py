"""An ops owner puts a vendor to the test: agrees, hands over the address, follows it live, lets it declare, finishes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from once_delivery.sandbox.process import SandboxProcess
from once_delivery.vendor_drill.models import VendorDrill
from tests.browser.axe import barriers
from tests.browser.conftest import NewVisitor
from tests.browser.demo import Demo
from tests.vendor_drill.given import TITLES, Running, Vendor, proxy_running

pytestmark = [pytest.mark.real, pytest.mark.usefixtures("working")]

LONG_MS = 60_000


@pytest.fixture
def proxy(
    transactional_db: None, sandbox: SandboxProcess, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Running]:
    monkeypatch.setenv("ONCE_SANDBOX_URL", sandbox.base_url)
    monkeypatch.setenv("ONCE_SANDBOX_ADMIN_TOKEN", sandbox.admin_token)
    with proxy_running() as running:
        yield running


def test_a_vendor_is_put_to_the_test(
    demo: Demo, visitor: NewVisitor, proxy: Running, sandbox: SandboxProcess
) -> None:
    ops = visitor("ops", demo.passwords["ops"], bypass_csp=True)  # lets axe in
    ops.follow("Acceptance drill")
    ops.follow("Any vendor")
    ops.follow("New vendor drill")
    assert barriers(ops.page) == []
    ops.fill("Vendor", "Acme Flows")
    ops.fill("What it holds, one line for each item", "\n".join(TITLES[:3]))
    ops.press("Count the target and begin")
    ops.waits_for("/drills/vendors/[0-9a-f-]{36}/")
    base_url, token = ops.page.locator(".once-only code").all_inner_texts()
    ops.page.wait_for_selector("section[aria-labelledby=now] .is-sending", timeout=LONG_MS)  # open
    assert barriers(ops.page) == []

    drill = VendorDrill.objects.get()
    vendor = Vendor(drill, urlsplit(base_url).path.strip("/"), token, proxy.port, sandbox.admin, drill.target)
    for title in ("Kettle", "Lamp", "Lamp", "Chair"):
        vendor.try_create(title)
    ops.sees("has struck: recover with your own means now")  # by itself
    ops.page.reload()  # the address is not shown again
    assert ops.page.locator(".once-only").count() == 0
    ops.fill("Name of who says so", "Lin Yue")
    ops.press("Declare it")
    ops.sees_text("Lin Yue")
    ops.press("Finish and count")
    ops.page.wait_for_selector(".drill-answer", timeout=LONG_MS)
    ops.sees("The target holds more than one.")
    assert "Lamp" in ops.page.locator(".drill-table tr", has_text=re.compile("Lamp")).inner_text()
    assert barriers(ops.page) == []
    with ops.page.expect_download() as download:
        ops.follow("Download the report")
    assert "<table" in download.value.path().read_text(encoding="utf-8")

    ops.go("/drills/vendors/")
    ops.page.locator("input[name=drill]").check()
    ops.press("Compare those that are ticked")
    ops.sees("Vendors compared")
    assert barriers(ops.page) == []
