"""From a service's JSON to a FoundObject, by declared pointers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jsonpointer import JsonPointer

from once_delivery.targets.base import FoundObject
from once_delivery.targets.http_json.documents import MISSING, at
from once_delivery.targets.http_json.values import identifier, marker_text, moment, plain_text
from once_delivery.targets.jobs.usage import addresses_in, expiry, usage_of

_NO_ERROR: tuple[Any, ...] = (MISSING, None, "", {}, [])
_URL_LONGEST = 1000  # of the one that is shown; all of them are in the usage


@dataclass(frozen=True, slots=True)
class Sought:
    """Whose job is looked for. A service that keeps our ID may allow it once: what failed has used it up."""

    marker: str = ""
    failed_before: int = 0

    @property
    def planted(self) -> str:
        """What our request puts into the service's field: the marker, with a number after a job that failed."""
        return f"{self.marker}-{self.failed_before + 1}" if self.failed_before else self.marker

    def owns(self, planted: str) -> bool:
        """Whether any try of the same action has planted this."""
        number = planted.removeprefix(f"{self.marker}-")
        return bool(self.marker) and (planted == self.marker or (number != planted and number.isdecimal()))


@dataclass(frozen=True, slots=True)
class JobMap:
    """Where in a document the parts of a job stand."""

    provider: str
    proven: str
    pointers: Mapping[str, JsonPointer]
    succeeded: frozenset[str] = frozenset()
    failed: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()
    error_fails: bool = False  # a job may be called succeeded and have its error beside it
    unit: str = ""
    currency: str = ""
    output_keep_s: float | None = None
    id_header: str = ""

    @classmethod
    def read(cls, declared: Mapping[str, Any], *, provider: str, proven: str) -> JobMap:
        """From a file that fits the schema."""
        state = declared.get("state", {})
        pointers = {
            name: JsonPointer(value)
            for name, value in declared.items()
            if isinstance(value, str) and name not in {"unit", "currency_is", "id_header"}
        }
        if state:
            pointers["state"] = JsonPointer(state["pointer"])
        return cls(
            provider=provider,
            proven=proven,
            pointers=pointers,
            succeeded=frozenset(state.get("succeeded", ())),
            failed=frozenset(state.get("failed", ())),
            absent=frozenset(state.get("absent", ())),
            error_fails=state.get("error_fails", False),
            unit=declared.get("unit", ""),
            currency=declared.get("currency_is", ""),
            output_keep_s=declared.get("output_keep_s"),
            id_header=declared.get("id_header", "").lower(),
        )

    @property
    def has_marker(self) -> bool:
        return "marker" in self.pointers

    def is_absent(self, document: Any) -> bool:
        """Whether the service answers with a job of which it says that there is none."""
        return bool(self.absent) and self._at("state", document) in self.absent

    def find(
        self, document: Any, sought: Sought, headers: Mapping[str, str] | None = None, result_id: str = ""
    ) -> FoundObject | None:
        """The job that ``document`` tells of; None when it has no ID that can be read.

        ``result_id`` is that of a job whose answer does not repeat it.
        """
        told = (headers or {}).get(self.id_header) if self.id_header else self._at("id", document)
        result_id = identifier(told) or result_id
        if not result_id:
            return None
        state = plain_text(self._at("state", document))
        error = self._at("error", document)
        failed = state in self.failed or (
            self.error_fails and state in self.succeeded and error not in _NO_ERROR
        )
        return FoundObject(
            result_id=result_id,
            marker=self._marker(document, sought),
            url=self._first_address(document),
            status=state,
            title=plain_text(self._at("model", document)),
            created_at=moment(self._at("created_at", document)),
            updated_at=moment(self._at("updated_at", document)),
            finished="state" not in self.pointers or failed or state in self.succeeded,
            failed=failed,
            usage=self._usage(document, result_id, headers or {}, error),
        )

    def _marker(self, document: Any, sought: Sought) -> str | None:
        echoed = marker_text(self._at("marker", document)) or None
        return sought.marker if echoed is not None and sought.owns(echoed) else echoed

    def _first_address(self, document: Any) -> str:
        outputs = addresses_in(self._at("output", document))
        return outputs[0] if outputs and len(outputs[0]) <= _URL_LONGEST else ""

    def _usage(
        self, document: Any, result_id: str, headers: Mapping[str, str], error: Any
    ) -> Mapping[str, Any]:
        outputs = addresses_in(self._at("output", document))
        ended = moment(self._at("updated_at", document)) or moment(self._at("created_at", document))
        told = moment(self._at("expires_at", document))
        return usage_of(
            provider=self.provider,
            proven=self.proven,
            job_id=result_id,
            request_id=plain_text(self._at("request_id", document)) or headers.get("x-request-id", "")[:300],
            units=self._at("units", document),
            unit=self.unit,
            amount=self._at("amount", document),
            currency=plain_text(self._at("currency", document)) or self.currency,
            outputs=outputs,
            outputs_expire_at=expiry(outputs, ended, self.output_keep_s, told),
            error=_words(error),
            raw=self._at("usage", document),
        )

    def _at(self, name: str, document: Any) -> Any:
        return at(self.pointers.get(name), document)


def _words(error: Any) -> str:
    if isinstance(error, Mapping):
        parts = (error.get("code"), error.get("message"))
        return ": ".join(str(part) for part in parts if isinstance(part, str | int) and part != "")
    return plain_text(error)
