"""What Directus's answer to a write proves.

The write of an item is one transaction, and the answer is read after it: an account that may not read what it wrote is
told 204 without a word. An upload is none: its row comes first, its bytes follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from once_delivery.common.http import HttpResult
from once_delivery.targets.base import Answer, FoundObject, Outcome
from once_delivery.targets.directus.objects import INCOMPLETE
from once_delivery.targets.http_json.documents import UnreadableError, parse_json
from once_delivery.targets.http_json.reading import retry_after
from once_delivery.targets.http_json.sending import answer_of
from once_delivery.targets.outcomes import outcome_of

_OK, _UNAVAILABLE = 200, 503
_NOT_UNIQUE, _PRESSURE = "RECORD_NOT_UNIQUE", "SERVICE_UNAVAILABLE"


@dataclass(frozen=True, slots=True)
class Judge:
    """``marker`` and ``result_id`` (if we know it) are what the object must have; ``read`` makes one of an answer.

    ``ours`` are the fields whose "has to be unique" means that our marker is there. With ``sure`` any other such field
    means content that clashes; without it a look-up tells, since what clashes may be our own earlier draft.
    """

    marker: str
    result_id: str
    ours: frozenset[str]
    read: Callable[[Mapping[str, Any]], FoundObject]
    draft_value: str = ""
    sure: bool = True
    secrets: tuple[str, ...] = ()

    def judge(self, result: HttpResult) -> Answer:
        """DONE needs an ID and our marker; what cannot be read is UNKNOWN."""
        if result.cut:
            return self._say(Outcome.UNKNOWN, result.cut, result)
        try:
            document = parse_json(result.body, result.headers.get("content-type", ""))
        except UnreadableError as error:
            # a proxy's page, or 204: what stands behind it has perhaps done its work
            return self._say(Outcome.UNKNOWN, error.code, result)
        if result.status == _OK:
            return self._written(document, result)
        return self._not_written(document, result)

    def _written(self, document: Any, result: HttpResult) -> Answer:
        data = document.get("data") if isinstance(document, Mapping) else None
        if data == []:
            # of an update by query: nothing was in the state that it was for
            return self._say(Outcome.EXISTS, "not-as-it-was", result)
        item = data[0] if isinstance(data, list) and len(data) == 1 else data
        found = self.read(item) if isinstance(item, Mapping) else None
        if found is None or not found.result_id:
            return self._say(Outcome.UNKNOWN, "no-id", result)
        doubt = self._doubt(found, result)
        if doubt:
            return self._say(Outcome.UNKNOWN, doubt, result, marker=found.marker)
        return self._say(
            Outcome.DONE,
            "http-200",
            result,
            result_id=found.result_id,
            marker=found.marker,
            url=found.url,
            version=found.version,
            detail=f"status {found.status}" if self.draft_value and found.status != self.draft_value else "",
        )

    def _doubt(self, found: FoundObject, result: HttpResult) -> str:
        if found.marker != self.marker:
            return "marker-missing" if found.marker is None else "marker-mismatch"
        if self.result_id and found.result_id != self.result_id:
            return "id-mismatch"
        if found.status == INCOMPLETE:
            return "file-incomplete"
        return "" if result.sent_whole else "answered-early"

    def _not_written(self, document: Any, result: HttpResult) -> Answer:
        wait, detail = retry_after(result), _first_reason(document)
        for code, extensions in _errors(document):
            if code == _NOT_UNIQUE:
                return self._not_unique(extensions.get("field"), detail, result)
        # answered before anything else is done, so that nothing was; other parts say 503 in the middle of it
        early = any(code == _PRESSURE and more.get("service") == "api" for code, more in _errors(document))
        outcome = outcome_of(
            result.status,
            retry_after=wait is not None,
            overrides={_UNAVAILABLE: Outcome.NOT_DONE} if early else None,
        )
        if outcome in {Outcome.DONE, Outcome.ACCEPTED}:
            outcome = Outcome.UNKNOWN  # not what a write answers
        return self._say(outcome, f"http-{result.status}", result, retry_after_s=wait, detail=detail)

    def _not_unique(self, field: Any, detail: str, result: HttpResult) -> Answer:
        if field in self.ours:
            return self._say(Outcome.EXISTS, "already-exists", result, detail=detail)
        if isinstance(field, str) and self.sure:
            return self._say(Outcome.REFUSED, "not-unique", result, detail=detail)
        return self._say(Outcome.EXISTS, "perhaps-exists", result, detail=detail)

    def _say(self, outcome: Outcome, code: str, result: HttpResult, **more: Any) -> Answer:
        return answer_of(outcome, code, result, secrets=self.secrets, **more)


def _first_reason(document: Any) -> str:
    errors = document.get("errors") if isinstance(document, Mapping) else None
    first = errors[0] if isinstance(errors, list) and errors else None
    message = first.get("message") if isinstance(first, Mapping) else None
    return message[:500] if isinstance(message, str) else ""


def _errors(document: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    errors = document.get("errors") if isinstance(document, Mapping) else None
    for error in errors if isinstance(errors, list) else ():
        extensions = error.get("extensions") if isinstance(error, Mapping) else None
        if isinstance(extensions, Mapping):
            yield str(extensions.get("code")), extensions
