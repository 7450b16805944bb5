"""From the bytes of a bill to its lines: pure, without the database. All problems of all lines, then all or nothing."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import Any

from django.utils.translation import gettext_noop

from billing.models import Tax
from billing.suppliers.anthropic import is_anthropic, read_anthropic
from billing.suppliers.fal import is_fal, read_fal
from billing.suppliers.fields import FOCUS, FOCUS_NEEDED, LITELLM, LITELLM_NEEDED, known_headings
from billing.suppliers.line import ReadLine
from billing.suppliers.mapping import fixed_columns, mapped_columns
from billing.suppliers.openai import is_openai, read_openai
from billing.suppliers.table import Asked, TableReader
from once_delivery.common.sheets.csv_file import read_csv
from once_delivery.common.sheets.formats import Format, check_size, format_of
from once_delivery.common.sheets.json_file import read_json
from once_delivery.common.sheets.json_rows import sheet_of_objects
from once_delivery.common.sheets.limits import Limits
from once_delivery.common.sheets.problems import ImportRefusedError, Problems
from once_delivery.common.sheets.sheet import Sheet
from once_delivery.common.sheets.xlsx_file import read_xlsx


class Shape(enum.StrEnum):
    """How a file is laid out."""

    COLUMNS = "columns"  # a table whose columns the supplier's mapping names
    FOCUS = "focus"  # FinOps Open Cost and Usage Specification, 1.0 to 1.2
    FAL = "fal"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    LITELLM = "litellm"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What whoever sends the file says of it. ``shape`` "" is found out; ``currency`` "" must be in the file."""

    file_name: str
    zone: tzinfo
    shape: str = ""
    mapping: Mapping[str, Any] | None = None
    currency: str = ""
    tax_treatment: Tax = Tax.RECOVERABLE
    credit_note: bool = False


@dataclass(frozen=True, slots=True)
class Bill:
    """A file, understood."""

    shape: Shape
    format: Format
    lines: list[ReadLine]


_REPORTS: Mapping[Shape, tuple[Callable[[Any], bool], Callable[[Any, Problems], Iterable[ReadLine]]]] = {
    Shape.FAL: (is_fal, read_fal),
    Shape.ANTHROPIC: (is_anthropic, read_anthropic),
    Shape.OPENAI: (is_openai, read_openai),
}

OTHER_SHAPE = gettext_noop("This file is not laid out as “%(shape)s”.")
UNKNOWN_SHAPE = gettext_noop("This JSON is no list of rows and no report that is known.")
NO_LINES = gettext_noop("The file has no lines that cost anything.")


def read_bill(data: bytes, wanted: Wanted, limits: Limits, problems: Problems) -> Bill:
    """The lines of ``data``; raises ImportRefusedError with every problem and its place."""
    check_size(len(data), limits, problems)
    kind = format_of(data, wanted.file_name, problems)
    document = read_json(data, limits, problems, exact=True) if kind is Format.JSON else None
    if isinstance(document, Mapping):
        shape = _shape_of(document, wanted.shape, problems)
        lines = list(_REPORTS[shape][1](document, problems))
        too_many_lines(len(lines), limits, problems)
    else:
        sheet = _sheet(kind, document, data, limits, problems)
        shape = _shape_of_table(sheet, wanted.shape, problems)
        lines = _lines(sheet, shape, wanted, problems)
    problems.stop_if_any()
    if not lines:
        problems.add("no-rows", NO_LINES)
        raise problems.refusal()
    return Bill(shape=shape, format=kind, lines=lines)


def too_many_lines(count: int, limits: Limits, problems: Problems) -> None:
    """Adds a problem when there are more lines than a file may have."""
    if count > limits.rows:
        problems.add(
            "too-many-rows", gettext_noop("The file has more than %(most)s rows. Split it."), most=limits.rows
        )


def _sheet(kind: Format, document: Any, data: bytes, limits: Limits, problems: Problems) -> Sheet:
    if kind is Format.CSV:
        return read_csv(data, limits, problems, known_headings)
    if kind is Format.XLSX:
        return read_xlsx(data, limits, problems)
    if not isinstance(document, list):
        problems.add("unknown-shape", UNKNOWN_SHAPE)
        raise problems.refusal()
    return sheet_of_objects(document, limits, problems)


def _shape_of(document: Mapping[str, Any], said: str, problems: Problems) -> Shape:
    for shape, (is_it, _) in _REPORTS.items():
        if said in {"", shape} and is_it(document):
            return shape
    if said:
        problems.add("other-shape", OTHER_SHAPE, shape=said)
    else:
        problems.add("unknown-shape", UNKNOWN_SHAPE)
    raise problems.refusal()


def _shape_of_table(sheet: Sheet, said: str, problems: Problems) -> Shape:
    if said in _REPORTS:
        problems.add("other-shape", OTHER_SHAPE, shape=said)
        raise problems.refusal()
    if said:
        return Shape(said)
    header = {heading.strip() for heading in sheet.header}
    if header >= set(FOCUS_NEEDED):
        return Shape.FOCUS
    return Shape.LITELLM if header >= set(LITELLM_NEEDED) else Shape.COLUMNS


def _lines(sheet: Sheet, shape: Shape, wanted: Wanted, problems: Problems) -> list[ReadLine]:
    asked = Asked(
        currency=wanted.currency,
        zone=wanted.zone,
        tax_treatment=wanted.tax_treatment,
        credit_note=wanted.credit_note,
    )
    if shape is Shape.FOCUS:
        columns = fixed_columns(sheet, FOCUS, FOCUS_NEEDED, problems)
        asked = replace(asked, focus=True, floats=True)
    elif shape is Shape.LITELLM:
        columns = fixed_columns(sheet, LITELLM, LITELLM_NEEDED, problems)
        asked = replace(asked, floats=True, currency="USD")
    else:
        columns = mapped_columns(sheet, wanted.mapping or {}, problems)
    return TableReader(sheet, columns, asked, problems).lines()


def headings_to_map(data: bytes, file_name: str, limits: Limits) -> tuple[str, ...]:
    """The headings of a table whose columns a mapping names; none of a file that says itself what is what."""
    problems = Problems()
    try:
        kind = format_of(data, file_name, problems)
        document = read_json(data, limits, problems, exact=True) if kind is Format.JSON else None
        if isinstance(document, Mapping):
            return ()
        sheet = _sheet(kind, document, data, limits, problems)
        return sheet.header if _shape_of_table(sheet, "", problems) is Shape.COLUMNS else ()
    except ImportRefusedError:
        return ()
