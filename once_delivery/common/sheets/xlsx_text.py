"""Texts and number formats that the cells of a workbook refer to."""

from __future__ import annotations

import re
from typing import IO

from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format

from once_delivery.common.sheets.xlsx_xml import End, Start, events

# XML cannot hold a carriage return or a control character; spreadsheets write them as _x000D_.
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")


def unescaped(text: str) -> str:
    """The text that a person typed: ``_x000D_`` is a carriage return, ``_x005F_`` protects a real one."""
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


class TextCollector:
    """Takes the events of one ``si`` or ``is`` and knows its text: all runs, without Japanese reading aids."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._in_text = False
        self._in_aid = 0

    def take(self, event: Start | End | str) -> None:
        """The next event inside."""
        if isinstance(event, str):
            if self._in_text and not self._in_aid:
                self._pieces.append(event)
        elif event.name == "rPh":
            self._in_aid += 1 if isinstance(event, Start) else -1
        elif event.name == "t":
            self._in_text = isinstance(event, Start)

    def text(self) -> str:
        """What was collected."""
        return unescaped("".join(self._pieces))


def shared_strings(stream: IO[bytes]) -> list[str]:
    """All texts that cells refer to by number."""
    found: list[str] = []
    collector = TextCollector()
    for event in events(stream):
        if isinstance(event, Start) and event.name == "si":
            collector = TextCollector()
        elif isinstance(event, End) and event.name == "si":
            found.append(collector.text())
        else:
            collector.take(event)
    return found


def date_styles(stream: IO[bytes]) -> frozenset[int]:
    """The numbers of the cell styles that show a number as a date or time."""
    formats = dict(BUILTIN_FORMATS)
    found = []
    inside = False
    for event in events(stream):
        if isinstance(event, str):
            continue
        if event.name == "cellXfs":
            inside = isinstance(event, Start)
        elif isinstance(event, Start) and event.name == "numFmt":
            formats[int(event.attributes.get("numFmtId", "0"))] = event.attributes.get("formatCode", "")
        elif isinstance(event, Start) and event.name == "xf" and inside:
            found.append(int(event.attributes.get("numFmtId", "0")))
    # 27 to 36 and 50 to 58 are the dates of Chinese, Japanese and Korean programs
    east = {*range(27, 37), *range(50, 59)}
    return frozenset(
        index
        for index, number in enumerate(found)
        if number in east or is_date_format(formats.get(number, ""))
    )
