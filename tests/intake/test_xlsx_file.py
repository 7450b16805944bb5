from __future__ import annotations

import io
import zipfile
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook
from openpyxl.worksheet.formula import ArrayFormula

from once_delivery.common.sheets.limits import MEGABYTE, Limits
from tests.intake.files import HEADER, csv_bytes, member, read, repacked, row, saved, xlsx_bytes

SHEET = "xl/worksheets/sheet1.xml"
RELATIONS = "xl/_rels/workbook.xml.rels"
GOOD = xlsx_bytes(row())


def book_of(*rows: list[Any]) -> Workbook:
    book = Workbook()
    for cells in (list(HEADER), *rows):
        book.worksheets[0].append(cells)
    return book


def test_it_reads_what_csv_reads() -> None:
    rows = [row(title="😀 شاي", body="<p>\n  a &amp; b\t</p>\n"), row(locale="ja-JP", title=" x ")]

    assert read(xlsx_bytes(*rows), "a.xlsx").deliveries == read(csv_bytes(*rows)).deliveries


def test_numbers_and_dates_are_read_as_they_are_shown() -> None:
    header = [*HEADER, "approved_at"]
    rows = [
        [*row(product=1001, title=4.5), datetime(2026, 10, 20, 9, 30)],  # noqa: DTZ001
        [*row(product=1002), date(2026, 10, 20)],
    ]

    found = read(xlsx_bytes(*rows, header=header), "a.xlsx").deliveries

    assert [one.product for one in found] == ["1001", "1002"]
    assert found[0].actions[0].payload["title"] == "4.5"
    assert found[0].approved_at == datetime(2026, 10, 20, 1, 30, tzinfo=UTC)


def test_days_counted_from_1904_are_the_same_days() -> None:
    book = book_of([*row(), None])
    sheet = book.worksheets[0]
    sheet["I1"] = "approved_at"
    sheet["I2"] = date(2026, 10, 20)
    data = saved(book)
    assert b"46315" in member(data, SHEET)
    workbook = member(data, "xl/workbook.xml").replace(b"<workbookPr ", b'<workbookPr date1904="1" ')
    data = repacked(
        data, {"xl/workbook.xml": workbook, SHEET: member(data, SHEET).replace(b"46315", b"44853")}
    )

    assert read(data, "a.xlsx").deliveries[0].approved_at == datetime(2026, 10, 19, 16, tzinfo=UTC)


def test_formulas_are_refused_with_their_place() -> None:
    book = book_of(row(title="=A1&B1"), row(locale="ja-JP"))
    book.worksheets[0]["H3"] = ArrayFormula("H3", "=A1:A2")

    assert read(saved(book), "a.xlsx").found == [
        (2, "G (title)", "formula-cell"),
        (3, "H (body)", "formula-cell"),
    ]


def test_error_cells_are_refused() -> None:
    found = read(xlsx_bytes(row(title="#N/A")), "a.xlsx")

    assert found.found == [(2, "G (title)", "error-cell")]
    assert "#N/A" in found.problems[0].message


def test_merged_cells_are_refused() -> None:
    book = book_of(row(), row(locale="ja-JP"))
    book.worksheets[0].merge_cells("A2:A3")

    found = read(saved(book), "a.xlsx").found
    assert (2, "A", "merged-cells") in found


def test_of_several_sheets_the_first_that_is_shown_is_read() -> None:
    book = Workbook()
    book.worksheets[0].append(["notes"])
    book.worksheets[0].sheet_state = "hidden"
    shown = book.create_sheet("Texte")
    for cells in (HEADER, row()):
        shown.append(list(cells))
    book.create_sheet("later").append(["x"])
    book.active = 1

    found = read(saved(book), "a.xlsx")

    assert len(found.deliveries) == 1
    assert [(note.code, note.params) for note in found.notes] == [
        ("several-sheets", {"count": 3, "name": "Texte"})
    ]


def test_empty_rows_and_columns_around_are_left_out() -> None:
    book = Workbook()
    sheet = book.worksheets[0]
    for index, (title, value) in enumerate(zip(HEADER, row(), strict=True), 3):
        sheet.cell(4, index, title)
        sheet.cell(7, index, value)
    sheet.cell(900, 1, "  ")

    found = read(saved(book), "a.xlsx")

    assert [one.row for one in found.deliveries] == [7]
    assert [note.params for note in found.notes] == [{"count": 2}]


def strings(si: str) -> bytes:
    """A workbook with the title ``si`` in the list of shared strings, as spreadsheet programs write it."""
    data = xlsx_bytes(row(title="T"))
    sheet = member(data, SHEET).replace(b't="inlineStr"><is><t>T</t></is>', b't="s"><v>1</v>')
    relations = member(data, RELATIONS).replace(
        b"</Relationships>",
        b'<Relationship Id="s" Type="x/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
    )
    table = f'<sst xmlns="x"><si><t>other</t></si>{si}</sst>'.encode()
    return repacked(data, {SHEET: sheet, RELATIONS: relations, "xl/sharedStrings.xml": table})


@pytest.mark.parametrize(
    ("_case", "si", "title"),
    [
        ("carriage return", "<si><t>a_x000D_\nb</t></si>", "a\r\nb"),
        ("protected escape", "<si><t>a_x005F_x000D_b</t></si>", "a_x000D_b"),
        ("runs", "<si><r><t>a</t></r><r><rPr><b/></rPr><t xml:space='preserve'> b</t></r></si>", "a b"),
        ("reading aid", "<si><t>東京</t><rPh sb='0' eb='2'><t>とうきょう</t></rPh></si>", "東京"),
        ("entities", "<si><t>&lt;p&gt;&amp;amp;&#x1F600;</t></si>", "<p>&amp;😀"),
    ],
)
def test_texts_are_what_a_person_typed(_case: str, si: str, title: str) -> None:
    assert read(strings(si), "a.xlsx").deliveries[0].actions[0].payload["title"] == title


def test_an_escaped_nul_is_a_bad_character() -> None:
    assert read(strings("<si><t>a_x0000_b</t></si>"), "a.xlsx").found == [(2, "G (title)", "bad-character")]


@pytest.mark.parametrize(
    ("_case", "data", "code"),
    [
        ("another ZIP", repacked(GOOD, {"[Content_Types].xml": None}), "unsupported-format"),
        ("cut", GOOD[:-200], "broken-xlsx"),
        ("no sheet", repacked(GOOD, {SHEET: None}), "broken-xlsx"),
        ("no workbook", repacked(GOOD, {"xl/workbook.xml": None}), "broken-xlsx"),
        ("broken XML", repacked(GOOD, {SHEET: b"<worksheet><sheetData>"}), "broken-xlsx"),
        ("not XML", repacked(GOOD, {SHEET: b"\x00\xff"}), "broken-xlsx"),
        ("string that is not there", strings(""), "broken-xlsx"),
        ("nothing on it", xlsx_bytes(header=[]), "no-header"),
        ("old format", b"\xd0\xcf\x11\xe0" + bytes(600), "unsupported-format"),
        ("a name only", b"product,locale\n", "unsupported-format"),
    ],
)
def test_a_damaged_workbook_is_refused(_case: str, data: bytes, code: str) -> None:
    assert read(data, "a.xlsx").codes == {code}


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = repacked(GOOD, {"xl/media/image1.bin": bytes(200 * MEGABYTE)})
    assert len(bomb) < MEGABYTE

    assert read(bomb, "a.xlsx").codes == {"unpacks-too-large"}


def test_a_part_that_shrank_too_well_is_refused() -> None:
    assert read(repacked(GOOD, {SHEET: b" " * 50 * MEGABYTE}), "a.xlsx").codes == {"unpacks-too-large"}


def test_entities_are_refused() -> None:
    laughs = b'<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><worksheet>&b;</worksheet>'

    assert read(repacked(GOOD, {SHEET: laughs}), "a.xlsx").codes == {"broken-xlsx"}


def test_a_password_is_told() -> None:
    data = bytearray(GOOD)
    with zipfile.ZipFile(io.BytesIO(GOOD)) as archive:
        directory = archive.start_dir
    data[directory + 8] |= 1  # the flag of the first member in the directory

    assert "password-protected" in read(bytes(data), "a.xlsx").codes


def test_far_cells_and_many_rows_end_at_the_limits() -> None:
    book = book_of(row())
    book.worksheets[0]["XFD3"] = "far"
    assert read(saved(book), "a.xlsx").found == [(3, None, "too-many-columns")]

    many = xlsx_bytes(*[row(purpose=f"p{n}") for n in range(11)])
    assert read(many, "a.xlsx", limits=Limits(rows=10)).codes == {"too-many-rows"}


@given(st.data())
def test_no_damage_is_worse_than_a_refusal(data: st.DataObject) -> None:
    broken = bytearray(GOOD)
    for _ in range(data.draw(st.integers(1, 8))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))

    read(bytes(broken), "a.xlsx")


@given(st.binary(max_size=400))
def test_no_sheet_is_worse_than_a_refusal(inside: bytes) -> None:
    raw = member(GOOD, SHEET)
    middle = raw.index(b"</row>")

    read(repacked(GOOD, {SHEET: raw[:middle] + inside + raw[middle:]}), "a.xlsx")
