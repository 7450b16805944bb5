"""The judge must be able to fail: every way to go wrong has its own verdict."""

from __future__ import annotations

from typing import Any

import pytest

from once_delivery.drill.judge import Call, Held
from once_delivery.drill.scenario import Letter, ProductName, items
from once_delivery.drill.verdict import Account, Facts, judge
from once_delivery.drill.wording import WHY


def held(result_id: str, *, deleted: bool = False) -> Held:
    return Held(result_id=result_id, marker="once-m", title="", created_at="", deleted=deleted)


def call(*, created: bool) -> Call:
    return Call(number=1, marker="once-m", created=created, status=201)


def facts(letter: Letter, **changes: Any) -> Facts:
    values: dict[str, Any] = {
        "letter": letter,
        "before": [] if letter == Letter.C else [held("d1")],
        "after": [held("d1")],
        "sent_before": [] if letter == Letter.C else [call(created=True)],
        "sent_after": [call(created=True)] if letter == Letter.C else [],
        "account": Account(state="confirmed", result_id="d1"),
        "can_be_recovered": True,
    }
    return Facts(**(values | changes))


PERSON = Account(state="reconcile", result_id="", owner="ops")


@pytest.mark.parametrize(
    ("case", "passed", "why"),
    [
        (facts(Letter.A), True, "original-reused"),
        (facts(Letter.A, after=[held("d1"), held("d2")]), False, "duplicate"),
        (facts(Letter.A, after=[held("d2"), held("d1", deleted=True)]), False, "deleted"),
        (facts(Letter.A, after=[held("d2")]), False, "original-gone"),
        (facts(Letter.A, after=[]), False, "original-gone"),
        (facts(Letter.A, sent_after=[call(created=False)]), False, "sent-again"),
        (facts(Letter.A, account=Account("confirmed", "d9")), False, "ledger-differs"),
        (facts(Letter.A, before=[]), False, "not-set-up"),
        (facts(Letter.B), True, "found-again"),
        (facts(Letter.B, sent_after=[call(created=False)]), True, "protected-replay"),
        (facts(Letter.B, sent_after=[call(created=True)]), False, "created-again"),
        (facts(Letter.B, after=[held("d1"), held("d2")]), False, "duplicate"),
        (facts(Letter.B, account=Account("uncertain", "")), False, "ledger-differs"),
        (facts(Letter.B, before=[], after=[held("d1")]), False, "not-set-up"),
        (facts(Letter.B, can_be_recovered=False, account=PERSON), True, "person-named"),
        (facts(Letter.B, can_be_recovered=False, account=Account("reconcile", "")), False, "nobody-told"),
        (facts(Letter.B, can_be_recovered=False), False, "nobody-told"),
        (
            facts(Letter.B, can_be_recovered=False, account=PERSON, sent_after=[call(created=False)]),
            False,
            "sent-again",
        ),
        (facts(Letter.C), True, "performed-once"),
        (facts(Letter.C, after=[]), False, "missing"),
        (facts(Letter.C, sent_after=[call(created=True), call(created=True)]), False, "created-again"),
        (facts(Letter.C, before=[held("d1")]), False, "not-set-up"),
        (facts(Letter.C, account=Account("planned", "")), False, "ledger-differs"),
    ],
)
def test_verdict(case: Facts, passed: bool, why: str) -> None:
    verdict = judge(case)

    assert (verdict.passed, verdict.why) == (passed, why)
    assert str(WHY[why])


def test_twelve_locales_of_three_products_alternate_and_keep_c_for_last() -> None:
    products = [ProductName(code, code) for code in ("kettle", "lamp", "chair")]

    made = items(products, [f"l{number}" for number in range(12)])

    letters = "".join(item.letter for item in made)
    assert letters == "AB" * 12 + "C" * 12
    assert len({(item.product, item.locale) for item in made}) == 36
