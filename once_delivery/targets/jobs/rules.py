"""What a service's own words in an answer mean, where its status alone does not say it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from jsonpointer import JsonPointer

from once_delivery.targets.base import Outcome
from once_delivery.targets.http_json.documents import at


@dataclass(frozen=True, slots=True)
class Rule:
    """``status`` with, at ``pointer``, one of the values ``among`` or a text that ``contains``."""

    status: int
    outcome: Outcome | None = None
    code: str = ""
    pointer: JsonPointer | None = None
    among: tuple[Any, ...] = ()
    contains: str = ""

    @classmethod
    def read(cls, declared: Mapping[str, Any]) -> Rule:
        """From a file that fits the schema."""
        outcome = declared.get("outcome")
        return cls(
            status=declared["status"],
            outcome=Outcome(outcome) if outcome else None,
            code=declared.get("code", ""),
            pointer=JsonPointer(declared["pointer"]) if "pointer" in declared else None,
            among=tuple(declared.get("among", ())),
            contains=declared.get("contains", ""),
        )

    def fits(self, status: int, document: Any) -> bool:
        """Whether this answer is such a one."""
        if status != self.status:
            return False
        found = at(self.pointer, document)
        # 1 == True in Python, not in JSON
        if self.among and not any(type(found) is type(one) and found == one for one in self.among):
            return False
        return not self.contains or (isinstance(found, str) and self.contains in found)


def first_fitting(rules: Iterable[Rule], status: int, document: Any) -> Rule | None:
    """The first rule for this answer."""
    return next((rule for rule in rules if rule.fits(status, document)), None)
