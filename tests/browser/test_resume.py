"""The ops owner's morning: a batch turned red; what is there is used, what is lost is found, the rest is made."""

from __future__ import annotations

import pytest

from once_delivery.targets.profile import Guard
from tests.browser.conftest import NewVisitor
from tests.browser.demo import Demo, actions, wait_for_states, work

pytestmark = pytest.mark.real


@pytest.mark.usefixtures("working")
def test_a_failed_batch_is_resumed_and_the_target_counted(demo: Demo, visitor: NewVisitor) -> None:
    target, judge = demo.target(Guard.LOOKUP)
    batch = demo.batch(target, "露营灯", "手冲壶", "保温杯")
    a, b, c = (action.marker for action in actions(batch))
    judge.lose_answer(b, keep_open=False)
    demo.admin.add_fault(target.name, "refuse", match={"marker": c}, status=422)
    work(batch, "confirmed", "confirmed", "refused")

    ops = visitor("ops", demo.passwords["ops"])
    ops.page.get_by_role("link", name=batch.name).first.click()
    assert ops.page.locator(".chip.is-refused").first.is_visible()
    ops.follow("Resume…")
    assert [one.inner_text() for one in ops.page.locator(".plan__n").all()] == ["2", "1"]
    ops.page.locator("form .btn--main").click()
    wait_for_states(batch, ["confirmed"] * 3)
    ops.page.reload()
    ops.sees("The delivery is complete.")
    assert ops.page.locator(".held__sum .num").inner_text() == "3"
    ops.sees("Look first, then act. Nothing has been sent for this plan.")
    assert ops.page.locator(".chip.is-refused").count() == 0

    assert sorted(one.marker for one in judge.held()) == sorted([a, b, c])
