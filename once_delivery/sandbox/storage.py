"""The sandbox's own storage: one SQLite file, one connection, one thread.

WAL with ``synchronous=NORMAL``: what was committed survives the death of the process at any point (SIGKILL
included). A power cut may cost the last moments, which a test target can afford.
"""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

_SCHEMA = """
CREATE TABLE IF NOT EXISTS spaces (
  name TEXT PRIMARY KEY, token TEXT NOT NULL, settings TEXT NOT NULL, created_at REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS objects (
  serial INTEGER PRIMARY KEY AUTOINCREMENT,
  space TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL,
  marker TEXT, unique_marker TEXT,
  status TEXT NOT NULL, doc TEXT NOT NULL, content_sha256 TEXT NOT NULL, version INTEGER NOT NULL,
  created_at REAL NOT NULL, updated_at REAL NOT NULL, deleted_at REAL, due_at REAL,
  made_by TEXT NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS objects_one_per_id
  ON objects (space, kind, id) WHERE deleted_at IS NULL;
-- filled only where the space promises uniqueness, and emptied when the object is deleted
CREATE UNIQUE INDEX IF NOT EXISTS objects_one_per_marker
  ON objects (space, kind, unique_marker) WHERE unique_marker IS NOT NULL;
CREATE INDEX IF NOT EXISTS objects_by_marker ON objects (space, kind, marker);
CREATE TABLE IF NOT EXISTS files (serial INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS replays (
  space TEXT NOT NULL, key TEXT NOT NULL, request_sha256 TEXT NOT NULL,
  status INTEGER NOT NULL, body BLOB NOT NULL, headers TEXT NOT NULL, object_id TEXT, first_seen REAL NOT NULL,
  PRIMARY KEY (space, key)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS calls (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  space TEXT NOT NULL, started_at REAL NOT NULL, ended_at REAL,
  method TEXT NOT NULL, path TEXT NOT NULL, operation TEXT NOT NULL, kind TEXT,
  marker TEXT, idempotency_key TEXT, body_sha256 TEXT, body_bytes INTEGER NOT NULL, user_agent TEXT,
  fault TEXT, variant TEXT, committed_id TEXT, created INTEGER NOT NULL, replayed INTEGER NOT NULL, status INTEGER
);
CREATE INDEX IF NOT EXISTS calls_by_space ON calls (space, seq);
CREATE TABLE IF NOT EXISTS faults (
  id INTEGER PRIMARY KEY AUTOINCREMENT, space TEXT NOT NULL, rule TEXT NOT NULL, fired INTEGER NOT NULL
);
"""
_PAGE = 4096
_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC}


def is_full(error: sqlite3.Error) -> bool:
    """Whether the disk (or the quota) is what failed."""
    return getattr(error, "sqlite_errorcode", None) in _FULL


class Store:
    """Writes gather in an open transaction until :meth:`commit`, which runs before any answer leaves."""

    def __init__(self, path: Path, *, quota_mb: int = 0) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.row_factory = sqlite3.Row
        for pragma in (
            "journal_mode=WAL",
            "synchronous=NORMAL",
            "wal_autocheckpoint=4000",
            "cache_size=-16000",
        ):
            self._connection.execute(f"PRAGMA {pragma}")
        self._connection.executescript(_SCHEMA)
        if quota_mb:
            self._connection.execute(f"PRAGMA max_page_count={quota_mb * 1024 * 1024 // _PAGE}")
        self._flush: asyncio.TimerHandle | None = None

    def write(self, sql: str, values: tuple[Any, ...] = ()) -> sqlite3.Cursor:
        """Run one changing statement inside the open transaction."""
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN IMMEDIATE")
        return self._connection.execute(sql, values)

    def rows(self, sql: str, values: tuple[Any, ...] = ()) -> list[sqlite3.Row]:
        """All rows of one query."""
        return self._connection.execute(sql, values).fetchall()

    def row(self, sql: str, values: tuple[Any, ...] = ()) -> sqlite3.Row | None:
        """The first row, or None."""
        found: sqlite3.Row | None = self._connection.execute(sql, values).fetchone()
        return found

    def last_serial(self, table: str) -> int:
        """The highest number ever given out in a table, deleted rows included."""
        row = self.row("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,))
        return int(row["seq"]) if row else 0

    def commit(self) -> None:
        """Everything written so far survives from here on."""
        if self._connection.in_transaction:
            self._connection.execute("COMMIT")

    def rollback(self) -> None:
        """Forget what was not committed (after a full disk)."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def commit_soon(self) -> None:
        """Commit within milliseconds: for the end of a log row, which no caller waits for."""
        if self._flush is None:
            self._flush = asyncio.get_running_loop().call_later(0.005, self._flush_now)

    def _flush_now(self) -> None:
        self._flush = None
        try:
            self.commit()
        except sqlite3.OperationalError:
            self.rollback()

    def close(self) -> None:
        """Commit and close."""
        if self._flush is not None:
            self._flush.cancel()
            self._flush_now()
        self._connection.close()
