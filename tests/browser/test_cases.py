"""The ops owner resolves what is uncertain: with evidence, by keyboard, and never alone where two are needed."""

from __future__ import annotations

import pytest

from once_delivery.ledger.models import Batch
from once_delivery.targets.profile import Guard
from reconciliation.models import Case
from tests.browser.conftest import NewVisitor
from tests.browser.demo import Demo, actions, wait_for_states, work
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.real, pytest.mark.usefixtures("working")]


def opened(demo: Demo, visitor: NewVisitor, case: Case, name: str = "ops") -> Visitor:
    """Signed in, and led to the case from the first page or the queue."""
    person = visitor(name, demo.passwords[name])
    person.go("/cases/")
    person.page.locator(f'a[href*="{case.uuid}"]').first.click()
    person.waits_for(f"/cases/{case.uuid}/")
    return person


def a_lost_answer(demo: Demo) -> tuple[Batch, Case, str]:
    """Made at a target without protection, and nobody heard of it; the ID that it has there."""
    target, judge = demo.target(Guard.NONE)
    batch = demo.batch(target, "露营灯")
    judge.lose_answer(actions(batch)[0].marker, keep_open=False)
    work(batch, "reconcile")
    (held,) = judge.held()
    return batch, demo.case(batch), held.result_id


def test_what_is_there_is_adopted(demo: Demo, visitor: NewVisitor) -> None:
    batch, case, result_id = a_lost_answer(demo)
    ops = opened(demo, visitor, case)
    ops.keys("m")
    ops.fill("Result ID at the target", result_id)
    ops.page.locator("#words-adopt").fill("Seen there, with our title.")
    ops.page.locator("#do-adopt").dblclick()  # impatient: still one decision
    ops.sees("Decided.")
    wait_for_states(batch, ["confirmed"])
    assert actions(batch)[0].result_id == result_id

    ops.page.go_back()
    ops.page.reload()
    assert ops.page.locator("#do-adopt").count() == 0
    ops.sees_text(result_id)


def test_not_there_takes_two_people(demo: Demo, visitor: NewVisitor) -> None:
    target, judge = demo.target(Guard.NONE)
    batch = demo.batch(target, "露营灯")
    demo.admin.add_fault(target.name, "reset_before")
    work(batch, "reconcile")
    case = demo.case(batch)

    ops = opened(demo, visitor, case)
    ops.keys("x")
    ops.page.locator("#words-absent").fill("Looked through the whole list.")
    ops.page.locator("#do-absent").click()
    ops.sees("Proposed. Those who may answer have been told.")
    assert ops.page.locator('button[name="agree"]').count() == 0
    assert judge.held() == []

    second = visitor("ops2", demo.passwords["ops2"])
    second.go("/approvals/")
    second.page.locator(f'a[href*="{case.uuid}"]').first.click()
    second.page.locator("#answer-words").fill("I do not see it either.")
    second.page.locator('button[name="agree"][value="yes"]').click()
    wait_for_states(batch, ["confirmed"])
    assert [one.marker for one in judge.held()] == [actions(batch)[0].marker]
    second.go(f"/tasks/{actions(batch)[0].task.uuid}/")
    second.sees_text(actions(batch)[0].result_id)


def test_who_only_reads_sees_the_evidence_and_no_button(demo: Demo, visitor: NewVisitor) -> None:
    _batch, case, _result_id = a_lost_answer(demo)
    for name in ("viewer", "finance"):
        reader = opened(demo, visitor, case, name)
        reader.sees("The target was not asked, or cannot be asked.")
        assert (
            reader.page.locator("form[action$='/decide/'], form[action$='/look/'], #deciding button").count()
            == 0
        )
