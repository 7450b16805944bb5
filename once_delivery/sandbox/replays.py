"""Answers kept under an idempotency key, for as long as the space promises to remember."""

from __future__ import annotations

import json
from dataclasses import dataclass

from once_delivery.sandbox import clock
from once_delivery.sandbox.answers import JSON, Answer
from once_delivery.sandbox.errors import ApiError
from once_delivery.sandbox.storage import Store


@dataclass(frozen=True, slots=True)
class Replay:
    """An earlier answer, marked as said again."""

    answer: Answer
    object_id: str | None


class Replays:
    """The only reader and writer of the table ``replays``. Only answers that made something are kept."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def find(self, space: str, key: str, request_sha256: str, *, window_s: float) -> Replay | None:
        """The first answer under this key; ApiError 422 when that request was another one."""
        row = self._store.row("SELECT * FROM replays WHERE space=? AND key=?", (space, key))
        if row is None:
            return None
        if row["first_seen"] + window_s <= clock.now():
            self._store.write("DELETE FROM replays WHERE space=? AND key=?", (space, key))
            return None
        if row["request_sha256"] != request_sha256:
            raise ApiError(422, "key_reused", "this idempotency key came with another request before")
        headers = [(name, value) for name, value in json.loads(row["headers"])]
        answer = Answer(row["status"], row["body"], JSON, (*headers, ("Idempotent-Replayed", "true")))
        return Replay(answer, row["object_id"])

    def keep(self, space: str, key: str, request_sha256: str, answer: Answer, object_id: str) -> None:
        """Remember an answer in the same transaction as the object it tells of."""
        self._store.write(
            "INSERT INTO replays (space, key, request_sha256, status, body, headers, object_id, first_seen)"
            " VALUES (?,?,?,?,?,?,?,?)",
            (
                space,
                key,
                request_sha256,
                answer.status,
                answer.body,
                json.dumps(answer.headers),
                object_id,
                clock.now(),
            ),
        )
