"""The log of calls: what reached the content API, in order, and what became of it. Tests judge by it."""

from __future__ import annotations

import hashlib
import sqlite3
from dataclasses import dataclass
from typing import Any

from once_delivery.sandbox import clock
from once_delivery.sandbox.storage import Store
from once_delivery.sandbox.wire import Request


@dataclass(slots=True)
class Call:
    """One request and its fate; ``status`` is what was answered, None when nothing was."""

    seq: int
    space: str
    started_at: float
    method: str
    path: str
    operation: str
    kind: str | None = None
    marker: str | None = None
    idempotency_key: str | None = None
    body_sha256: str | None = None
    body_bytes: int = 0
    user_agent: str | None = None
    fault: str | None = None
    variant: str | None = None
    committed_id: str | None = None
    created: bool = False
    replayed: bool = False
    status: int | None = None
    ended_at: float | None = None
    kept: bool = False


class Calls:
    """The only reader and writer of the table ``calls``."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._seq = store.last_serial("calls")

    def begin(self, space: str, request: Request) -> Call:
        """The next call of a space; it is kept with the first commit."""
        self._seq += 1
        return Call(
            seq=self._seq,
            space=space,
            started_at=request.started,
            method=request.method,
            path=request.path,
            operation="other",
            idempotency_key=request.headers.get("idempotency-key"),
            body_sha256=hashlib.sha256(request.body).hexdigest() if request.body else None,
            body_bytes=len(request.body),
            user_agent=request.headers.get("user-agent"),
        )

    def save(self, call: Call) -> None:
        """Write the call as it stands into the open transaction."""
        if call.kept:
            self._store.write(
                "UPDATE calls SET committed_id=?, created=?, replayed=?, status=?, ended_at=? WHERE seq=?",
                (call.committed_id, call.created, call.replayed, call.status, call.ended_at, call.seq),
            )
            return
        self._store.write(
            "INSERT INTO calls (seq, space, started_at, method, path, operation, kind, marker, idempotency_key,"
            " body_sha256, body_bytes, user_agent, fault, variant, committed_id, created, replayed, status,"
            " ended_at) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                call.seq, call.space, call.started_at, call.method, call.path, call.operation, call.kind,
                call.marker, call.idempotency_key, call.body_sha256, call.body_bytes, call.user_agent,
                call.fault, call.variant, call.committed_id, call.created, call.replayed, call.status,
                call.ended_at,
            ),
        )  # fmt: skip
        call.kept = True

    def of_space(self, space: str, *, operation: str | None = None, after: int = 0) -> list[dict[str, Any]]:
        """The calls of a space in order, as JSON documents."""
        rows = self._store.rows(
            "SELECT * FROM calls WHERE space=? AND seq>? AND (? IS NULL OR operation=?) ORDER BY seq",
            (space, after, operation, operation),
        )
        return [_document(row) for row in rows]

    def creates(self, space: str) -> int:
        """How many create calls a space has seen."""
        row = self._store.row(
            "SELECT count(*) AS n FROM calls WHERE space=? AND operation='create' AND status IS NOT 401",
            (space,),
        )
        return int(row["n"]) if row else 0


def _document(row: sqlite3.Row) -> dict[str, Any]:
    document = dict(row)
    for name in ("started_at", "ended_at"):
        document[name] = clock.iso(document[name])
    for name in ("created", "replayed"):
        document[name] = bool(document[name])
    return document
