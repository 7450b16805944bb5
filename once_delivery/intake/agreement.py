"""Rows that speak of the same thing must say the same: the brief of a version, the content of a task."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_noop

from once_delivery.common.canonical import canonical_json
from once_delivery.common.sheets.places import Place
from once_delivery.common.sheets.problems import Problems
from once_delivery.common.sheets.sheet import Row
from once_delivery.intake.lines import Line

PlaceOf = Callable[[Row, str], Place]
Key = tuple[Any, ...]

PRODUCT_DIFFERS = gettext_noop(
    "Rows %(first)s and %(second)s give the product %(what)s another “%(name)s”: it belongs to the product."
)
VERSION_DIFFERS = gettext_noop(
    "Rows %(first)s and %(second)s give %(what)s another “%(name)s”: it belongs to the input version. Other content "
    "is a new version with the next number."
)
ROW_TWICE = gettext_noop(
    "Rows %(first)s and %(second)s ask for the same task (%(task)s) with other content (%(names)s). Keep one, or "
    "give the other a new input version."
)
REPEATED = gettext_noop("%(count)s rows ask again for what an earlier row asks for: they make nothing new.")

# what belongs not to the row but to its product or to its input version
_OF_PRODUCT = ("product",)
_OF_VERSION = ("product", "input_version")
_SHARED = {
    "product_name": _OF_PRODUCT,
    "brief": _OF_VERSION,
    "approved_by": _OF_VERSION,
    "approved_at": _OF_VERSION,
}
_CONTENT = ("title", "body", "image", "image_alt", "fields")


class Shared:
    """What the rows say of their products and input versions; an empty cell means “as in the other rows”."""

    def __init__(
        self, said: Sequence[tuple[Row, Mapping[str, Any]]], place: PlaceOf, problems: Problems
    ) -> None:
        self._said: dict[tuple[str, Key], tuple[Any, Row]] = {}
        for row, values in said:
            for name in _SHARED:
                if values[name] is not None:
                    self._add(row, values, name, place, problems)

    def value(self, line: Line, name: str) -> Any:
        """What holds for ``line``; None when no row says it."""
        said = self._said.get((name, _key(line, _SHARED[name])))
        return said[0] if said else None

    def _add(
        self, row: Row, values: Mapping[str, Any], name: str, place: PlaceOf, problems: Problems
    ) -> None:
        key = tuple(values[part] for part in _SHARED[name])
        if None in key:
            return
        first, where = self._said.setdefault((name, key), (values[name], row))
        if _differ(first, values[name]):
            problems.add(
                "rows-differ",
                PRODUCT_DIFFERS if _SHARED[name] is _OF_PRODUCT else VERSION_DIFFERS,
                place=place(row, name),
                name=name,
                what=" v".join(map(str, key)),
                first=where.number,
                second=row.number,
            )


def _differ(first: Any, second: Any) -> bool:
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        # Python takes True for 1; a fingerprint does not
        return first is not second and canonical_json(first) != canonical_json(second)
    return bool(first != second)


def check_repeats(lines: Sequence[Line], place: PlaceOf, problems: Problems) -> None:
    """The same task twice with the same content is a repeat; with other content it is a problem of both rows."""
    first: dict[Key, Line] = {}
    repeats = 0
    for line in lines:
        before = first.setdefault(
            _key(line, ("product", "locale", "purpose", "input_version", "target")), line
        )
        if before is line:
            continue
        other = [name for name in _CONTENT if getattr(before, name) != getattr(line, name)]
        if not other:
            repeats += 1
            continue
        problems.add(
            "row-twice",
            ROW_TWICE,
            place=place(line.row, other[0]),
            first=before.row.number,
            second=line.row.number,
            task=f"{line.product} › {line.locale} › {line.purpose} › v{line.input_version}",
            names=", ".join(other),
        )
    if repeats:
        problems.note("repeated-rows", REPEATED, count=repeats)


def _key(line: Line, names: tuple[str, ...]) -> Key:
    return tuple(getattr(line, name) for name in names)
