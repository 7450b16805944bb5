"""The verdict from plain facts: what no workflow in these tests does, and what must not pass by chance."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from once_delivery.vendor_drill.evidence import Facts, Held, ItemFacts, Said
from once_delivery.vendor_drill.items import Item
from once_delivery.vendor_drill.judging import judge
from once_delivery.vendor_drill.models import Fault
from once_delivery.vendor_drill.record import CallFact
from once_delivery.vendor_drill.wording import NOTES, WHY

NOW = datetime(2026, 11, 30, tzinfo=UTC)
LOST, LATE, TWO, BEFORE = Fault.ANSWER_LOST, Fault.SLOW_COMMIT, Fault.TWO_AT_ONCE, Fault.ERROR_BEFORE
ONE = (Held("1", "Lamp", "", "draft", trashed=False),)
TRASHED = Held("0", "Lamp", "", "trash", trashed=True)


def call(number: int, status: int | None = 201, **more: Any) -> CallFact:
    values: dict[str, Any] = {
        "method": "POST",
        "path": "/drafts",
        "item": "B",
        "creates": True,
        "fault": "",
        "body_sha256": "",
        "ended": True,
        "status": status,
        "given": status,
        "names": ("1",) if status == 201 else (),
        **more,
    }
    return CallFact(number=number, at=NOW, **values)


def lost(number: int = 1, status: int | None = 201, fault: str = LOST, **more: Any) -> CallFact:
    return call(number, status, **{"fault": fault, "given": None, **more})


def read(number: int) -> CallFact:
    return call(number, 200, method="GET", creates=False, item="", shows="B")


@pytest.mark.parametrize(
    ("fault", "calls", "more", "passed", "why"),
    [
        (None, [call(1)], {}, True, "created-once"),
        (None, [call(1, 401), call(2)], {}, True, "created-once"),  # nothing was made by the first
        (None, [call(1), call(2, 409)], {}, True, "sent-again"),
        (None, [call(1), call(2, 500)], {}, True, "sent-again"),
        (None, [call(1)], {"held": (*ONE, TRASHED)}, False, "recreated"),
        (None, [call(1)], {"held": (TRASHED,)}, False, "deleted"),
        (None, [], {"held": ()}, False, "missing"),
        (LOST, [lost(), read(2)], {}, True, "found-again"),
        (LOST, [read(1), lost(2)], {}, False, "left-unknown"),  # asked before, not after
        (LOST, [lost(), call(2)], {}, True, "sent-again"),  # an idempotency key, say: the same ID again
        (LOST, [lost(status=401), call(2)], {}, False, "not-struck"),  # nothing was made that could be lost
        (LOST, [lost(status=None, note="cut-short"), call(2)], {}, False, "not-struck"),
        (LOST, [call(1)], {}, False, "not-struck"),
        (LOST, [lost()], {"said": (Said("second_run", "Lin", ""),)}, False, "left-unknown"),
        (LOST, [lost()], {"said": (Said("stopped", "Lin", ""),)}, True, "stopped"),
        (LOST, [lost()], {"said": (Said("stopped", "Lin", ""),), "held": ONE * 2}, False, "duplicate"),
        (LATE, [lost(fault=LATE, given=201)], {}, True, "waited"),
        (LATE, [lost(fault=LATE), read(2)], {}, True, "found-again"),
        (BEFORE, [lost(status=None, fault=BEFORE, given=500, note="not-forwarded"), call(2)], {}, True, "created-once"),
        (TWO, [lost(fault=TWO, note="raced"), call(2, 409, note="raced")], {}, True, "race-safe"),
        (TWO, [lost(status=401, fault=TWO, note="raced"), call(2, 401, note="raced"), call(3)], {}, False, "not-struck"),
        (TWO, [lost(fault=TWO, note="raced"), call(2, note="raced")], {"held": ONE * 2}, False, "not-race-safe"),
        (TWO, [lost(fault=TWO, note="raced caller-gone"), call(2, note="raced")], {"held": ONE * 2}, False, "not-race-safe"),
        (TWO, [lost(fault=TWO, note="raced cut-short"), call(2, 201, note="raced")], {}, True, "race-safe"),
        (TWO, [lost(fault=TWO, note="raced"), call(2, None, note="raced unreachable")], {}, False, "not-struck"),
        (TWO, [lost(fault=TWO, note="no-second"), call(2)], {"held": ONE * 2}, False, "duplicate"),
        (TWO, [lost(fault=TWO, note="no-second")], {}, False, "not-raced"),
        (TWO, [lost(fault=TWO, note="no-second")], {"said": (Said("second_run", "Lin", ""),)}, True, "only-one-asked"),
    ],
)  # fmt: skip
def test_one_item(
    fault: Fault | None, calls: list[CallFact], more: dict[str, Any], passed: bool, why: str
) -> None:
    values: dict[str, Any] = {"held": ONE, "made": (), "gone": (), "deleted_by": (), **more}
    facts = ItemFacts(
        item=Item("B", "Lamp", fault),
        calls=[one for one in calls if one.item],
        reads=[one for one in calls if one.is_read],
        **values,
    )
    verdict, _ = judge(Facts([facts], (), (), 0, 1))
    assert (verdict.passed, verdict.why) == (passed, why)


def test_everything_that_can_be_said_has_words() -> None:
    for words in (*WHY.values(), *NOTES.values()):
        assert "%(" not in str(words)
