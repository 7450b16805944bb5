"""The requests that have an effect: make a draft, change one in place, upload a picture, delete. Each is sent once."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta

from once_delivery.common.http import HttpRequest, HttpResult
from once_delivery.targets import updating
from once_delivery.targets.base import Answer, EffectRequest, FoundObject, Look, Original, Outcome, Verdict
from once_delivery.targets.ghost.images import image_body, uploaded
from once_delivery.targets.ghost.looks import read
from once_delivery.targets.ghost.objects import API, PUBLIC, found_object, updated_at_of
from once_delivery.targets.ghost.outcomes import Judge
from once_delivery.targets.ghost.payload import draft_body, update_body
from once_delivery.targets.ghost.site import Site
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.sending import send_once
from once_delivery.targets.http_json.values import moment

# Ghost compares "updated_at" by the second: two changes within one look alike to it
SECOND_IS_OVER = timedelta(seconds=2)
_ASKED = "?source=html&formats=html,lexical"
_FOR_GOOD = frozenset({"unauthorized", "forbidden", "not-found", "redirect"})
_NOT_FOUND = 404


@dataclass(slots=True)
class Sender:
    """What one key can do at one site. Raises PayloadError where no request can be made of the content."""

    secrets: tuple[str, ...] = field(repr=False)
    author: str | None = None  # whose key it is, once that is known; "" for an integration

    def create_draft(self, site: Site, request: EffectRequest) -> Answer:
        """Ghost wants a contributor to name themselves; who that is, it tells once."""
        draft_body(site.parameters, request, "")  # what cannot be said needs no asking
        if self.author is None:
            try:
                self.author = str(site.account().get("id", ""))
            except CutError as error:
                return _not_sent(error)
        result = self._send(
            site, "POST", f"/posts/{_ASKED}", draft_body(site.parameters, request, self.author)
        )
        return result if isinstance(result, Answer) else self._judge(site).created(request.marker, result)

    def update_draft(self, site: Site, request: EffectRequest, original: Original) -> Answer:
        """Ghost refuses what was written for an older ``updated_at``; the seconds between are ours to look after.

        A draft that was changed in the second of its ``updated_at`` shows another version than the one that we saw, and
        is left alone. A later change comes in a later second, once that second is over.
        """
        body = update_body(site.parameters, request, original)
        look = read(site, original.result_id)
        held_back = updating.held_back(judged(look, original, request.payload))
        if held_back is None and not _second_is_over(site, original.version):
            time.sleep(max(0.0, min(site.left_s, SECOND_IS_OVER.total_seconds())))
            look = read(site, original.result_id)
            held_back = updating.held_back(judged(look, original, request.payload))
        if held_back is not None:
            return held_back
        result = self._send(site, "PUT", f"/posts/{original.result_id}/{_ASKED}", body)
        if isinstance(result, Answer):
            return result
        answer = self._judge(site).updated(original, result)
        if (answer.outcome, answer.http_status) == (Outcome.REFUSED, _NOT_FOUND):
            return replace(answer, outcome=Outcome.EXISTS, code=updating.GONE)
        return answer

    def upload(self, site: Site, request: EffectRequest) -> Answer:
        """Every upload makes a file of its own."""
        body, content_type = image_body(request)
        result = self._send(site, "POST", "/images/upload/", body, content_type)
        return result if isinstance(result, Answer) else uploaded(request.marker, result, self.secrets)

    def remove(self, site: Site, result_id: str) -> Answer:
        """Delete a draft for good; what readers see is left alone, whatever the key may do."""
        look = read(site, result_id)
        if look.verdict != Verdict.FOUND:
            return Answer(Outcome.REFUSED, look.code or "not-found", http_status=look.http_status)
        (found,) = look.objects
        if found.status in PUBLIC:
            return Answer(Outcome.REFUSED, updating.PUBLISHED, detail=found.status)
        result = self._send(site, "DELETE", f"/posts/{result_id}/")
        if isinstance(result, Answer):
            return result
        answer = self._judge(site).removed(result)
        return replace(answer, result_id=result_id) if answer.outcome == Outcome.DONE else answer

    def _judge(self, site: Site) -> Judge:
        def read_post(post: Mapping[str, object]) -> FoundObject:
            return found_object(post, site.base_url)

        return Judge(read_post, self.secrets)

    def _send(
        self, site: Site, method: str, path: str, body: bytes = b"", content_type: str = "application/json"
    ) -> HttpResult | Answer:
        left = site.left_s
        if left <= 0:
            return Answer(Outcome.NOT_SENT, "deadline")
        headers = site.key.headers() | ({"Content-Type": content_type} if body else {})
        request = HttpRequest(method, site.base_url + API + path, left, headers, body=body)
        return send_once(site.client, request, self.secrets)


def judged(look: Look, original: Original, payload: Mapping[str, object]) -> Look:
    """Was this update done? Ghost loses the spaces around tags that it does not know (``<small>``, ``<mark>``, …)."""
    return updating.judged(look, original=original, payload=payload, public=PUBLIC, loses_spaces=True)


def _second_is_over(site: Site, version: str) -> bool:
    """By the site's own clock; a second that cannot be compared is not over."""
    changed = moment(updated_at_of(version))
    return changed is not None and site.said_at is not None and site.said_at - changed >= SECOND_IS_OVER


def _not_sent(error: CutError) -> Answer:
    """Nothing was sent yet; what waiting does not mend is refused."""
    outcome = Outcome.NOT_SENT
    if error.code in _FOR_GOOD:
        outcome = Outcome.REFUSED
    elif error.retry_after_s is not None:
        outcome = Outcome.NOT_DONE
    return Answer(
        outcome,
        error.code,
        http_status=error.http_status,
        retry_after_s=error.retry_after_s,
        detail=error.detail,
    )
