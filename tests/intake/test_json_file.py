from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from once_delivery.common.sheets.limits import Limits
from tests.intake.files import csv_bytes, json_bytes, json_rows, read, row


def test_an_array_of_rows_gives_what_a_table_gives() -> None:
    rows = [row(), row(locale="ja-JP", title="ケトル")]

    found = read(json_bytes(json_rows(*rows)), "a.json")

    actions = [one.actions for one in found.deliveries]
    assert actions == [one.actions for one in read(csv_bytes(*rows)).deliveries]


def test_a_brief_may_be_an_object() -> None:
    found = read(json_bytes(json_rows(row(brief={"Ton": ["ruhig"]}))), "a.json")

    assert found.deliveries[0].brief == {"Ton": ["ruhig"]}


@pytest.mark.parametrize(
    ("_case", "text", "place", "code"),
    [
        ("broken", '{\n  "deliveries": [,]\n}', None, "broken-json"),
        ("cut", '{"deliveries": [', None, "broken-json"),
        ("two documents", "{} {}", None, "broken-json"),
        ("single quotes", "{'a': 1}", None, "broken-json"),
        ("key twice", '{"deliveries": [{"a/b": {"x": 1, "x": 2}}]}', "/deliveries/0/a~1b", "key-twice"),
        ("NaN", '[{"title": NaN}]', "/0/title", "bad-number"),
        ("infinity", '[{"title": 1e999}]', "/0/title", "bad-number"),
        ("loses digits", '[{"title": 9007199254740993}]', "/0/title", "bad-number"),
        ("many digits", '[{"title": ' + "9" * 10_000 + "}]", "/0/title", "bad-number"),
        ("NUL", '[{"title": "a\\u0000"}]', "/0/title", "bad-character"),
        ("half a pair", '[{"title": "\\ud800"}]', "/0/title", "bad-character"),
        ("NUL in a key", '[{"a\\u0000": 1}]', "/0/a\ufffd", "bad-character"),
        ("no batch", '"deliveries"', None, "broken-json"),
        ("a number", "5", None, "not-a-batch"),
        ("no rows", "[]", None, "no-rows"),
        ("no objects", "[1]", "/0", "not-a-row"),
        ("empty object", "{}", "", "missing-key"),
    ],
)
def test_what_is_wrong_with_the_json_itself(_case: str, text: str, place: str | None, code: str) -> None:
    found = read(text.encode(), "a.json")

    if _case == "no batch":
        code = "not-a-batch"
    assert [(one.pointer, one.code) for one in found.problems] == [(place, code)]


def test_broken_json_names_line_and_column() -> None:
    assert read(b'{\n  "deliveries": [,]\n}', "a.json").problems[0].params == {"line": 2, "column": 18}


@pytest.mark.parametrize("text", ["[" * 60 + "]" * 60, "[" * 200_000, '{"a":' * 100_000], ids=len)
def test_deep_nesting_ends(text: str) -> None:
    assert read(text.encode(), "a.json").codes == {"too-deep"}


def test_too_many_rows_end() -> None:
    rows = json_rows(*[row(purpose=f"p{n}") for n in range(11)])

    assert read(json_bytes(rows), "a.json", limits=Limits(rows=10)).codes == {"too-many-rows"}
    assert read(json_bytes({"deliveries": rows}), "a.json", limits=Limits(rows=10)).codes == {"too-many-rows"}


def test_values_that_no_cell_can_hold() -> None:
    rows = json_rows(row(title=["x"], body={"a": 1}, input_version=True))

    assert read(json_bytes(rows), "a.json").found == [
        (1, "/0/input_version", "bad-number"),
        (1, "/0/title", "not-text"),
        (1, "/0/body", "not-text"),
    ]


Json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@given(Json)
def test_no_json_is_worse_than_a_refusal(document: Any) -> None:
    read(json_bytes_of_anything(document), "a.json")
    read(json_bytes_of_anything({"deliveries": [document]}), "a.json")
    read(json_bytes_of_anything([{"product": document, "brief": document, "title": document}]), "a.json")


def json_bytes_of_anything(document: Any) -> bytes:
    import json

    return json.dumps(document).encode()
