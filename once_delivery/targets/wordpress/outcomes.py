"""What WordPress's answer to a create proves.

A create there is no transaction: the post is inserted first, its terms, fields and picture follow, and a refusal of one
of those (400 for a value that does not fit, 403 for a field that this account may not write) leaves the post behind. So
only refusals that are known to come before the insert are taken as such; all others are looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from once_delivery.common.http import HttpResult
from once_delivery.targets.base import Answer, FoundObject, Outcome
from once_delivery.targets.http_json.documents import UnreadableError, parse_json
from once_delivery.targets.http_json.reading import retry_after
from once_delivery.targets.http_json.sending import answer_of
from once_delivery.targets.outcomes import outcome_of

_CREATED, _OK = 201, 200
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
        "once_no_type", "once_not_ready",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judge:
    """``read`` makes an object of the answer."""

    marker: str
    read: Callable[[Mapping[str, Any]], FoundObject]
    secrets: tuple[str, ...] = ()

    def judge(self, result: HttpResult) -> Answer:
        """DONE needs an ID and our marker; what cannot be read is UNKNOWN."""
        if result.cut:
            return self._say(Outcome.UNKNOWN, result.cut, result)
        try:
            document = parse_json(result.body, result.headers.get("content-type", ""))
        except UnreadableError as error:
            # PHP's, nginx's or a firewall's page: what stands behind it may have done its work
            code = f"http-{result.status}" if result.status not in {_OK, _CREATED} else error.code
            return self._say(Outcome.UNKNOWN, code, result)
        if not isinstance(document, Mapping):
            return self._say(Outcome.UNKNOWN, "unreadable-json", result)
        if result.status == _CREATED:
            return self._created(document, result)
        if result.status == _OK and document.get("once_created") is False:
            found = self.read(document)
            return self._say(
                Outcome.EXISTS, "already-exists", result, result_id=found.result_id, marker=found.marker
            )
        return self._not_created(document, result)

    def _created(self, document: Mapping[str, Any], result: HttpResult) -> Answer:
        found = self.read(document)
        if not found.result_id:
            return self._say(Outcome.UNKNOWN, "no-id", result)
        doubt = "" if result.sent_whole else "answered-early"
        if found.marker != self.marker:
            doubt = "marker-missing" if found.marker is None else "marker-mismatch"
        elif document.get("slug") != self.marker and not document.get("once_marker"):
            # something had the slug before: perhaps an earlier one of ours
            doubt = "slug-suffixed"
        if doubt:
            return self._say(Outcome.UNKNOWN, doubt, result, marker=found.marker)
        return self._say(
            Outcome.DONE,
            "http-201",
            result,
            result_id=found.result_id,
            marker=found.marker,
            url=found.url,
            detail="" if found.status in {"draft", "inherit"} else f"status {found.status}",
        )

    def _not_created(self, document: Mapping[str, Any], result: HttpResult) -> Answer:
        said = document.get("code")
        wait = retry_after(result)
        outcome = outcome_of(result.status, retry_after=wait is not None)
        if outcome in {Outcome.DONE, Outcome.ACCEPTED}:
            outcome = Outcome.UNKNOWN  # not what a create answers
        known = result.status == _UNAUTHORIZED or said in _BEFORE_THE_INSERT
        if outcome == Outcome.REFUSED and not known:
            outcome = Outcome.UNKNOWN
        detail = f"{said}: {document.get('message')}"[:500] if isinstance(said, str) else ""
        return self._say(outcome, f"http-{result.status}", result, retry_after_s=wait, detail=detail)

    def _say(self, outcome: Outcome, code: str, result: HttpResult, **more: Any) -> Answer:
        return answer_of(outcome, code, result, secrets=self.secrets, **more)
