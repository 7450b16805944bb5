"""Which column of a table is which field: as the supplier's mapping says, else as the headings are commonly called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_noop

from billing.suppliers.fields import BY_NAME, FIELDS, field_of, nearest, normal
from once_delivery.common.sheets.places import Place
from once_delivery.common.sheets.problems import Problems
from once_delivery.common.sheets.sheet import Sheet

IGNORED = "ignored"  # in a mapping: the headings that mean nothing to us

UNKNOWN = gettext_noop("“%(heading)s” is no known column. Did you mean “%(nearest)s”?")
UNKNOWN_FAR = gettext_noop(
    "“%(heading)s” is no known column. Say in the supplier's mapping what it is, or that it is ignored."
)
TWICE = gettext_noop("The column “%(name)s” is there twice.")
MISSING = gettext_noop("The column “%(name)s” is missing.")
NO_FIELD = gettext_noop("“%(name)s” is no field of a line.")

Columns = Mapping[str, int]


def fixed_columns(
    sheet: Sheet, names: Mapping[str, tuple[str, ...]], needed: tuple[str, ...], problems: Problems
) -> Columns:
    """Field → index where ``names`` tell the columns of each field. Columns that are not read are no problem.

    Raises ImportRefusedError with the columns that are doubled or missing.
    """
    at: dict[str, int] = {}
    for index, heading in enumerate(sheet.header):
        if at.setdefault(heading.strip(), index) != index:
            problems.add("duplicate-column", TWICE, place=sheet.header_place(index), name=heading[:80])
    for name in needed:
        if name not in at:
            problems.add("missing-column", MISSING, place=_header(sheet), name=name)
    problems.stop_if_any()
    return {
        name: at[there[0]]
        for name, columns in names.items()
        if (there := [column for column in columns if column in at])
    }


def mapped_columns(sheet: Sheet, mapping: Mapping[str, Any], problems: Problems) -> Columns:
    """Field → index; raises ImportRefusedError with every heading that is unknown, doubled or missing."""
    said = {normal(str(heading)): name for name, heading in mapping.items() if name != IGNORED}
    ignored = {normal(str(heading)) for heading in mapping.get(IGNORED, ())}
    found: dict[str, int] = {}
    for index, heading in enumerate(sheet.header):
        if heading and normal(heading) not in ignored:
            _read(sheet, index, said, found, problems)
    for field in FIELDS:
        if field.required and field.name not in found:
            problems.add(
                "missing-column", MISSING, place=_header(sheet), name=mapping.get(field.name, field.name)
            )
    problems.stop_if_any()
    return found


def _read(
    sheet: Sheet, index: int, said: Mapping[str, str], found: dict[str, int], problems: Problems
) -> None:
    heading, place = sheet.header[index], sheet.header_place(index)
    common = field_of(heading)
    name = said.get(normal(heading)) or (common.name if common else None)
    if name is None:
        close = nearest(heading)
        problems.add(
            "unknown-column",
            UNKNOWN if close else UNKNOWN_FAR,
            place=place,
            heading=heading[:80],
            nearest=close,
        )
    elif name not in BY_NAME:
        problems.add("unknown-field", NO_FIELD, place=place, name=name)
    elif found.setdefault(name, index) != index:
        problems.add("duplicate-column", TWICE, place=place, name=name)


def suggested(header: Sequence[str], mapping: Mapping[str, Any]) -> list[str]:
    """For a form: which field each heading is read as; "" none.

    As ``mapping`` says, else as columns are commonly called, else the field whose name is nearest; a field once.
    """
    said = {normal(str(heading)): name for name, heading in mapping.items() if name != IGNORED}
    ignored = {normal(str(heading)) for heading in mapping.get(IGNORED, ())}
    found = dict.fromkeys(range(len(header)), "")
    taken: set[str] = set()
    for guess in (lambda one: said.get(normal(one)), _common, nearest):
        for index, heading in enumerate(header):
            if found[index] or not heading or normal(heading) in ignored:
                continue
            name = guess(heading)
            if name in BY_NAME and name not in taken:
                found[index] = name
                taken.add(name)
    return list(found.values())


def _common(heading: str) -> str | None:
    field = field_of(heading)
    return field.name if field else None


def _header(sheet: Sheet) -> Place:
    return Place() if sheet.pointers else Place(row=sheet.header_row)
