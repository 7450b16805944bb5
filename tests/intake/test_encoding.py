from __future__ import annotations

import codecs

import pytest

from tests.intake.files import csv_bytes, read, row

CHINESE = row(title="细嘴手冲壶", body="<p>出水稳定，慢注不断流。</p>", brief="安静、克制。")


@pytest.mark.parametrize(
    ("_case", "data", "noted"),
    [
        ("utf-8", csv_bytes(CHINESE), []),
        ("utf-8 with mark", csv_bytes(CHINESE, encoding="utf-8-sig"), []),
        ("utf-16 le", codecs.BOM_UTF16_LE + csv_bytes(CHINESE, encoding="utf-16-le"), []),
        ("utf-16 be", codecs.BOM_UTF16_BE + csv_bytes(CHINESE, encoding="utf-16-be"), []),
        ("gb18030", csv_bytes(CHINESE, encoding="gb18030"), ["encoding"]),
    ],
)
def test_a_known_encoding_is_read(_case: str, data: bytes, noted: list[str]) -> None:
    found = read(data)

    assert found.deliveries[0].actions[0].payload["title"] == "细嘴手冲壶"
    assert found.noted == noted


def test_the_note_names_the_encoding() -> None:
    note = read(csv_bytes(CHINESE, encoding="gb18030")).notes[0]

    assert "GB18030" in note.message


@pytest.mark.parametrize(
    ("_case", "data"),
    [
        ("latin-1", csv_bytes(row(title="Größe", body="<p>Für die Küche</p>"), encoding="latin-1")),
        ("big5", csv_bytes(row(title="細嘴手沖壺", body="<p>出水穩定慢注不斷流</p>"), encoding="big5")),
        (
            "shift-jis",
            csv_bytes(row(title="細口ドリップケトル", body="<p>静かに注ぐ</p>"), encoding="shift-jis"),
        ),
        ("utf-8 with a broken byte", csv_bytes(CHINESE)[:-8] + b"\xff" + csv_bytes(CHINESE)[-8:]),
        ("utf-8 cut in a character", csv_bytes(CHINESE)[: csv_bytes(CHINESE).rindex(b"</p>") - 1]),
        ("utf-8 mark, other bytes", codecs.BOM_UTF8 + csv_bytes(CHINESE, encoding="gb18030")),
        ("utf-16 mark, odd length", codecs.BOM_UTF16_LE + csv_bytes(CHINESE, encoding="utf-16-le") + b"x"),
        ("utf-16 without a mark", csv_bytes(CHINESE, encoding="utf-16-le")),
        ("utf-32", csv_bytes(CHINESE, encoding="utf-32")),
    ],
)
def test_anything_else_is_refused(_case: str, data: bytes) -> None:
    assert read(data).codes == {"wrong-encoding"}


def test_the_first_wrong_byte_is_told() -> None:
    data = b"a,b\nc,\xff\n"

    assert read(data).problems[0].params == {"line": 2, "byte": 6}
