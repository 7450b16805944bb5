"""Find every translatable string of the house, in Python and in templates."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from django.utils.translation.template import templatize

# where the argument that is the string stands; "c" marks the context
KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
COMMENT_TAGS = ("Translators:",)
PACKAGES = ("once_delivery", "reconciliation", "billing")
TEMPLATE_SUFFIXES = (".html", ".txt")

Found = tuple[int, str | tuple[str, ...], list[str], str | None]  # line, string, comments, context


def template_catalog(root: Path) -> Catalog:
    """All strings below ``root``, untranslated; where each is used, without line numbers that would only churn."""
    catalog = Catalog()
    for path in sources(root):
        name = path.relative_to(root).as_posix()
        for _line, message, comments, context in strings_in(path):
            catalog.add(message, None, [(name, 1)], auto_comments=comments, context=context)
    return catalog


def sources(root: Path) -> Iterator[Path]:
    for package in PACKAGES:
        yield from sorted((root / package).rglob("*.py"))
        yield from _templates(root / package)
    yield from _templates(root / "templates")


def strings_in(path: Path) -> Iterable[Found]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield from extract("python", io.BytesIO(text.encode()), KEYWORDS, COMMENT_TAGS)
        return
    # what is not a string becomes filler there, one source line a line: it need not be valid Python as a whole
    for number, line in enumerate(templatize(text, origin=str(path)).splitlines(), 1):
        if "gettext(" in line or "_(" in line:
            line_bytes = io.BytesIO(line.strip().encode())
            for _, string, comments, context in extract("python", line_bytes, KEYWORDS, COMMENT_TAGS):
                yield number, string, comments, context


def _templates(folder: Path) -> Iterator[Path]:
    return (
        path
        for path in sorted(folder.rglob("*"))
        if path.suffix in TEMPLATE_SUFFIXES and "templates" in path.parts
    )
