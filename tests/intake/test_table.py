"""Rows that belong together, and files with many problems."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from once_delivery.common.sheets.limits import Limits
from tests.intake.files import HEADER, csv_bytes, json_bytes, json_rows, read, row, xlsx_bytes

SHARED = (*HEADER, "product_name", "approved_by", "approved_at")


def shared(name: Any = "", by: Any = "", at: Any = "", **changes: Any) -> list[Any]:
    return [*row(**changes), name, by, at]


def test_what_one_row_says_of_a_version_holds_for_all_its_rows() -> None:
    rows = [
        shared(brief="", locale="ar"),
        shared("Kessel", "marketing", "2026-09-18", brief="Ruhig."),
        shared("Kessel", "", "2026-09-18 00:00", brief="", locale="ja-JP"),
    ]

    found = read(csv_bytes(*rows, header=SHARED)).deliveries

    assert {(one.product_name, one.brief and one.brief["text"], one.approved_by) for one in found} == {
        ("Kessel", "Ruhig.", "marketing")
    }
    assert len({one.approved_at for one in found}) == 1


def test_without_a_brief_the_version_must_exist() -> None:
    assert read(csv_bytes(row(brief=""))).deliveries[0].brief is None


@pytest.mark.parametrize(
    ("name", "place", "first", "second"),
    [
        ("brief", "E (brief)", shared(), shared(brief="Laut.", locale="ar")),
        ("brief", "E (brief)", shared(brief='{"a": 1}'), shared(brief='{"a": true}', locale="ar")),
        ("product_name", "I (product_name)", shared("Kessel"), shared("Topf", locale="ar", input_version=2)),
        ("approved_by", "J (approved_by)", shared(by="a"), shared(by="b", locale="ar")),
        ("approved_at", "K (approved_at)", shared(at="2026-09-18"), shared(at="2026-09-19", locale="ar")),
    ],
    ids=str,
)
def test_rows_that_differ_about_what_they_share(
    name: str, place: str, first: list[Any], second: list[Any]
) -> None:
    found = read(csv_bytes(first, second, header=SHARED))

    assert found.found == [(3, place, "rows-differ")]
    assert (found.problems[0].params["first"], found.problems[0].params["second"]) == (2, 3)
    assert found.problems[0].params["name"] == name


def test_another_version_has_another_brief() -> None:
    assert read(csv_bytes(row(), row(brief="Laut.", input_version=2))).problems == ()


def test_the_same_row_again_is_a_repeat() -> None:
    found = read(csv_bytes(row(), row(product="KETTLE", locale="de_DE", brief=""), row()))

    assert len(found.deliveries) == 3
    assert [(note.code, note.params) for note in found.notes] == [("repeated-rows", {"count": 2})]


@pytest.mark.parametrize(
    ("name", "value", "place"), [("title", "Kessel ", "G (title)"), ("body", "<p></p>", "H (body)")]
)
def test_the_same_task_with_other_content_names_both_rows(name: str, value: str, place: str) -> None:
    found = read(csv_bytes(row(), row(locale="ar"), row(locale="de_DE", **{name: value})))

    assert found.found == [(4, place, "row-twice")]
    assert (found.problems[0].params["first"], found.problems[0].params["second"]) == (2, 4)


def test_the_same_task_at_another_target_is_no_repeat() -> None:
    found = read(csv_bytes(row(), row(target="shop", title="Other")))

    assert (len(found.deliveries), found.notes) == (2, ())


def test_every_problem_is_told_in_the_order_of_the_rows() -> None:
    rows = [row(locale="nope", input_version="1.5"), row(title=""), row(purpose="x", brief="Laut.")]

    assert read(csv_bytes(*rows)).found == [
        (2, "B (locale)", "unknown-locale"),
        (2, "D (input_version)", "bad-number"),
        (3, "G (title)", "missing-value"),
        (4, "E (brief)", "rows-differ"),
    ]


def test_more_than_can_be_listed_are_counted() -> None:
    found = read(csv_bytes(*[row(locale="nope", purpose=f"p{n}") for n in range(300)]))

    assert (len(found.problems), found.count) == (201, 300)
    assert (found.problems[-1].code, found.problems[-1].params) == ("more-problems", {"more": 100})


@pytest.mark.parametrize(
    ("_case", "data", "name", "code"),
    [
        ("nothing", b"", "a.csv", "file-empty"),
        ("mark only", b"\xef\xbb\xbf", "a.csv", "no-header"),
        ("blanks", b" \n\n,,\n", "a.csv", "no-header"),
        ("too large", b"a" * 1001, "a.csv", "file-too-large"),
        ("pdf", b"%PDF-1.7", "a.csv", "unsupported-format"),
        ("gzip", b"\x1f\x8b\x08" + bytes(20), "a.csv.gz", "unsupported-format"),
        ("picture", b"\x89PNG\r\n\x1a\n", "a.csv", "unsupported-format"),
        ("too wide", csv_bytes(header=["x"] * 201), "a.csv", "too-many-columns"),
        ("blank name", json_bytes({"batch": "\u200b", "deliveries": []}), "a.json", "empty-value"),
    ],
)
def test_files_that_are_no_batch(_case: str, data: bytes, name: str, code: str) -> None:
    assert code in read(data, name, limits=Limits(file_bytes=1000)).codes


def test_the_content_decides_and_not_the_name() -> None:
    expected = read(csv_bytes(row())).deliveries

    for data, name in ((xlsx_bytes(row()), "a.csv"), (json_bytes(json_rows(row())), "a.csv")):
        found = read(data, name)
        assert [one.actions for one in found.deliveries] == [one.actions for one in expected]
        assert found.noted == ["other-format"]
    assert read(csv_bytes(row()), "upload").deliveries == expected


def test_what_a_file_holds_cannot_break_the_words_about_it() -> None:
    evil = "\x1b[2J%(x)s %s {0} <script>\ud800"

    for problem in read(json_bytes_escaped({evil: 1, "deliveries": [{evil: evil}]}), "a.json").problems:
        assert "\x1b" not in problem.message + str(problem.pointer)
        (problem.message + str(problem.pointer)).encode()


def json_bytes_escaped(document: Any) -> bytes:
    import json

    return json.dumps(document).encode()


@given(st.binary(max_size=600), st.sampled_from(["a.csv", "a.json", "a.xlsx", "a"]))
def test_no_bytes_are_worse_than_a_refusal(data: bytes, name: str) -> None:
    read(data, name)


@given(st.lists(st.lists(st.text(max_size=12), min_size=8, max_size=9), min_size=1, max_size=4))
def test_no_cells_are_worse_than_a_refusal(rows: list[list[str]]) -> None:
    read("\n".join([",".join(HEADER), *(",".join(cells) for cells in rows)]).encode("utf-8", "surrogatepass"))
    read(json_bytes_escaped([dict(zip(HEADER, cells, strict=False)) for cells in rows]), "a.json")


@pytest.mark.parametrize("kind", ["csv", "xlsx", "json"])
def test_ten_thousand_rows_are_read_in_five_seconds(kind: str) -> None:
    rows = [
        row(product=f"p{n % 50}", purpose=f"page-{n}", body="<p>Lorem ipsum</p>" * 40) for n in range(10_000)
    ]
    make: dict[str, Any] = {
        "csv": csv_bytes,
        "xlsx": xlsx_bytes,
        "json": lambda *r: json_bytes(json_rows(*r)),
    }
    data = make[kind](*rows)

    begun = time.process_time()
    found = read(data, f"a.{kind}")
    took = time.process_time() - begun

    assert len(found.deliveries) == 10_000
    assert took < 5


def test_a_million_rows_end_soon() -> None:
    data = csv_bytes(row(brief="")) + b"p,de-DE,x,1,,cms,t,b\n" * 900_000
    assert len(data) < Limits().file_bytes

    begun = time.process_time()
    found = read(data)
    took = time.process_time() - begun

    assert found.codes == {"too-many-rows"}
    assert took < 5
