from __future__ import annotations

import pytest

from once_delivery.intake.columns import COLUMNS
from tests.intake.files import HEADER, ROW, csv_bytes, json_bytes, json_rows, read, row


def test_chinese_headings_in_any_order_give_the_same() -> None:
    chinese = {column.name: column.chinese for column in COLUMNS}
    header = [chinese[name] for name in reversed(HEADER)]

    found = read(csv_bytes(list(reversed(ROW)), header=header))

    assert found.deliveries == read(csv_bytes(row())).deliveries


@pytest.mark.parametrize(
    "spelling", ["Input Version", " INPUT-VERSION ", "ｉｎｐｕｔ＿ｖｅｒｓｉｏｎ", "版本", "输入 版本"]
)
def test_spellings_of_one_heading(spelling: str) -> None:
    header = [spelling if name == "input_version" else name for name in HEADER]

    found = read(csv_bytes(row(), header=header))

    assert found.codes == ({"unknown-column", "missing-column"} if spelling == "输入 版本" else set())


def test_an_unknown_heading_names_the_nearest() -> None:
    header = [*HEADER[:-1], "boddy"]

    problems = read(csv_bytes(row(), header=header)).problems

    assert [(one.row, one.column, one.code) for one in problems] == [
        (1, "H (boddy)", "unknown-column"),
        (1, None, "missing-column"),
    ]
    assert "“body”" in problems[0].message


def test_a_heading_that_is_there_twice_is_told_with_both_columns() -> None:
    problem = read(csv_bytes([*row(), "again"], header=[*HEADER, "标题"])).problems[0]

    assert (problem.code, problem.column) == ("duplicate-column", "I (标题)")
    assert "G (title)" in problem.message


def test_every_missing_column_is_told_once_and_not_again_in_each_row() -> None:
    assert [one.params["name"] for one in read(b"product,brief\nkettle,x\nlamp,y\n").problems] == [
        "locale",
        "purpose",
        "input_version",
        "target",
        "title",
        "body",
    ]


def test_free_fields_go_into_the_draft() -> None:
    header = [*HEADER, "field.excerpt", "字段.seo-title", "Field.leer"]

    found = read(csv_bytes([*row(), " kurz ", "Kessel", ""], header=header))

    payload = found.deliveries[0].actions[0].payload
    assert payload == {
        "title": "Kessel",
        "body": "<p>Ein Kessel.</p>",
        "locale": "de-DE",
        "product": "kettle",
        "purpose": "product-page",
        "excerpt": " kurz ",
        "seo-title": "Kessel",
    }


@pytest.mark.parametrize("heading", ["field.", "field.title", "field.$result", "field.a b", "字段.locale"])
def test_a_field_that_the_draft_has_already_or_that_is_no_name(heading: str) -> None:
    assert read(csv_bytes([*row(), "x"], header=[*HEADER, heading])).codes == {"bad-field-name"}


def test_keys_of_json_rows_are_headings_too() -> None:
    rows = json_rows(row(), row(locale="ja-JP"))
    rows[1]["titel"] = rows[1].pop("title")

    assert read(json_bytes(rows), "rows.json").found == [
        (None, "/titel", "unknown-column"),
        (2, "/1/title", "missing-value"),
    ]
