from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest

from once_delivery.common.sheets.cells import CellError, text_of, time_of
from once_delivery.intake import cells
from tests.intake.files import SHANGHAI, csv_bytes, read, row


@pytest.mark.parametrize("cell", [2, 2.0, "2", " 2 ", "2.0", "2.000", "+2", "２"], ids=repr)
def test_a_whole_number(cell: Any) -> None:
    assert cells.whole_number_of(cell) == 2


@pytest.mark.parametrize(
    "cell",
    [1.5, "1.5", "1,0", "two", "v2", "0", 0, -1, "-1", "1e3", True, "", "²", 2**31, "9" * 5000],
    ids=repr,
)
def test_no_whole_number(cell: Any) -> None:
    with pytest.raises(CellError) as caught:
        cells.whole_number_of(cell)
    assert caught.value.code == "bad-number"


@pytest.mark.parametrize(
    "cell",
    [
        "2026-10-20T09:30:00+08:00",
        "2026-10-20T01:30:00Z",
        "2026-10-20 09:30",
        "2026/10/20 09:30:00",
        "2026年10月20日 09:30",
        "２０２６-10-20 09:30",
        datetime(2026, 10, 20, 9, 30),  # noqa: DTZ001
        datetime(2026, 10, 20, 1, 30, tzinfo=UTC),
    ],
    ids=repr,
)
def test_a_point_in_time(cell: Any) -> None:
    assert time_of(cell, SHANGHAI) == datetime(2026, 10, 20, 1, 30, tzinfo=UTC)


def test_no_offset_of_others_goes_on() -> None:
    found = time_of("2026-10-20T00:00:00+23:59", SHANGHAI)
    assert (found, found.utcoffset()) == (datetime(2026, 10, 19, 0, 1, tzinfo=UTC), timedelta())


@pytest.mark.parametrize("cell", ["2026-10-20", "2026.10.20", date(2026, 10, 20)], ids=repr)
def test_a_day_begins_at_midnight_where_the_project_works(cell: Any) -> None:
    assert time_of(cell, SHANGHAI) == datetime(2026, 10, 20, tzinfo=SHANGHAI)


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("20.10.2026", "bad-time"),
        ("10/11/2026", "bad-time"),
        ("2026-02-30", "bad-time"),
        ("2026-10-20 25:00", "bad-time"),
        ("yesterday", "bad-time"),
        ("0001-01-01", "bad-time"),
        ("1969-12-31", "bad-time"),
        ("2200-01-02", "bad-time"),
        ("9999-12-31T23:59:59-10:00", "bad-time"),
        (date(1, 1, 1), "bad-time"),
        (datetime(9999, 12, 31, tzinfo=UTC), "bad-time"),
        (time(9, 30), "bad-time"),
        (timedelta(days=1), "bad-time"),
        (True, "bad-time"),
        (46315, "date-as-number"),
        ("46315", "date-as-number"),
        (46315.5, "date-as-number"),
    ],
    ids=repr,
)
def test_no_point_in_time(cell: Any, code: str) -> None:
    with pytest.raises(CellError) as caught:
        time_of(cell, SHANGHAI)
    assert caught.value.code == code


def test_a_date_that_came_as_a_number_is_shown_as_the_date_it_would_be() -> None:
    with pytest.raises(CellError) as caught:
        time_of(46315, SHANGHAI)
    assert caught.value.params == {"value": "46315", "date": "2026-10-20"}


@pytest.mark.parametrize(
    ("cell", "text"),
    [("  a ", "  a "), (5, "5"), (5.0, "5"), (4.25, "4.25"), (True, "TRUE"), (0, "0")],
    ids=repr,
)
def test_text(cell: Any, text: str) -> None:
    assert text_of(cell) == text


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("a\x00b", "bad-character"),
        ("a\x1bb", "bad-character"),
        ("a\x85b", "bad-character"),
        ("a\ud800b", "bad-character"),
        (date(2026, 4, 3), "date-in-text"),
        (timedelta(hours=3), "date-in-text"),
        (1234567890123456, "digits-lost"),
        (1.5e300, "digits-lost"),
        ([1], "not-text"),
    ],
    ids=repr,
)
def test_no_text(cell: Any, code: str) -> None:
    with pytest.raises(CellError) as caught:
        text_of(cell)
    assert caught.value.code == code


def test_a_code_that_a_spreadsheet_has_rounded_is_told() -> None:
    assert read(csv_bytes(row(product="6.90123E+12"))).found == [(2, "A (product)", "digits-lost")]


@pytest.mark.parametrize(
    ("cell", "brief"),
    [
        ("Ruhig.", {"text": "Ruhig."}),
        (" Ruhig.\n", {"text": " Ruhig.\n"}),
        ('{"Ton": "ruhig", "n": 1}', {"Ton": "ruhig", "n": 1}),
        ({"Ton": ["ruhig"]}, {"Ton": ["ruhig"]}),
        (5, {"text": "5"}),
    ],
    ids=repr,
)
def test_a_brief(cell: Any, brief: dict[str, Any]) -> None:
    assert cells.brief_of(cell) == brief


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ('{"Ton": ruhig}', "bad-brief"),
        ("{}", "bad-brief"),
        ('{"a": 1, "a": 2}', "key-twice"),
        ('{"a": NaN}', "bad-number"),
        ('{"a": 12345678901234567890}', "bad-number"),
        ('{"a": "\\u0000"}', "bad-character"),
        ('{"a":' * 60 + "1" + "}" * 60, "too-deep"),
        ('{"a":' * 5000 + "1" + "}" * 5000, "too-deep"),
    ],
    ids=repr,
)
def test_no_brief(cell: str, code: str) -> None:
    with pytest.raises(CellError) as caught:
        cells.brief_of(cell)
    assert caught.value.code == code


def test_an_identity_is_in_canonical_form() -> None:
    delivery = read(csv_bytes(row(product=" Kettle ", locale="DE_de", purpose="Product-Page"))).deliveries[0]

    assert (delivery.product, delivery.locale, delivery.purpose) == ("kettle", "de-DE", "product-page")


@pytest.mark.parametrize(
    ("name", "value", "place", "code"),
    [
        ("locale", "english", "B (locale)", "unknown-locale"),
        ("locale", "x-" + "-".join(["abcdefgh"] * 5), "B (locale)", "unknown-locale"),
        ("product", "a\x07b", "A (product)", "bad-character"),
        ("product", "p" * 101, "A (product)", "bad-identity"),
        ("purpose", "\u200b", "C (purpose)", "bad-identity"),
        ("body", "a\x00", "H (body)", "bad-character"),
        ("target", " ", "F (target)", "missing-value"),
    ],
    ids=repr,
)
def test_a_wrong_cell_is_told_at_its_place(name: str, value: str, place: str, code: str) -> None:
    assert read(csv_bytes(row(**{name: value}))).found == [(2, place, code)]
