"""A batch file with a mistake: told by row, mended, imported, and found again by its marker."""

from __future__ import annotations

from pathlib import Path

import pytest

from once_delivery.ledger.models import Batch
from once_delivery.targets.profile import Guard
from tests.browser.conftest import NewVisitor
from tests.browser.demo import Demo, actions

pytestmark = pytest.mark.real

HEADINGS = "product,locale,purpose,input_version,brief,target,title,body"


def test_a_file_with_a_mistake_is_mended_and_imported(
    demo: Demo, visitor: NewVisitor, tmp_path: Path
) -> None:
    target, _judge = demo.target(Guard.LOOKUP)
    row = f"pot,de-DE,page,{{}},short,{target.name},Topf,<p>Ein Topf</p>"
    file = tmp_path / "winter.csv"
    file.write_text(f"{HEADINGS}\n{row.format('one')}\n", encoding="utf-8")

    ops = visitor("ops", demo.passwords["ops"])
    ops.go("/batches/import/")
    ops.watched.meant |= {422}
    ops.page.locator("#file").set_input_files(file)
    ops.page.locator("form.import .btn--main").click()
    ops.sees("What is wrong")
    assert ops.page.locator(".problems tbody tr").count() == 1
    assert "input_version" in ops.page.locator(".problems tbody tr").inner_text()
    assert Batch.objects.count() == 0

    file.write_text(f"{HEADINGS}\n{row.format('1')}\n", encoding="utf-8")
    ops.follow("Send it again")
    ops.page.locator("#file").set_input_files(file)
    ops.page.locator("form.import .btn--main").click()
    ops.sees("What it would do")
    assert Batch.objects.count() == 0
    ops.page.locator("form[action$='/apply/'] .btn--main").dblclick()  # impatient
    ops.waits_for("/batches/[0-9a-f-]{36}/$")
    batch = Batch.objects.get()  # one, whatever was pressed twice
    assert ops.heading() == batch.name
    (action,) = actions(batch)

    search = ops.page.locator("input[type=search]").first
    search.fill(action.marker)
    search.press("Enter")
    ops.sees("exactly this")
    ops.page.locator("[data-row-link]").first.click()
    ops.sees_text("pot")
    assert ops.is_at(f"/tasks/{action.task.uuid}/")
