"""Senders as they are usually written, to be run through the same faults: the harness must catch them.

``naive``: tries again on any error, never looks, keeps a list of what is done. ``look``: takes a lease, looks
before every create, tries again. ``claim``: marks an item as taken, for good, and sends it once.
A process of its own with nothing but the standard library.
"""

from __future__ import annotations

import argparse
import http.client
import json
import sqlite3
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote, urlsplit

from tests.faults.stops import WRITE, Gate, Stop

TIMEOUT_S = 1.0
LEASE_S = 4.0
TRIES = 5
PAUSE_S = 0.1
CLAIMED, ANSWERED = "claimed", "answered"


class Book:
    """What the sender remembers, in a file: who takes what, what is done, under which ID."""

    def __init__(self, file: Path) -> None:
        self._file = file
        with self._open() as book:
            book.execute(
                "CREATE TABLE IF NOT EXISTS items (marker PRIMARY KEY, until REAL, result TEXT, failed INTEGER)"
            )

    def add(self, markers: list[str]) -> None:
        with self._open() as book:
            book.executemany(
                "INSERT OR IGNORE INTO items VALUES (?, 0, NULL, 0)", [(marker,) for marker in markers]
            )

    def left(self) -> list[str]:
        with self._open() as book:
            rows = book.execute(
                "SELECT marker FROM items WHERE result IS NULL AND NOT failed ORDER BY marker"
            )
            return [row[0] for row in rows]

    def take(self, marker: str, seconds: float) -> bool:
        now = time.time()
        with self._open() as book:
            done = book.execute(
                "UPDATE items SET until = ? WHERE marker = ? AND until < ? AND result IS NULL",
                (now + seconds, marker, now),
            )
            return done.rowcount == 1

    def done(self, marker: str, result: str) -> None:
        with self._open() as book:
            book.execute("UPDATE items SET result = coalesce(result, ?) WHERE marker = ?", (result, marker))

    def failed(self, marker: str) -> None:
        with self._open() as book:
            book.execute("UPDATE items SET failed = 1 WHERE marker = ?", (marker,))

    def results(self) -> dict[str, str | None]:
        with self._open() as book:
            return dict(book.execute("SELECT marker, result FROM items"))

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self._file, timeout=10, isolation_level=None)


class Sender:
    """One process's way with its items."""

    def __init__(
        self, kind: str, url: str, token: str, book: Book, *, tries: int, gate: Gate | None, point: str
    ) -> None:
        self._kind, self._tries, self._book = kind, tries, book
        parts = urlsplit(url)
        self._host, self._port, self._path = parts.hostname or "", parts.port, parts.path
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._gate, self._point = gate, point

    def deliver(self, marker: str) -> None:
        """Until it is done, or given up for now."""
        if self._kind != "naive":
            if not self._book.take(marker, LEASE_S if self._kind == "look" else 1e9):
                return
            self._at(CLAIMED)
        for _ in range(1 if self._kind == "claim" else self._tries):
            result = self._once(marker)
            if result:
                self._book.done(marker, result)
                return
            time.sleep(PAUSE_S)
        if self._kind == "claim":
            self._book.failed(marker)

    def _once(self, marker: str) -> str:
        if self._kind == "look":
            found = self._look(marker)
            if found != "absent":
                return found
        document = {"title": marker, "body": "<p>…</p>", "marker": marker, "status": "draft"}
        connection = http.client.HTTPConnection(self._host, self._port, timeout=TIMEOUT_S)
        try:
            connection.connect()
            self._at(WRITE)
            connection.request("POST", f"{self._path}/drafts", json.dumps(document).encode(), self._headers)
            response = connection.getresponse()
            answer = json.loads(response.read())
            self._at(ANSWERED)
            fine = response.status in range(200, 300) and answer.get("marker") == marker
            return str(answer.get("id") or "") if fine else ""
        except (OSError, http.client.HTTPException, ValueError, AttributeError):
            return ""
        finally:
            connection.close()

    def _look(self, marker: str) -> str:
        """The ID, or "absent", or nothing when the target cannot tell."""
        connection = http.client.HTTPConnection(self._host, self._port, timeout=TIMEOUT_S)
        try:
            connection.request(
                "GET", f"{self._path}/drafts?status=any&marker={quote(marker)}", headers=self._headers
            )
            response = connection.getresponse()
            answer = json.loads(response.read())
            if response.status != http.HTTPStatus.OK:
                return ""
            return str(answer["items"][0]["id"]) if answer["items"] else "absent"
        except (OSError, http.client.HTTPException, ValueError, KeyError):
            return ""
        finally:
            connection.close()

    def _at(self, point: str) -> None:
        if self._gate is not None and point == self._point:
            self._gate.reach()


def main() -> int:
    """Go round until everything is done, or the time is up."""
    parser = argparse.ArgumentParser()
    parser.add_argument("order", type=json.loads)
    order = parser.parse_args().order
    stop = Stop.from_json(order["stop"]) if order["stop"] else None
    book = Book(Path(order["book"]))
    sender = Sender(
        order["kind"], order["url"], order["token"], book,
        tries=order["tries"], gate=Gate(stop) if stop else None, point=stop.point if stop else "",
    )  # fmt: skip
    if order["barrier"]:
        barrier = Path(order["barrier"])
        (barrier / f"ready-{order['number']}").touch()
        while not (barrier / "go").exists():
            time.sleep(0.002)
    until = time.monotonic() + order["seconds"]
    while (left := book.left()) and time.monotonic() < until:
        with ThreadPoolExecutor(max_workers=len(left)) as pool:
            list(pool.map(sender.deliver, left))
        if order["once"]:
            break
        time.sleep(PAUSE_S)
    return 0


if __name__ == "__main__":
    sys.exit(main())
