"""One recorded request as a plain value."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from once_delivery.vendor_drill.models import RecordedAnswer, RecordedCall

_OK = range(200, 300)
_READS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
_NEVER_SENT = frozenset({"not-forwarded", "closed-before", "unreachable"})


@dataclass(frozen=True, slots=True)
class CallFact:
    """``number``: counted in the drill, from 1. ``ended``: it has an answer row."""

    number: int
    at: datetime
    method: str
    path: str
    item: str
    creates: bool
    fault: str
    body_sha256: str
    ended: bool = False
    status: int | None = None
    given: int | None = None
    names: tuple[str, ...] = ()
    shows: str = ""
    note: str = ""
    request_bytes: int = 0
    answer_bytes: int = 0
    took_ms: float = 0.0

    @property
    def is_read(self) -> bool:
        return self.method in _READS

    @property
    def is_ok(self) -> bool:
        """The target answered that it did it."""
        return self.status in _OK

    @property
    def made(self) -> bool:
        """A request to make an item that the target answered with one, new or not."""
        return self.creates and self.is_ok

    @property
    def forwarded(self) -> bool:
        """The target may have seen it."""
        return _NEVER_SENT.isdisjoint(self.notes)

    @property
    def notes(self) -> list[str]:
        """Codes of ``wording.NOTES``."""
        return self.note.split()

    @property
    def raced(self) -> bool:
        """It was let go together with another one, whatever became of it then."""
        return "raced" in self.notes


def call_fact(number: int, row: RecordedCall) -> CallFact:
    answer: RecordedAnswer | None = getattr(row, "answer", None)
    if answer is None:
        return CallFact(
            number, row.at, row.method, row.path, row.item, row.creates, row.fault, row.body_sha256
        )
    return CallFact(
        number=number,
        at=row.at,
        method=row.method,
        path=row.path,
        item=row.item,
        creates=row.creates,
        fault=row.fault,
        body_sha256=row.body_sha256 or answer.body_sha256,
        ended=True,
        status=answer.status,
        given=answer.given,
        names=tuple(answer.names),
        shows=answer.shows,
        note=answer.note,
        request_bytes=answer.request_bytes,
        answer_bytes=answer.answer_bytes,
        took_ms=answer.took_ms,
    )
