"""What Ghost's answer to an effect proves.

A create and an update are one transaction each, and what they refuse (400, 401, 403, 404, 422) they refuse before its
end: nothing stays behind. A 500 says nothing: so are the losers of a race for one slug answered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from once_delivery.common.http import HttpResult
from once_delivery.targets.base import Answer, FoundObject, Original, Outcome
from once_delivery.targets.ghost.site import error_of
from once_delivery.targets.http_json.documents import UnreadableError, is_html, parse_json
from once_delivery.targets.http_json.reading import retry_after
from once_delivery.targets.http_json.sending import answer_of
from once_delivery.targets.outcomes import outcome_of

_OK, _CREATED, _NO_CONTENT, _CONFLICT = 200, 201, 204, 409


@dataclass(frozen=True, slots=True)
class Judge:
    """``read`` makes an object of a post."""

    read: Callable[[Mapping[str, Any]], FoundObject]
    secrets: tuple[str, ...] = ()

    def created(self, marker: str, result: HttpResult) -> Answer:
        """DONE needs an ID, our marker, and the slug as it was sent."""
        post = self._post(result) if result.status == _CREATED else None
        if post is None:
            return self._not_done(result)
        found = self.read(post)
        doubt = _doubt(found, marker, result)
        if not doubt and post.get("slug") != marker:
            # something had the slug before: perhaps an earlier one of ours
            doubt = "slug-suffixed"
        return (
            self._say(Outcome.UNKNOWN, doubt, result, marker=found.marker)
            if doubt
            else self._done(found, result)
        )

    def updated(self, original: Original, result: HttpResult) -> Answer:
        """DONE needs the original's ID, and no marker but its own."""
        post = self._post(result) if result.status == _OK else None
        if post is None:
            return self._not_done(result)
        found = self.read(post)
        # an editor may have taken the marker away, or not
        doubt = _doubt(found, original.marker if found.marker is not None else None, result)
        if not doubt and found.result_id != original.result_id:
            doubt = "wrong-id"
        return (
            self._say(Outcome.UNKNOWN, doubt, result, marker=found.marker)
            if doubt
            else self._done(found, result)
        )

    def removed(self, result: HttpResult) -> Answer:
        """204, and nothing else, says that it is gone."""
        if result.status == _NO_CONTENT:
            return self._say(Outcome.DONE, "http-204", result)
        return self._not_done(result)

    def _post(self, result: HttpResult) -> Mapping[str, Any] | None:
        if result.cut:
            return None
        try:
            document = parse_json(result.body, result.headers.get("content-type", ""))
        except UnreadableError:
            return None
        posts = document.get("posts") if isinstance(document, Mapping) else None
        post = posts[0] if isinstance(posts, list) and len(posts) == 1 else None
        return post if isinstance(post, Mapping) else None

    def _done(self, found: FoundObject, result: HttpResult) -> Answer:
        return self._say(
            Outcome.DONE,
            f"http-{result.status}",
            result,
            result_id=found.result_id,
            marker=found.marker,
            url=found.url,
            version=found.version,
            detail="" if found.status == "draft" else f"status {found.status}",
        )

    def _not_done(self, result: HttpResult) -> Answer:
        if result.cut:
            return self._say(Outcome.UNKNOWN, result.cut, result)
        if is_html(result.body, result.headers.get("content-type", "")):
            # a proxy's, or a page of the site: what stands behind it may have done its work
            return self._say(Outcome.UNKNOWN, "html", result)
        wait = retry_after(result)
        outcome = outcome_of(result.status, retry_after=wait is not None)
        code = f"http-{result.status}"
        if outcome in {Outcome.DONE, Outcome.ACCEPTED}:
            outcome, code = Outcome.UNKNOWN, "no-id"
        error = error_of(result)
        if outcome in {Outcome.REFUSED, Outcome.EXISTS} and not error:
            outcome = Outcome.UNKNOWN  # not in Ghost's words
        if result.status == _CONFLICT and outcome == Outcome.EXISTS:
            code = "update-collision"
        words = [str(error[name]) for name in ("code", "message", "context") if error.get(name)]
        return self._say(outcome, code, result, retry_after_s=wait, detail=": ".join(words)[:500])

    def _say(self, outcome: Outcome, code: str, result: HttpResult, **more: Any) -> Answer:
        return answer_of(outcome, code, result, secrets=self.secrets, **more)


def _doubt(found: FoundObject, marker: str | None, result: HttpResult) -> str:
    if not found.result_id:
        return "no-id"
    if found.marker != marker:
        return "marker-missing" if found.marker is None else "marker-mismatch"
    return "" if result.sent_whole else "answered-early"
