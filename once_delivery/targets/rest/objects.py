"""From the target's JSON to a FoundObject, by declared pointers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin, urlsplit

from jsonpointer import JsonPointer

from once_delivery.common import redact
from once_delivery.targets.base import FoundObject
from once_delivery.targets.http_json.documents import MISSING, at
from once_delivery.targets.http_json.values import identifier, marker_text, moment, plain_text

_URL_LONGEST = 1000


@dataclass(frozen=True, slots=True)
class ObjectMap:
    """Where in a document the parts of an object stand."""

    pointers: Mapping[str, JsonPointer]
    base_url: str
    trashed_words: tuple[Any, ...] = ()
    succeeded: frozenset[str] = frozenset()
    failed: frozenset[str] = frozenset()
    version_header: str = ""
    content: Mapping[str, JsonPointer] = field(default_factory=dict)

    @classmethod
    def read(cls, declared: Mapping[str, Any], base_url: str) -> ObjectMap:
        """From a declaration that fits the schema."""
        pointers = {name: JsonPointer(value) for name, value in declared.items() if isinstance(value, str)}
        trashed, state = declared.get("trashed", {}), declared.get("state", {})
        for name, part in (("trashed", trashed), ("state", state)):
            if part:
                pointers[name] = JsonPointer(part["pointer"])
        version = declared.get("version")
        return cls(
            pointers=pointers,
            base_url=base_url,
            trashed_words=tuple(trashed.get("in", ())),
            succeeded=frozenset(state.get("succeeded", ())),
            failed=frozenset(state.get("failed", ())),
            version_header=version["header"].lower() if isinstance(version, Mapping) else "",
            content={name: JsonPointer(text) for name, text in declared.get("content", {}).items()},
        )

    @property
    def has_marker(self) -> bool:
        return "marker" in self.pointers

    @property
    def has_state(self) -> bool:
        return "state" in self.pointers

    @property
    def has_version(self) -> bool:
        return bool(self.version_header) or "version" in self.pointers

    def find(self, document: Any, headers: Mapping[str, str] | None = None) -> FoundObject | None:
        """The object that ``document`` tells of; None when it has no ID that can be read.

        ``headers`` are those of the answer, where it tells of this object alone; its content is not read.
        """
        result_id = identifier(self._at("id", document))
        if not result_id:
            return None
        state = self._at("state", document)
        return FoundObject(
            result_id=result_id,
            marker=marker_text(self._at("marker", document)),
            url=self._url(self._at("url", document)),
            status=plain_text(self._at("status", document)) or plain_text(state),
            title=plain_text(self._at("title", document)),
            created_at=moment(self._at("created_at", document)),
            updated_at=moment(self._at("updated_at", document)),
            content_hash=plain_text(self._at("content_hash", document)),
            finished=not self.has_state or _is_one(state, self.succeeded | self.failed),
            failed=_is_one(state, self.failed),
            trashed=_is_one(self._at("trashed", document), self.trashed_words),
            usage=_usage(self._at("usage", document)),
            version=identifier((headers or {}).get(self.version_header, self._at("version", document))),
        )

    def content_of(self, document: Any) -> dict[str, str]:
        """What a person reads in the object, by the names of our payload."""
        found = {name: at(pointer, document) for name, pointer in self.content.items()}
        return {name: redact.storable(text) for name, text in found.items() if isinstance(text, str)}

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


def _is_one(value: Any, words: Any) -> bool:
    # 1 == True in Python, not in JSON
    return any(type(value) is type(word) and value == word for word in words)


def _usage(value: Any) -> Mapping[str, Any]:
    usage = redact.data(value) if isinstance(value, Mapping) and value is not MISSING else {}
    return dict(usage)
