"""The header of a table: which column each heading means, and everything that is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext_noop

from once_delivery.common.sheets.places import Place, column_label
from once_delivery.common.sheets.problems import Problems
from once_delivery.common.sheets.sheet import Sheet
from once_delivery.intake.columns import COLUMNS, Column, column_of, field_of, looks_like_field, nearest

TWICE = gettext_noop("The column “%(name)s” is there twice: in %(first)s and in %(second)s.")
UNKNOWN = gettext_noop("“%(heading)s” is no column of a batch file. Did you mean “%(nearest)s”?")
UNKNOWN_FAR = gettext_noop(
    "“%(heading)s” is no column of a batch file. What the draft shall get besides is headed “field.name”."
)
BAD_FIELD = gettext_noop(
    "“%(heading)s” cannot name a field: letters, digits, “.”, “-” and “_” can, but not what the draft already has."
)
MISSING = gettext_noop("The column “%(name)s” (%(chinese)s) is missing.")


@dataclass(frozen=True, slots=True)
class Headings:
    """Column name → index, and field name → index."""

    columns: dict[str, int]
    fields: dict[str, int]


def read_headings(sheet: Sheet, problems: Problems) -> Headings:
    """What each heading of ``sheet`` means."""
    found = Headings(columns={}, fields={})
    for index, heading in enumerate(sheet.header):
        if heading:
            _read(sheet, index, heading, found, problems)
    for column in COLUMNS:
        if column.required and column.name not in found.columns:
            _add_missing(sheet, column, problems)
    return found


def _read(sheet: Sheet, index: int, heading: str, found: Headings, problems: Problems) -> None:
    place = sheet.header_place(index)
    column = column_of(heading)
    if column is not None:
        _keep(found.columns, column.name, index, sheet, problems)
    elif looks_like_field(heading):
        name = field_of(heading)
        if name is None:
            problems.add("bad-field-name", BAD_FIELD, place=place, heading=heading[:80])
        else:
            _keep(found.fields, name, index, sheet, problems)
    else:
        close = nearest(heading)
        template = UNKNOWN if close else UNKNOWN_FAR
        problems.add("unknown-column", template, place=place, heading=heading[:80], nearest=close)


def _keep(known: dict[str, int], name: str, index: int, sheet: Sheet, problems: Problems) -> None:
    first = known.setdefault(name, index)
    if first != index:
        problems.add(
            "duplicate-column",
            TWICE,
            place=sheet.header_place(index),
            name=name,
            first=column_label(first, sheet.header[first]),
            second=column_label(index, sheet.header[index]),
        )


def _add_missing(sheet: Sheet, column: Column, problems: Problems) -> None:
    place = Place() if sheet.pointers else Place(row=sheet.header_row)
    problems.add("missing-column", MISSING, place=place, name=column.name, chinese=column.chinese)
