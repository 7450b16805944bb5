"""What an answer of a certain form means, where its status alone does not tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jsonpointer import JsonPointer

from once_delivery.targets.base import Outcome
from once_delivery.targets.http_json.documents import MISSING, at
from once_delivery.targets.http_json.values import identifier
from once_delivery.targets.rest.conditions import Condition, all_hold, read_conditions


@dataclass(frozen=True, slots=True)
class Rule:
    """One form: a status, conditions on the document, and text that the body holds or does not hold.

    All that are given must hold. ``outcome`` is for requests with an effect alone.
    """

    status: int
    where: tuple[Condition, ...] = ()
    contains: str = ""
    lacks: str = ""
    id: JsonPointer | None = None
    outcome: Outcome = Outcome.EXISTS
    code: str = "already-exists"

    @classmethod
    def read(cls, declared: Mapping[str, Any], *, code: str = "already-exists") -> Rule:
        """From a declaration that fits the schema; ``pointer`` with ``equals`` is short for ``where``."""
        conditions = {**declared.get("where", {})}
        contains = declared.get("contains", "")
        if "pointer" in declared:
            tests = {"is": declared["equals"]} if "equals" in declared else {}
            tests |= {"contains": contains} if contains else {}
            conditions[declared["pointer"]] = tests
            contains = ""
        return cls(
            status=declared["status"],
            where=read_conditions(conditions),
            contains=contains,
            lacks=declared.get("lacks", ""),
            id=JsonPointer(declared["id"]) if "id" in declared else None,
            outcome=Outcome(declared.get("outcome", Outcome.EXISTS)),
            code=declared.get("code", code),
        )

    def fits(self, status: int, document: Any, body: bytes) -> bool:
        """Whether this answer is such a one; ``document`` MISSING, one that cannot be read, fulfils no condition."""
        if status != self.status or (self.where and document is MISSING):
            return False
        if not all_hold(self.where, document):
            return False
        text = body.decode("utf-8", errors="replace") if self.contains or self.lacks else ""
        return self.contains in text and not (self.lacks and self.lacks in text)

    def identifier(self, document: Any) -> str:
        """The ID of what exists, where the answer names it."""
        return identifier(at(self.id, document))
