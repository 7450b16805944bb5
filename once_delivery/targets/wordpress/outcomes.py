"""What WordPress's answer to a create, an update or a delete proves.

A create there is no transaction: the post is inserted first, its terms, fields and picture follow, and a refusal of one
of those (400 for a value that does not fit, 403 for a field that this account may not write) leaves the post behind. So
only refusals that are known to come before the insert are taken as such; all others are looked up. An update likewise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from once_delivery.common.http import HttpResult
from once_delivery.targets import updating
from once_delivery.targets.base import Answer, FoundObject, Outcome
from once_delivery.targets.http_json.documents import UnreadableError, parse_json
from once_delivery.targets.http_json.reading import retry_after
from once_delivery.targets.http_json.sending import answer_of
from once_delivery.targets.outcomes import outcome_of

_CREATED, _OK = 201, 200
_NOT_THERE, _CHANGED = 404, 412
_UNAUTHORIZED = 401  # nobody is no account: asked before anything else

# Codes of WordPress 6.1's own that come before its insert.
_BEFORE_THE_INSERT = frozenset(
    {
        "rest_invalid_json", "rest_invalid_param", "rest_missing_callback_param", "rest_no_route",
        "rest_post_exists", "empty_content",
        "rest_cannot_create", "rest_cannot_edit_others", "rest_cannot_publish", "rest_cannot_assign_sticky",
        "rest_cannot_assign_term", "rest_forbidden",
        "rest_upload_no_data", "rest_upload_no_content_type", "rest_upload_no_content_disposition",
        "rest_upload_invalid_disposition", "rest_upload_hash_mismatch", "rest_upload_limited_space",
        "rest_upload_file_too_big", "rest_upload_user_quota_exceeded",
        "rest_cannot_edit", "rest_cannot_delete", "rest_user_cannot_delete_post",
        "once_no_type", "once_not_ready",
    }
)  # fmt: skip
_NO_SUCH_POST = "rest_post_invalid_id"
_NOT_AS_IT_WAS = {
    (_NOT_THERE, _NO_SUCH_POST): updating.GONE,
    (_CHANGED, "once_changed"): updating.CHANGED,
}


@dataclass(frozen=True, slots=True)
class Judge:
    """``read`` makes an object of the answer; ``update``: the object was there before, and ``marker`` is its own."""

    marker: str
    read: Callable[[Mapping[str, Any]], FoundObject]
    secrets: tuple[str, ...] = ()
    update: bool = False

    def judge(self, result: HttpResult) -> Answer:
        """DONE needs an ID and our marker; what cannot be read is UNKNOWN."""
        document = document_or_doubt(result)
        if isinstance(document, str):
            return self._say(Outcome.UNKNOWN, document, result)
        if result.status == (_OK if self.update else _CREATED):
            return self._done(document, result)
        if result.status == _OK and document.get("once_created") is False:
            found = self.read(document)
            return self._say(
                Outcome.EXISTS, "already-exists", result, result_id=found.result_id, marker=found.marker
            )
        if self.update and (result.status, document.get("code")) in _NOT_AS_IT_WAS:
            code = _NOT_AS_IT_WAS[result.status, document["code"]]
            return self._say(Outcome.EXISTS, code, result)
        outcome, code = refusal(document, result)
        said = document.get("code")
        detail = f"{said}: {document.get('message')}"[:500] if isinstance(said, str) else ""
        return self._say(outcome, code, result, retry_after_s=retry_after(result), detail=detail)

    def _done(self, document: Mapping[str, Any], result: HttpResult) -> Answer:
        found = self.read(document)
        if not found.result_id:
            return self._say(Outcome.UNKNOWN, "no-id", result)
        doubt = self._doubt(found, document, result)
        if doubt:
            return self._say(Outcome.UNKNOWN, doubt, result, marker=found.marker)
        return self._say(
            Outcome.DONE,
            f"http-{result.status}",
            result,
            result_id=found.result_id,
            marker=found.marker,
            url=found.url,
            detail="" if found.status in {"draft", "inherit"} else f"status {found.status}",
            version=found.version,
        )

    def _doubt(self, found: FoundObject, document: Mapping[str, Any], result: HttpResult) -> str:
        if self.update and found.marker is None:
            return ""  # an editor chose another slug; the ID is the original's
        if found.marker != self.marker:
            return "marker-missing" if found.marker is None else "marker-mismatch"
        if not self.update and document.get("slug") != self.marker and not document.get("once_marker"):
            return "slug-suffixed"  # something had the slug before: perhaps an earlier one of ours
        return "" if result.sent_whole else "answered-early"

    def _say(self, outcome: Outcome, code: str, result: HttpResult, **more: Any) -> Answer:
        return answer_of(outcome, code, result, secrets=self.secrets, **more)


def deleted(result: HttpResult) -> tuple[Outcome, str]:
    """What the answer to a delete proves, and its code."""
    document = document_or_doubt(result)
    if isinstance(document, str):
        return Outcome.UNKNOWN, document
    if result.status == _OK and document.get("deleted") is True:
        return Outcome.DONE, "http-200"
    if result.status == _NOT_THERE and document.get("code") == _NO_SUCH_POST:
        return Outcome.DONE, "not-there"
    return refusal(document, result)


def document_or_doubt(result: HttpResult) -> Mapping[str, Any] | str:
    """The JSON object of an answer, or the code of why there is none."""
    if result.cut:
        return result.cut
    try:
        document = parse_json(result.body, result.headers.get("content-type", ""))
    except UnreadableError as error:
        # PHP's, nginx's or a firewall's page: what stands behind it may have done its work
        return f"http-{result.status}" if result.status not in {_OK, _CREATED} else error.code
    return document if isinstance(document, Mapping) else "unreadable-json"


def refusal(document: Mapping[str, Any], result: HttpResult) -> tuple[Outcome, str]:
    """What is known after an answer that tells of no success."""
    outcome = outcome_of(result.status, retry_after=retry_after(result) is not None)
    if outcome in {Outcome.DONE, Outcome.ACCEPTED}:
        outcome = Outcome.UNKNOWN  # not what was asked for
    known = result.status == _UNAUTHORIZED or document.get("code") in _BEFORE_THE_INSERT
    if outcome == Outcome.REFUSED and not known:
        outcome = Outcome.UNKNOWN
    return outcome, f"http-{result.status}"
