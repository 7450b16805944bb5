"""How "I have that already" looks at an API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jsonpointer import JsonPointer

from once_delivery.targets.http_json.documents import at
from once_delivery.targets.http_json.values import identifier


@dataclass(frozen=True, slots=True)
class ExistsRule:
    """One form of it; all given conditions must hold."""

    status: int
    pointer: JsonPointer | None = None
    equals: Any = None
    contains: str = ""
    id: JsonPointer | None = None
    code: str = "already-exists"

    @classmethod
    def read(cls, declared: Mapping[str, Any]) -> ExistsRule:
        """From a declaration that fits the schema."""
        values = dict(declared)
        for name in ("pointer", "id"):
            if name in values:
                values[name] = JsonPointer(values[name])
        return cls(**values)

    def fits(self, status: int, document: Any, body: bytes) -> bool:
        """Whether this answer is such a one. ``contains`` looks at the pointer's text, or at the whole body."""
        if status != self.status:
            return False
        found = at(self.pointer, document)
        if self.equals is not None and (type(found) is not type(self.equals) or found != self.equals):
            return False
        if not self.contains:
            return True
        text = body.decode("utf-8", errors="replace") if self.pointer is None else found
        return isinstance(text, str) and self.contains in text

    def identifier(self, document: Any) -> str:
        """The ID of what exists, where the answer names it."""
        return identifier(at(self.id, document))
