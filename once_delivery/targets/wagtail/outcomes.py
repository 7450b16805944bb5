"""What Wagtail's answer to a create or an update proves.

Both are one transaction: a 4xx has made nothing. The losers of a race for the unique field are answered in
three ways: 422 that names the field, 422 that names none, and 500 (the database's error gets through).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from once_delivery.common.http import HttpResult
from once_delivery.targets.base import Answer, FoundObject, Outcome
from once_delivery.targets.http_json.documents import UnreadableError, parse_json
from once_delivery.targets.http_json.reading import retry_after
from once_delivery.targets.http_json.sending import answer_of
from once_delivery.targets.outcomes import outcome_of

_INVALID = 422
_CREATED = 201
_SERVER_ERROR = 500
_UNIQUE_VIOLATION = (b"duplicate key value", b"UNIQUE constraint failed", b"Duplicate entry")


@dataclass(frozen=True, slots=True)
class Judge:
    """``taken`` are the fields whose "in use already" means that our marker is there; ``success`` is a status."""

    marker: str
    taken: frozenset[str]
    read: Callable[[Mapping[str, Any]], FoundObject]
    secrets: tuple[str, ...] = ()
    success: int = _CREATED

    def judge(self, result: HttpResult) -> Answer:
        """DONE needs an ID and our marker; what cannot be read is UNKNOWN."""
        if result.cut:
            return self._say(Outcome.UNKNOWN, result.cut, result)
        if result.status == _SERVER_ERROR:
            # without DEBUG Django says nothing about why; both lead to a look-up
            broke = any(words in result.body for words in _UNIQUE_VIOLATION)
            if broke:
                return self._say(Outcome.EXISTS, "unique-violation", result)
            return self._say(Outcome.UNKNOWN, "http-500", result)
        try:
            document = parse_json(result.body, result.headers.get("content-type", ""))
        except UnreadableError as error:
            # a proxy's page: what stands behind it may have done its work
            return self._say(Outcome.UNKNOWN, error.code, result)
        if result.status == self.success:
            return self._done(document, result)
        return self._not_done(document, result)

    def _done(self, document: Any, result: HttpResult) -> Answer:
        found = self.read(document) if isinstance(document, Mapping) else None
        if found is None or not found.result_id:
            return self._say(Outcome.UNKNOWN, "no-id", result)
        doubt = "" if result.sent_whole else "answered-early"
        if found.marker != self.marker:
            doubt = "marker-missing" if found.marker is None else "marker-mismatch"
        if doubt:
            return self._say(Outcome.UNKNOWN, doubt, result, marker=found.marker)
        return self._say(
            Outcome.DONE,
            f"http-{result.status}",
            result,
            result_id=found.result_id,
            marker=found.marker,
            url=found.url,
            version=found.version,
        )

    def _not_done(self, document: Any, result: HttpResult) -> Answer:
        code = f"http-{result.status}"
        if result.status == _INVALID:
            fields = set(_in_use(document))
            if fields & self.taken:
                return self._say(Outcome.EXISTS, "already-exists", result)
            if any(not error.get("loc") for error in _errors(document)):
                # the loser of a race is told by the model, not by the form, and the field's name gets lost
                return self._say(Outcome.EXISTS, "perhaps-exists", result, detail=_first_reason(document))
            code = "slug-refused" if "slug" in fields else code
        wait = retry_after(result)
        outcome = outcome_of(result.status, retry_after=wait is not None)
        if outcome in {Outcome.DONE, Outcome.ACCEPTED}:
            outcome = Outcome.UNKNOWN  # not what it answers
        return self._say(outcome, code, result, retry_after_s=wait, detail=_first_reason(document))

    def _say(self, outcome: Outcome, code: str, result: HttpResult, **more: Any) -> Answer:
        return answer_of(outcome, code, result, secrets=self.secrets, **more)


def _in_use(document: Any) -> Iterator[str]:
    """The fields that the site says are taken: unique ones, and the slug below its parent."""
    for error in _errors(document):
        place = error.get("loc")
        if not isinstance(place, list) or not place:
            continue
        if error.get("type") == "unique" or (place[-1] == "slug" and error.get("type") == "invalid"):
            yield str(place[-1])


def _first_reason(document: Any) -> str:
    for error in _errors(document):
        return f"{error.get('loc')}: {error.get('msg')}"[:500]
    detail = document.get("detail") if isinstance(document, Mapping) else None
    return detail[:500] if isinstance(detail, str) else ""


def _errors(document: Any) -> Iterator[Mapping[str, Any]]:
    errors = document.get("errors") if isinstance(document, Mapping) else None
    for error in errors if isinstance(errors, list) else ():
        if isinstance(error, Mapping):
            yield error
