"""The objects a space holds: drafts, uploads and jobs, and the trace of those that were deleted."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from typing import Any

from once_delivery.sandbox import clock
from once_delivery.sandbox.storage import Store

KINDS = ("drafts", "uploads", "jobs")
# what a list shows when nobody asks for a status; the rest must be asked for by name or with "any"
LISTED = ("draft", "published", "stored", "queued", "succeeded", "failed")
_PREFIX = {"drafts": "d", "uploads": "u", "jobs": "j"}
_FIRST = 5000


@dataclass(slots=True)
class Stored:
    """One object as it stands."""

    serial: int
    space: str
    kind: str
    id: str
    marker: str | None
    status: str
    doc: dict[str, Any]
    content_sha256: str
    version: int
    created_at: float
    updated_at: float
    made_by: str
    due_at: float | None = None
    deleted_at: float | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """Which part of a list is asked for."""

    marker: str | None = None
    status: str | None = None
    updated_after: float | None = None
    visible_before: float | None = None
    after: int | None = None
    limit: int = 20
    offset: int = 0


class Objects:
    """The only reader and writer of the table ``objects``."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._serial = store.last_serial("objects")

    def insert(self, new: Stored, *, unique: bool, data: bytes | None = None) -> Stored:
        """Keep a new object; an empty ID means "choose one". Raises sqlite3.IntegrityError when it exists."""
        self._serial += 1
        new.serial = self._serial
        new.id = new.id or self._free_id(new)
        self._store.write(
            "INSERT INTO objects (serial, space, kind, id, marker, unique_marker, status, doc, content_sha256,"
            " version, created_at, updated_at, due_at, made_by) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                new.serial, new.space, new.kind, new.id, new.marker, new.marker if unique else None, new.status,
                json.dumps(new.doc, ensure_ascii=False), new.content_sha256, new.version, new.created_at,
                new.updated_at, new.due_at, new.made_by,
            ),
        )  # fmt: skip
        if data is not None:
            self._store.write("INSERT INTO files (serial, data) VALUES (?,?)", (new.serial, data))
        return new

    def _free_id(self, new: Stored) -> str:
        candidate = f"{_PREFIX[new.kind]}{_FIRST + new.serial}"
        while self.get(new.space, new.kind, candidate):  # a caller may have chosen it
            candidate += "x"
        return candidate

    def update(self, changed: Stored, *, unique: bool, data: bytes | None = None) -> None:
        """Keep the present state of an object; raises sqlite3.IntegrityError when its marker is taken."""
        keeps = unique and changed.deleted_at is None
        self._store.write(
            "UPDATE objects SET marker=?, unique_marker=?, status=?, doc=?, content_sha256=?, version=?,"
            " updated_at=?, due_at=?, deleted_at=? WHERE serial=?",
            (
                changed.marker, changed.marker if keeps else None, changed.status,
                json.dumps(changed.doc, ensure_ascii=False), changed.content_sha256, changed.version,
                changed.updated_at, changed.due_at, changed.deleted_at, changed.serial,
            ),
        )  # fmt: skip
        if data is not None:
            self._store.write(
                "INSERT OR REPLACE INTO files (serial, data) VALUES (?,?)", (changed.serial, data)
            )

    def get(self, space: str, kind: str, object_id: str) -> Stored | None:
        """The object with this ID, trash included, deleted ones not."""
        return _one(
            self._store.row(
                "SELECT * FROM objects WHERE space=? AND kind=? AND id=? AND deleted_at IS NULL",
                (space, kind, object_id),
            )
        )

    def by_serial(self, serial: int) -> Stored | None:
        """The object with this number, deleted or not."""
        return _one(self._store.row("SELECT * FROM objects WHERE serial=?", (serial,)))

    def holder_of(self, space: str, kind: str, marker: str) -> Stored | None:
        """The object that holds a unique marker."""
        return _one(
            self._store.row(
                "SELECT * FROM objects WHERE space=? AND kind=? AND unique_marker=?", (space, kind, marker)
            )
        )

    def another(self, space: str, kind: str, object_id: str) -> Stored | None:
        """Any other object of the kind, for an answer that names the wrong one."""
        return _one(
            self._store.row(
                "SELECT * FROM objects WHERE space=? AND kind=? AND id<>? AND deleted_at IS NULL"
                " ORDER BY serial DESC LIMIT 1",
                (space, kind, object_id),
            )
        )

    def listing(self, space: str, kind: str, page: Page) -> tuple[list[Stored], int]:
        """One page in the order of creation, and how many there are in all."""
        where, values = _where(space, kind, page)
        total = self._store.row(f"SELECT count(*) AS n FROM objects WHERE {where}", values)  # noqa: S608 -- constants
        rows = self._store.rows(
            f"SELECT * FROM objects WHERE {where} ORDER BY serial LIMIT ? OFFSET ?",  # noqa: S608 -- constants
            (*values, page.limit, page.offset),
        )
        return [_stored(row) for row in rows], int(total["n"]) if total else 0

    def everything(self, space: str) -> list[Stored]:
        """All that is or ever was in a space, in the order of creation."""
        return [
            _stored(row)
            for row in self._store.rows("SELECT * FROM objects WHERE space=? ORDER BY serial", (space,))
        ]

    def waiting_jobs(self) -> list[tuple[int, float]]:
        """Serial and due time of every job that is not finished."""
        rows = self._store.rows(
            "SELECT serial, due_at FROM objects WHERE due_at IS NOT NULL AND deleted_at IS NULL"
        )
        return [(row["serial"], row["due_at"]) for row in rows]

    def file(self, serial: int) -> bytes:
        """The bytes of an upload."""
        row = self._store.row("SELECT data FROM files WHERE serial=?", (serial,))
        return bytes(row["data"]) if row else b""

    def counts(self) -> dict[str, dict[str, int]]:
        """How many objects of each kind each space holds."""
        found: dict[str, dict[str, int]] = {}
        for row in self._store.rows(
            "SELECT space, kind, count(*) AS n FROM objects WHERE deleted_at IS NULL GROUP BY space, kind"
        ):
            found.setdefault(row["space"], {})[row["kind"]] = row["n"]
        return found

    def protect_markers(self, space: str, *, unique: bool) -> None:
        """Follow a changed setting: the oldest object of each marker holds it, or nobody does."""
        self._store.write("UPDATE objects SET unique_marker=NULL WHERE space=?", (space,))
        if unique:
            self._store.write(
                "UPDATE objects SET unique_marker=marker WHERE serial IN (SELECT min(serial) FROM objects"
                " WHERE space=? AND marker IS NOT NULL AND deleted_at IS NULL GROUP BY kind, marker)",
                (space,),
            )

    def new(self, *, space: str, kind: str, object_id: str, made_by: str) -> Stored:
        """An empty object of this moment, not yet kept."""
        moment = clock.now()
        return Stored(0, space, kind, object_id, None, "", {}, "", 1, moment, moment, made_by)


def _where(space: str, kind: str, page: Page) -> tuple[str, tuple[Any, ...]]:
    parts, values = ["space=?", "kind=?", "deleted_at IS NULL"], [space, kind]
    more: list[tuple[str, Any]] = [
        ("marker=?", page.marker),
        ("updated_at>?", page.updated_after),
        ("created_at<=?", page.visible_before),
        ("serial>?", page.after),
        ("status=?", None if page.status == "any" else page.status),
    ]
    for clause, value in more:
        if value is not None:
            parts.append(clause)
            values.append(value)
    if page.status is None:
        parts.append(f"status IN ({','.join('?' * len(LISTED))})")
        values.extend(LISTED)
    return " AND ".join(parts), tuple(values)


def _one(row: sqlite3.Row | None) -> Stored | None:
    return _stored(row) if row else None


def _stored(row: sqlite3.Row) -> Stored:
    return Stored(
        serial=row["serial"], space=row["space"], kind=row["kind"], id=row["id"], marker=row["marker"],
        status=row["status"], doc=json.loads(row["doc"]), content_sha256=row["content_sha256"],
        version=row["version"], created_at=row["created_at"], updated_at=row["updated_at"],
        made_by=row["made_by"], due_at=row["due_at"], deleted_at=row["deleted_at"],
    )  # fmt: skip
