"""The judge: what the target itself holds and received. Nothing here reads the ledger."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from once_delivery.sandbox.client import SandboxAdmin


@dataclass(frozen=True, slots=True)
class Held:
    """One object at the target."""

    result_id: str
    marker: str
    title: str
    created_at: str
    deleted: bool


@dataclass(frozen=True, slots=True)
class Call:
    """One request that could create, as the target received it."""

    number: int
    marker: str
    created: bool  # it made a new object
    status: int | None  # None: nothing was answered


class Judge(Protocol):
    """Counts at the target."""

    def held(self) -> list[Held]:
        """Every object, deleted ones too."""

    def holds(self, marker: str) -> bool:
        """Whether the target has an object with ``marker``; asked again and again."""

    def calls(self) -> list[Call]:
        """Every create call, in order."""

    def lose_answer(self, marker: str, *, keep_open: bool) -> None:
        """The next create with ``marker`` is committed and never answered (connection kept open, or cut)."""

    def page_url(self) -> str:
        """Where a person sees what the target holds."""


class SandboxJudge:
    """The sandbox CMS's own inventory and log, of one space."""

    def __init__(self, admin: SandboxAdmin, space: str) -> None:
        self._admin = admin
        self._space = space

    def held(self) -> list[Held]:
        inventory = self._admin.inventory(self._space)
        return [
            Held(
                result_id=one["id"],
                marker=one["marker"] or "",
                title=one["title"] or "",
                created_at=one["created_at"],
                deleted=one["deleted_at"] is not None,
            )
            for one in [*inventory["objects"], *inventory["deletions"]]
        ]

    def holds(self, marker: str) -> bool:
        return any(one.marker == marker for one in self.held())

    def calls(self) -> list[Call]:
        return [
            Call(number=one["seq"], marker=one["marker"] or "", created=one["created"], status=one["status"])
            for one in self._admin.log(self._space, operation="create")
        ]

    def lose_answer(self, marker: str, *, keep_open: bool) -> None:
        if keep_open:
            self._admin.add_fault(
                self._space, "hang", match={"marker": marker}, variant="committed", seconds=60
            )
        else:
            self._admin.add_fault(self._space, "answer_lost", match={"marker": marker})

    def page_url(self) -> str:
        return self._admin.page_url(self._space)
