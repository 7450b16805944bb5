"""Spaces: one for each drill, with a token and settings of its own."""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import dataclass, field
from typing import Any

from once_delivery.sandbox import clock
from once_delivery.sandbox.errors import ApiError
from once_delivery.sandbox.settings import Settings, parse_settings
from once_delivery.sandbox.storage import Store

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_TOKEN = re.compile(r"[!-~]{8,200}")


@dataclass(slots=True)
class Space:
    """A space and what is on its way in it right now (which dies with the process, as it should)."""

    name: str
    token: str
    settings: Settings
    created_at: float
    create_calls: int = 0
    keys_in_flight: set[str] = field(default_factory=set)
    markers_in_flight: set[tuple[str, str]] = field(default_factory=set)

    def as_json(self) -> dict[str, Any]:
        """What the administrator sees."""
        return {
            "space": self.name,
            "token": self.token,
            "settings": self.settings.as_json(),
            "created_at": clock.iso(self.created_at),
        }


class Spaces:
    """All spaces, in memory and in the store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._all: dict[str, Space] = {}
        for row in store.rows("SELECT * FROM spaces ORDER BY name"):
            settings = parse_settings(json.loads(row["settings"]))
            self._all[row["name"]] = Space(row["name"], row["token"], settings, row["created_at"])

    def put(self, name: str, given: dict[str, Any]) -> Space:
        """Make a space or replace its settings; objects and token stay unless a ``token`` is given."""
        if not _NAME.fullmatch(name):
            raise ApiError(422, "bad_name", "a space is named by up to 64 of a-z, 0-9, - and _")
        wanted = dict(given)
        token = wanted.pop("token", None)
        if token is not None and not (isinstance(token, str) and _TOKEN.fullmatch(token)):
            raise ApiError(422, "bad_token", "a token is 8 to 200 visible ASCII characters")
        settings = parse_settings(wanted)
        space = self._all.get(name) or Space(name, secrets.token_urlsafe(24), settings, clock.now())
        space.settings = settings
        space.token = token or space.token
        self._store.write(
            "INSERT INTO spaces (name, token, settings, created_at) VALUES (?,?,?,?)"
            " ON CONFLICT (name) DO UPDATE SET token=excluded.token, settings=excluded.settings",
            (name, space.token, json.dumps(settings.as_json()), space.created_at),
        )
        self._all[name] = space
        return space

    def get(self, name: str) -> Space:
        """The space; ApiError 404 when there is none."""
        space = self._all.get(name)
        if space is None:
            raise ApiError(404, "unknown_space", "there is no such space")
        return space

    def check_alive(self, space: Space) -> None:
        """ApiError 404 when the space was deleted while a call waited, even if its name lives again."""
        if self._all.get(space.name) is not space:
            raise ApiError(404, "unknown_space", "the space was deleted meanwhile")

    def drop(self, name: str) -> None:
        """Forget a space and all that is in it."""
        self.get(name)
        self._store.write(
            "DELETE FROM files WHERE serial IN (SELECT serial FROM objects WHERE space=?)", (name,)
        )
        for statement in (
            "DELETE FROM objects WHERE space=?",
            "DELETE FROM replays WHERE space=?",
            "DELETE FROM calls WHERE space=?",
            "DELETE FROM spaces WHERE name=?",
        ):
            self._store.write(statement, (name,))
        del self._all[name]

    def listing(self) -> list[Space]:
        """All spaces by name."""
        return sorted(self._all.values(), key=lambda space: space.name)
