from __future__ import annotations

import pytest

from tests.intake.files import csv_bytes, read, row


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_each_delimiter_gives_the_same(delimiter: str) -> None:
    rows = [row(title="a, b; c\td"), row(locale="ja-JP", body='<p class="x">二\n行</p>')]

    found = read(csv_bytes(*rows, delimiter=delimiter))

    assert found.deliveries == read(csv_bytes(*rows)).deliveries
    assert ("delimiter" in found.noted) == (delimiter != ",")
    assert found.deliveries[0].actions[0].payload["title"] == "a, b; c\td"


def test_the_delimiter_that_a_spreadsheet_names_is_taken() -> None:
    found = read(b"sep=;\r\n" + csv_bytes(row(), row(locale="nope"), delimiter=";"))

    assert found.found == [(4, "B (locale)", "unknown-locale")]


def test_quotes_and_line_breaks_stay_byte_for_byte() -> None:
    body = '  <p>"Zitat"</p>\r\n\r\n<p>e\u0301 ≠ é\u200d 👩\u200d🍳</p>\n '

    found = read(csv_bytes(row(body=body)))

    assert found.deliveries[0].actions[0].payload["body"] == body


def test_rows_are_counted_as_a_spreadsheet_counts_them() -> None:
    data = csv_bytes(row(body="one\ntwo\nthree"), [], row(locale="de_DE", purpose="x"), row(locale="nope"))

    assert read(data).found == [(5, "B (locale)", "unknown-locale")]


def test_empty_rows_are_left_out_and_said() -> None:
    found = read(b"\n" + csv_bytes(row(), [""] * 8, [" "], row(locale="fr-FR")) + b"\n\n,,,\n")

    assert [one.row for one in found.deliveries] == [3, 6]
    assert [(note.code, note.params) for note in found.notes] == [("empty-rows", {"count": 2})]


@pytest.mark.parametrize(
    ("_case", "rows", "place", "code"),
    [
        ("never closed", b'"a,de-DE,p,1,b,cms,t,b\nnext,de-DE,p,1,b,cms,t,b\n', (2, None), "broken-csv"),
        ("text after a quote", b'"a"b,de-DE,p,1,b,cms,t,b\n', (2, None), "broken-csv"),
        ("more cells than headings", b"a,de-DE,p,1,b,cms,t,b,extra\n", (2, "I"), "cell-without-heading"),
        ("too long", b"a,de-DE,p,1,b,cms,t," + b"x" * 1_000_001 + b"\n", (2, None), "cell-too-long"),
        ("nothing", b"", (None, None), "no-rows"),
    ],
)
def test_a_broken_table_is_told(_case: str, rows: bytes, place: tuple[int, str], code: str) -> None:
    assert read(csv_bytes() + rows).found == [(*place, code)]


def test_fewer_cells_than_headings_are_empty_cells() -> None:
    assert read(csv_bytes(row()[:6])).found == [
        (2, "G (title)", "missing-value"),
        (2, "H (body)", "missing-value"),
    ]


def test_what_looks_like_a_formula_is_text_in_csv() -> None:
    assert read(csv_bytes(row(title="=1+1"))).deliveries[0].actions[0].payload["title"] == "=1+1"
