"""What Strapi's answer to a request proves.

A create or an update of a document is one transaction: what Strapi refuses in its own words has made nothing. The losers of
a race for a unique index are told by our plugin (409), or by Strapi as any failure of the server (500).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from once_delivery.common.http import HttpResult
from once_delivery.targets import updating
from once_delivery.targets.base import Answer, FoundObject, Outcome
from once_delivery.targets.http_json.documents import UnreadableError, parse_json
from once_delivery.targets.http_json.reading import retry_after
from once_delivery.targets.http_json.sending import answer_of
from once_delivery.targets.outcomes import outcome_of
from once_delivery.targets.strapi.objects import Document, Row, found_document, found_file
from once_delivery.targets.strapi.parameters import Parameters

_CREATED, _CONFLICT = 201, 409
# the plugin's words for an update that must not be done
_AS_IT_WAS = frozenset({updating.GONE, updating.CHANGED, updating.PUBLISHED})


@dataclass(frozen=True, slots=True)
class Judge:
    """``marker`` is what the object must carry; ``success`` the status of a request that was done."""

    parameters: Parameters
    base_url: str
    marker: str
    success: int = _CREATED
    file: bool = False
    secrets: tuple[str, ...] = ()

    def judge(self, result: HttpResult) -> Answer:
        """DONE needs an ID and our marker; what cannot be read is UNKNOWN."""
        if result.cut:
            return self._say(Outcome.UNKNOWN, result.cut, result)
        try:
            document = parse_json(result.body, result.headers.get("content-type", ""))
        except UnreadableError as error:
            # a proxy's page or the admin panel's: what stands behind it may have done its work
            return self._say(Outcome.UNKNOWN, error.code, result)
        if result.status == self.success:
            return self._done(document, result)
        return self._not_done(document, result)

    def _done(self, document: Any, result: HttpResult) -> Answer:
        found = self._object(document)
        if isinstance(found, str):
            return self._say(Outcome.UNKNOWN, found, result)
        doubt = "" if result.sent_whole else "answered-early"
        if found.marker != self.marker:
            doubt = "marker-mismatch" if found.marker else "marker-missing"
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
            # a type without drafts has nothing else
            detail="" if found.status in {"draft", "stored"} else f"status {found.status}",
        )

    def _object(self, document: Any) -> FoundObject | str:
        """The object that was made, or the code of the reason why none can be seen."""
        if self.file:
            (item,) = document if isinstance(document, list) and len(document) == 1 else (None,)
            found = found_file(item, self.base_url) if isinstance(item, Mapping) else None
        else:
            item = document.get("data") if isinstance(document, Mapping) else None
            if isinstance(item, Mapping) and "attributes" in item:
                return "strapi-4"
            found = self._draft(item) if isinstance(item, Mapping) else None
        return found if found is not None and found.result_id else "no-id"

    def _draft(self, item: Mapping[str, Any]) -> FoundObject:
        row = Row(item, public=item.get("publishedAt") is not None)
        return found_document(self.parameters, Document((row,)), self.base_url)

    def _not_done(self, document: Any, result: HttpResult) -> Answer:
        error = document.get("error") if isinstance(document, Mapping) else None
        said = error if isinstance(error, Mapping) and error.get("status") == result.status else {}
        details = said.get("details")
        code = details.get("code") if isinstance(details, Mapping) else None
        words = f"{said.get('name')}: {said.get('message')}"[:500] if said else ""
        if code in _AS_IT_WAS:
            return self._say(Outcome.EXISTS, str(code), result, detail=words)
        if result.status == _CONFLICT and code == "already-exists":
            return self._say(Outcome.EXISTS, "already-exists", result, detail=words)
        wait = retry_after(result)
        outcome = outcome_of(result.status, retry_after=wait is not None)
        if outcome in {Outcome.DONE, Outcome.ACCEPTED} or (outcome == Outcome.REFUSED and not said):
            outcome = Outcome.UNKNOWN  # not what Strapi answers, or not Strapi
        return self._say(outcome, f"http-{result.status}", result, retry_after_s=wait, detail=words)

    def _say(self, outcome: Outcome, code: str, result: HttpResult, **more: Any) -> Answer:
        return answer_of(outcome, code, result, secrets=self.secrets, **more)
