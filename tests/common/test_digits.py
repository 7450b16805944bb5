"""Whole numbers in addresses and forms: what is none is none, and nothing that is sent costs time or a 500."""

from __future__ import annotations

import time

import pytest

from once_delivery.common.digits import BIGINT, INTEGER, whole_number


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("7", 7), ("007", 7), ("2147483647", INTEGER), ("9223372036854775807", BIGINT)],
)
def test_digits_are_a_number(text: str, number: int) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "+7",
        "-7",
        "7 ",
        " 7",
        "7\n",
        "1_000",
        "1,000",
        "7.0",
        "1e3",
        "٣",
        "７",
        "²",
        "x",
        "0x7",
        "9223372036854775808",
    ],
)
def test_anything_else_is_none(text: str) -> None:
    assert whole_number(text) is None


def test_limits_are_part_of_the_question() -> None:
    assert whole_number("0", least=1) is None
    assert whole_number("100", most=99) is None
    assert whole_number("2147483648", most=INTEGER) is None


def test_a_million_digits_cost_nothing() -> None:
    began = time.monotonic()
    assert whole_number("9" * 1_000_000) is None
    assert whole_number("0" * 1_000_000 + "7") == 7
    assert time.monotonic() - began < 1
