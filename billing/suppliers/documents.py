"""Walking a JSON report: where each part stands, and what is missing or of another kind there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.utils.translation import gettext_noop

from billing.suppliers.line import ReadLine
from once_delivery.common.sheets.cells import CellError, word_of
from once_delivery.common.sheets.places import Place, pointer
from once_delivery.common.sheets.problems import Problems

Value = TypeVar("Value")
Path = tuple[str | int, ...]

NOT_AN_OBJECT = gettext_noop("An object is expected here.")
NOT_AN_ARRAY = gettext_noop("An array is expected here.")
NEEDED = gettext_noop("“%(name)s” is missing.")
MORE_PAGES = gettext_noop(
    "The report has further pages: its total would be too small. Fetch all of them into one file."
)


@dataclass(frozen=True, slots=True)
class Node:
    """One object of the document and its path; what is wrong in it is added to ``problems``."""

    value: Mapping[str, Any]
    path: Path
    problems: Problems
    row: int | None = None

    def place(self, name: str = "") -> Place:
        """Where the member ``name`` stands, or the object itself."""
        path = (*self.path, *name.split("/")) if name else self.path
        return Place(row=self.row, pointer=pointer(path))

    def get(self, name: str, read: Callable[[Any], Value], *, needed: bool = False) -> Value | None:
        """The member, read; None when it is not there or wrong (then a problem was added)."""
        found: Any = self.value
        for part in name.split("/"):
            found = found.get(part) if isinstance(found, Mapping) else None
        if found is None or found == "":
            if needed:
                self.problems.add("missing-value", NEEDED, place=self.place(name), name=name)
            return None
        try:
            return read(found)
        except CellError as error:
            self.problems.add(error.code, error.template, place=self.place(name), **error.params)
            return None

    def word(self, name: str, longest: int = 300, *, needed: bool = False) -> str:
        """The member as trimmed text; "" when it is not there."""
        return self.get(name, lambda cell: word_of(cell, longest), needed=needed) or ""

    def children(self, name: str) -> Iterator[Node]:
        """The objects of the array ``name``; they are numbered from 1 on."""
        yield from nodes(self.value.get(name), (*self.path, name), self.problems)


def nodes(array: Any, path: Path, problems: Problems) -> Iterator[Node]:
    """The objects of ``array``; whatever is none is a problem."""
    if not isinstance(array, Sequence) or isinstance(array, str):
        problems.add("not-an-array", NOT_AN_ARRAY, place=Place(pointer=pointer(path)))
        return
    for index, one in enumerate(array):
        if isinstance(one, Mapping):
            yield Node(one, (*path, index), problems, index + 1)
        else:
            problems.add(
                "not-a-row", NOT_AN_OBJECT, place=Place(row=index + 1, pointer=pointer((*path, index)))
            )


def refuse_more_pages(document: Mapping[str, Any], problems: Problems) -> None:
    """A report that says that it goes on is no whole document."""
    if document.get("has_more") is True:
        problems.add("more-pages", MORE_PAGES, place=Place(pointer=pointer(("has_more",))))


def lines_of_days(
    document: Mapping[str, Any], line: Callable[[Node, Node, int], ReadLine | None], problems: Problems
) -> Iterator[ReadLine]:
    """What ``line`` makes of each day and each of its results, numbered from 1 on; problems are added.

    What costs nothing is left out.
    """
    refuse_more_pages(document, problems)
    row = 0
    for bucket in nodes(document["data"], ("data",), problems):
        for node in bucket.children("results"):
            row += 1
            before = problems.count
            found = line(bucket, node, row)
            if found is not None and problems.count == before and found.amount:
                yield found
