from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from billing.exports.cells import as_text
from billing.reports.columns import Kind
from once_delivery.common.sheets.formulas import guarded


@pytest.mark.parametrize(
    "text",
    [
        "=cmd",
        "-2+3",
        "+1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        "＝1+1",
        "＋1",
        "－1",
        "＠A1",
        " =1+1",
        "\u200b=1",
        "\ufeff=1",
        "\u00a0-1",
        "{=1}",
    ],
)
def test_what_may_become_a_formula_gets_an_apostrophe(text: str) -> None:
    assert guarded(text) == f"'{text}"


@pytest.mark.parametrize(
    "text", ["集成图", "", "a=b", "AST-1", "'quoted", "1+1", "{}", '{"a": 1}', " text", "…"]
)
def test_other_texts_stay(text: str) -> None:
    assert guarded(text) == text


@given(st.text(max_size=20))
def test_no_text_begins_like_a_formula_and_none_is_lost(text: str) -> None:
    safe = guarded(text)
    assert safe in {text, f"'{text}"}
    assert not safe.lstrip(" \u00a0\u200b\ufeff").startswith(
        ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
    )


@pytest.mark.parametrize(
    ("cell", "kind", "text"),
    [
        (Decimal("-28.490000"), Kind.MONEY, "-28.49"),
        (Decimal("1234567.5"), Kind.MONEY, "1234567.50"),
        (Decimal("-0.000000"), Kind.MONEY, "0.00"),
        (Decimal("1E+3"), Kind.MONEY, "1000.00"),
        (Decimal("0.000001000000"), Kind.NUMBER, "0.000001"),
        (Decimal("7.1234000000"), Kind.NUMBER, "7.1234"),
        (Decimal(100), Kind.NUMBER, "100"),
        (-1, Kind.NUMBER, "-1"),
        (None, Kind.MONEY, ""),
        (date(2026, 9, 1), Kind.DATE, "2026-09-01"),
        (datetime(2026, 9, 1, 8, tzinfo=timezone(timedelta(hours=8))), Kind.INSTANT, "2026-09-01T00:00:00Z"),
        (datetime(2026, 9, 1, 8, tzinfo=UTC), Kind.INSTANT, "2026-09-01T08:00:00Z"),
        ("-28.49", Kind.TEXT, "'-28.49"),
    ],
)
def test_numbers_are_plain_and_days_are_iso(cell: object, kind: Kind, text: str) -> None:
    assert as_text(cell, kind, 2) == text  # type: ignore[arg-type]
