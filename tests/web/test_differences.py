"""Differences by words."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from once_delivery.ui.differences import Change, plain, sides


def marked(before: str, after: str) -> tuple[str, str]:
    found = sides(before, after)
    both = [
        "".join(one.text if one.change is Change.SAME else f"[{one.text}]" for one in side)
        for side in (found.before, found.after)
    ]
    return both[0], both[1]


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("Kettle 350 ml", "Kettle 500 ml", ("Kettle [350] ml", "Kettle [500] ml")),
        ("保温杯三百毫升", "保温杯五百毫升", ("保温杯[三]百毫升", "保温杯[五]百毫升")),
        ("one", "", ("[one]", "")),
        ("same", "same", ("same", "same")),
    ],
)
def test_what_is_marked(before: str, after: str, shown: tuple[str, str]) -> None:
    assert marked(before, after) == shown


@given(st.text(max_size=60), st.text(max_size=60))
def test_nothing_is_lost_and_the_same_is_the_same(before: str, after: str) -> None:
    found = sides(before, after)
    assert "".join(one.text for one in found.before) == before
    assert "".join(one.text for one in found.after) == after
    assert "".join(one.text for one in found.before if one.change is Change.SAME) == "".join(
        one.text for one in found.after if one.change is Change.SAME
    )
    assert (found.places == 0) == (before == after)


def test_a_book_is_compared_by_its_lines_and_the_words_within() -> None:
    book = "".join(f"line {number} of the book\n" for number in range(1500))
    found = sides(book, book.replace("line 7 of", "line seven of"))
    assert found.places == 1
    assert [one.text for one in found.after if one.change is not Change.SAME] == ["seven"]
    library = book * 3
    assert sides(library, library.replace("line 7 of", "line seven of")).places == 1  # as a whole


def test_what_a_person_reads() -> None:
    assert (
        plain("<p>A&amp;B <b>bold</b></p><script>x()</script>\n<ul><li>one<li>two</ul>")
        == "A&B bold\none\ntwo"
    )


@pytest.mark.parametrize(
    "text",
    [
        "<" * 1_000_000,
        "<script" * 200_000,
        "<style>x</styl" * 100_000,
        "<p " * 300_000,
        "a b " * 400_000,
        "\n" * 500_000,
    ],
)
def test_a_text_that_no_honest_target_sends_is_read_in_time(text: str) -> None:
    begun = process_time()
    sides(plain(text), plain(f"{text} and more"))
    assert process_time() - begun < 10  # a quadratic reading takes minutes


def test_a_script_that_does_not_end_hides_the_rest() -> None:
    assert plain("<p>one</p><STYLE>p{}</style ><p>two</p><script>three<p>four") == "one\ntwo"
