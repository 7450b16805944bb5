"""What must hold in a document for something to be said of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jsonpointer import JsonPointer

from once_delivery.targets.http_json.documents import MISSING, at


@dataclass(frozen=True, slots=True)
class Condition:
    """One of: it ``is`` a value of JSON, a text ``contains`` another, something is or is not ``there``.

    What is null or an empty list is not there.
    """

    pointer: JsonPointer
    test: str
    value: Any

    def holds(self, document: Any) -> bool:
        """Whether it holds in ``document``."""
        found = at(self.pointer, document)
        if self.test == "is":
            # 1 == True in Python, not in JSON
            return type(found) is type(self.value) and bool(found == self.value)
        if self.test == "contains":
            return isinstance(found, str) and self.value in found
        return bool(self.value) == (found is not MISSING and found is not None and found != [])


def read_conditions(declared: Mapping[str, Mapping[str, Any]]) -> tuple[Condition, ...]:
    """From ``{pointer: {test: value}}``, which fits the schema."""
    return tuple(
        Condition(JsonPointer(pointer), test, value)
        for pointer, tests in declared.items()
        for test, value in tests.items()
    )


def all_hold(conditions: tuple[Condition, ...], document: Any) -> bool:
    """Whether every one of them holds."""
    return all(condition.holds(document) for condition in conditions)
