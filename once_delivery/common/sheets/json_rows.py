"""The rows of a table as an array of JSON objects; the header is the union of their keys."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_noop

from once_delivery.common.sheets.limits import Limits
from once_delivery.common.sheets.places import Place, pointer
from once_delivery.common.sheets.problems import Problems
from once_delivery.common.sheets.sheet import Row, Sheet

NOT_OBJECTS = gettext_noop("Each element of the array is one row, an object of column names and values.")
NO_ROWS = gettext_noop("The array has no rows.")
TOO_MANY_ROWS = gettext_noop("The file has more than %(most)s rows. Split it.")
TOO_MANY_COLUMNS = gettext_noop("The rows have more than %(most)s columns.")


def sheet_of_objects(objects: list[Any], limits: Limits, problems: Problems) -> Sheet:
    """The table; raises ImportRefusedError when the array is no table."""
    if not objects:
        problems.add("no-rows", NO_ROWS)
    elif len(objects) > limits.rows:
        problems.add("too-many-rows", TOO_MANY_ROWS, most=limits.rows)
    problems.stop_if_any()
    header: dict[str, int] = {}
    for index, one in enumerate(objects):
        if not isinstance(one, dict):
            problems.add("not-a-row", NOT_OBJECTS, place=Place(row=index + 1, pointer=pointer([index])))
            continue
        for key in one:
            header.setdefault(key, len(header))
        if len(header) > limits.columns:
            problems.add("too-many-columns", TOO_MANY_COLUMNS, most=limits.columns)
            raise problems.refusal()
    problems.stop_if_any()
    rows = tuple(
        Row(number=index + 1, cells=tuple(one.get(key) for key in header))
        for index, one in enumerate(objects)
    )
    return Sheet(header=tuple(header), rows=rows, header_row=0, pointers=True)
