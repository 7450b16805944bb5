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
from once_delivery.targets.rest.conditions import Condition, all_hold, read_conditions

_URL_LONGEST = 1000


@dataclass(frozen=True, slots=True)
class ObjectMap:
    """Where in a document the parts of an object stand."""

    pointers: Mapping[str, JsonPointer]
    base_url: str
    id_prefix: str = ""
    trashed_words: tuple[Any, ...] = ()
    trashed_where: tuple[Condition, ...] = ()
    statuses: tuple[tuple[str, tuple[Condition, ...]], ...] = ()
    public: frozenset[str] = frozenset()
    succeeded: frozenset[str] = frozenset()
    failed: frozenset[str] = frozenset()
    version_header: str = ""
    content: Mapping[str, JsonPointer] = field(default_factory=dict)

    @classmethod
    def read(cls, declared: Mapping[str, Any], base_url: str) -> ObjectMap:
        """From a declaration that fits the schema."""
        pointers = {name: JsonPointer(value) for name, value in declared.items() if isinstance(value, str)}
        trashed, state = declared.get("trashed", {}), declared.get("state", {})
        thing, status, version = declared["id"], declared.get("status"), declared.get("version")
        for name, part in (("trashed", trashed), ("state", state), ("id", thing)):
            if isinstance(part, Mapping) and "pointer" in part:
                pointers[name] = JsonPointer(part["pointer"])
        return cls(
            pointers=pointers,
            base_url=base_url,
            id_prefix=thing["without_prefix"] if isinstance(thing, Mapping) else "",
            trashed_words=tuple(trashed.get("in", ())),
            trashed_where=read_conditions(trashed.get("where", {})),
            statuses=tuple(
                (one["word"], read_conditions(one.get("where", {})))
                for one in (status if isinstance(status, list) else ())
            ),
            public=frozenset(declared.get("public", ())),
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
        result_id = identifier(self._at("id", document)).removeprefix(self.id_prefix)
        if not result_id:
            return None
        state = self._at("state", document)
        return FoundObject(
            result_id=result_id,
            marker=marker_text(self._at("marker", document)),
            url=self._url(self._at("url", document)),
            status=self._status(document) or plain_text(state),
            title=plain_text(self._at("title", document)),
            created_at=moment(self._at("created_at", document)),
            updated_at=moment(self._at("updated_at", document)),
            content_hash=plain_text(self._at("content_hash", document)),
            finished=not self.has_state or _is_one(state, self.succeeded | self.failed),
            failed=_is_one(state, self.failed),
            trashed=self._is_trashed(document),
            usage=_usage(self._at("usage", document)),
            version=identifier((headers or {}).get(self.version_header, self._at("version", document))),
        )

    def content_of(self, document: Any) -> dict[str, str]:
        """What a person reads in the object, by the names of our payload."""
        found = {name: at(pointer, document) for name, pointer in self.content.items()}
        return {name: redact.storable(text) for name, text in found.items() if isinstance(text, str)}

    def _status(self, document: Any) -> str:
        """The target's own word; where it has none, the declared one of the first conditions that hold."""
        for word, conditions in self.statuses:
            if all_hold(conditions, document):
                return word
        return plain_text(self._at("status", document))

    def _is_trashed(self, document: Any) -> bool:
        if self.trashed_where:
            return all_hold(self.trashed_where, document)
        return _is_one(self._at("trashed", document), self.trashed_words)

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
