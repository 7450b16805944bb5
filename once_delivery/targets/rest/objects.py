"""From the target's JSON to a FoundObject, by declared pointers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urljoin, urlsplit

from jsonpointer import JsonPointer

from once_delivery.common import redact
from once_delivery.targets.base import FoundObject
from once_delivery.targets.rest.documents import MISSING, at

_ID_LONGEST = 300
_TEXT_LONGEST = 300
_URL_LONGEST = 1000
_MILLISECONDS = 100_000_000_000  # seconds would be in the year 5138


@dataclass(frozen=True, slots=True)
class ObjectMap:
    """Where in a document the parts of an object stand."""

    pointers: Mapping[str, JsonPointer]
    base_url: str
    trashed_words: tuple[Any, ...] = ()
    succeeded: frozenset[str] = frozenset()
    failed: frozenset[str] = frozenset()

    @classmethod
    def read(cls, declared: Mapping[str, Any], base_url: str) -> ObjectMap:
        """From a declaration that fits the schema."""
        pointers = {name: JsonPointer(value) for name, value in declared.items() if isinstance(value, str)}
        trashed, state = declared.get("trashed", {}), declared.get("state", {})
        for name, part in (("trashed", trashed), ("state", state)):
            if part:
                pointers[name] = JsonPointer(part["pointer"])
        return cls(
            pointers=pointers,
            base_url=base_url,
            trashed_words=tuple(trashed.get("in", ())),
            succeeded=frozenset(state.get("succeeded", ())),
            failed=frozenset(state.get("failed", ())),
        )

    @property
    def has_marker(self) -> bool:
        return "marker" in self.pointers

    @property
    def has_state(self) -> bool:
        return "state" in self.pointers

    def find(self, document: Any) -> FoundObject | None:
        """The object that ``document`` tells of; None when it has no ID that can be read."""
        result_id = identifier(self._at("id", document))
        if not result_id:
            return None
        state = self._at("state", document)
        return FoundObject(
            result_id=result_id,
            marker=_marker(self._at("marker", document)),
            url=self._url(self._at("url", document)),
            status=_text(self._at("status", document)) or _text(state),
            title=_text(self._at("title", document)),
            created_at=_moment(self._at("created_at", document)),
            updated_at=_moment(self._at("updated_at", document)),
            content_hash=_text(self._at("content_hash", document)),
            finished=not self.has_state or _is_one(state, self.succeeded | self.failed),
            failed=_is_one(state, self.failed),
            trashed=_is_one(self._at("trashed", document), self.trashed_words),
            usage=_usage(self._at("usage", document)),
        )

    def _at(self, name: str, document: Any) -> Any:
        return at(self.pointers.get(name), document)

    def _url(self, value: Any) -> str:
        """Only http(s), since a person will press it."""
        if not isinstance(value, str) or not value or len(value) > _URL_LONGEST:
            return ""
        try:
            url = urljoin(self.base_url, value)
            fine = (
                urlsplit(url).scheme in {"http", "https"} and url.isprintable() and len(url) <= _URL_LONGEST
            )
        except ValueError:
            return ""
        return url if fine else ""


def identifier(value: Any) -> str:
    """``value`` as a result ID, or nothing when it cannot be one."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    text = str(value)
    fine = len(text) <= _ID_LONGEST and text.isprintable() and text == text.strip()
    return text if fine else ""


def _marker(value: Any) -> str | None:
    return redact.storable(value)[:_TEXT_LONGEST] if isinstance(value, str) else None


def _text(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return redact.storable(str(value))[:_TEXT_LONGEST]


def _is_one(value: Any, words: Any) -> bool:
    # 1 == True in Python, not in JSON
    return any(type(value) is type(word) and value == word for word in words)


def _moment(value: Any) -> datetime | None:
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000 if abs(value) > _MILLISECONDS else value, tz=UTC)
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except (ValueError, OverflowError, OSError):
        return None
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment


def _usage(value: Any) -> Mapping[str, Any]:
    usage = redact.data(value) if isinstance(value, Mapping) and value is not MISSING else {}
    return dict(usage)
