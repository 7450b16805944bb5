"""What changed, word by word or character by character; joined, the pieces are both texts."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from once_delivery.ui.differences import Change, differences, pieces_of


def marked(before: str, after: str) -> str:
    signs = {Change.SAME: "{}", Change.ADDED: "+[{}]", Change.REMOVED: "-[{}]"}
    return "".join(signs[piece.change].format(piece.text) for piece in pieces_of(before, after))


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("", "", ""),
        ("same", "same", "same"),
        ("", "new", "+[new]"),
        ("old", "", "-[old]"),
        ("the best jet", "the narrow jet", "the -[best]+[narrow] jet"),
        ("pours the best jet", "pours a narrow jet", "pours -[the best]+[a narrow] jet"),
        ("Don't go", "Don’t go", "-[Don't]+[Don’t] go"),
        ("三年保修", "两年保修", "-[三]+[两]年保修"),
        ("保温8小时。", "保温12小时。", "保温-[8]+[12]小时。"),
        ("三年の保証", "二年の保証", "-[三]+[二]年の保証"),
        ("one\ntwo\nthree", "one\n2\nthree", "one\n-[two]+[2]\nthree"),
        ("one\nthree", "one\ntwo\nthree", "one\n+[two\n]three"),
    ],
)
def test_pieces(before: str, after: str, shown: str) -> None:
    assert marked(before, after) == shown


@given(st.text("ab c\n三年。", max_size=60), st.text("ab c\n三年。", max_size=60))
def test_the_pieces_are_both_texts(before: str, after: str) -> None:
    pieces = pieces_of(before, after)
    assert "".join(piece.text for piece in pieces if piece.change is not Change.ADDED) == before
    assert "".join(piece.text for piece in pieces if piece.change is not Change.REMOVED) == after


def test_fields_that_come_and_go_are_shown() -> None:
    found = differences({"title": "A", "teaser": "three words here"}, {"title": "A", "body": "两年 warranty"})
    assert [(one.name, one.added, one.removed, one.changed) for one in found] == [
        ("title", 0, 0, False),
        ("body", 3, 0, True),
        ("teaser", 0, 3, True),
    ]


def test_a_long_text_is_compared_in_a_moment() -> None:
    before, after = (" ".join(f"{word}{number}" for number in range(40_000)) for word in ("a", "b"))
    began = time.perf_counter()
    assert [piece.change for piece in pieces_of(before, after)] == [Change.REMOVED, Change.ADDED]
    assert time.perf_counter() - began < 2
