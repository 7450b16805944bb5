"""The requests that have an effect: make a draft or an image, save a new revision of a draft, delete. Each is sent once."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from once_delivery.common.http import HttpClient, HttpRequest, HttpResult
from once_delivery.targets import updating
from once_delivery.targets.base import Answer, EffectRequest, Kind, Original, Outcome
from once_delivery.targets.http_json.documents import UnreadableError, parse_json
from once_delivery.targets.http_json.reader import Reader
from once_delivery.targets.http_json.reading import retry_after
from once_delivery.targets.http_json.sending import answer_of, send_once
from once_delivery.targets.outcomes import outcome_of
from once_delivery.targets.wagtail.objects import found_image, found_page
from once_delivery.targets.wagtail.outcomes import Judge
from once_delivery.targets.wagtail.parameters import Parameters
from once_delivery.targets.wagtail.payload import draft_body, image_body, update_body
from once_delivery.targets.wagtail.reads import Looker
from once_delivery.targets.wagtail.single import updated

_JSON = "application/json"
_OK, _DELETED, _NOT_THERE = 200, 204, 404


@dataclass(frozen=True, slots=True)
class Sender:
    """What one account can do at one site. Raises PayloadError where no request can be made of the content."""

    parameters: Parameters
    base_url: str
    client: HttpClient
    headers: Mapping[str, str] = field(repr=False)
    secrets: tuple[str, ...] = field(repr=False)

    def create_draft(self, request: EffectRequest) -> Answer:
        # a slug of the content's own may be taken by anything; the marker as slug only by our page
        own_slug = self.parameters.marker_field is not None and bool(request.payload.get("slug"))
        taken = {self.parameters.marker_field or "slug"} | (set() if own_slug else {"slug"})
        body = draft_body(self.parameters, request)
        result = self._send("POST", "/pages/", request.deadline_s, body, _JSON)
        return result if isinstance(result, Answer) else self._judge(request.marker, taken).judge(result)

    def upload(self, request: EffectRequest) -> Answer:
        body, content_type = image_body(self.parameters, request)
        result = self._send("POST", "/images/", request.deadline_s, body, content_type)
        if isinstance(result, Answer):
            return result
        judge = self._judge(request.marker, {self.parameters.image_marker_field or ""})
        return replace(judge, read=lambda image: found_image(self.parameters, image, self.base_url)).judge(
            result
        )

    def update_draft(self, request: EffectRequest, original: Original) -> Answer:
        """A new draft revision, unless the page is not as it was when we last saw it.

        Wagtail compares nothing itself, so that the page is read first: what an editor saves between that read and
        our request becomes an older revision. It stays in the page's history.
        """
        body = update_body(self.parameters, request)
        ends = time.monotonic() + request.deadline_s
        reader = Reader(self.client, self.base_url, ends, self.headers)
        looker = Looker(self.parameters, self.base_url, reader)
        held_back = updating.held_back(updated(looker, original, request.payload))
        if held_back is not None:
            return held_back
        left = ends - time.monotonic()
        if left <= 0:
            return Answer(Outcome.NOT_SENT, "deadline")
        result = self._send("PATCH", f"/pages/{original.result_id}/", left, body, _JSON)
        if isinstance(result, Answer):
            return result
        answer = replace(self._judge(original.marker, set()), success=_OK).judge(result)
        if (answer.outcome, answer.http_status) == (Outcome.REFUSED, _NOT_THERE):
            return replace(answer, outcome=Outcome.EXISTS, code=updating.GONE)
        return answer

    def remove(self, kind: Kind, result_id: str, deadline_s: float) -> Answer:
        """Delete a page or an image for good. Published pages are refused to an account that may not publish."""
        if not (result_id.isascii() and result_id.isdecimal()):
            return Answer(Outcome.REFUSED, "bad-id", detail=result_id[:40])
        place = "images" if kind == Kind.UPLOAD_FILE else "pages"
        result = self._send("DELETE", f"/{place}/{result_id}/", deadline_s)
        if isinstance(result, Answer):
            return result
        outcome, code = _deleted(result)
        gone = result_id if outcome == Outcome.DONE else ""
        return answer_of(outcome, code, result, secrets=self.secrets, result_id=gone)

    def _judge(self, marker: str, taken: set[str]) -> Judge:
        return Judge(
            marker=marker,
            taken=frozenset(taken),
            read=lambda page: found_page(self.parameters, page, self.base_url),
            secrets=self.secrets,
        )

    def _send(
        self, method: str, path: str, seconds: float, body: bytes = b"", content_type: str = ""
    ) -> HttpResult | Answer:
        headers = {**self.headers, "Content-Type": content_type} if content_type else self.headers
        url = self.base_url + self.parameters.api_path + path
        return send_once(self.client, HttpRequest(method, url, seconds, headers, body=body), self.secrets)


def _deleted(result: HttpResult) -> tuple[Outcome, str]:
    if result.cut:
        return Outcome.UNKNOWN, result.cut
    if result.status == _DELETED:
        return Outcome.DONE, "http-204"
    try:
        parse_json(result.body, result.headers.get("content-type", ""))
    except UnreadableError as error:
        return Outcome.UNKNOWN, error.code
    if result.status == _NOT_THERE:  # a delete looks among all pages, not among those that we may see
        return Outcome.DONE, "not-there"
    outcome = outcome_of(result.status, retry_after=retry_after(result) is not None)
    definite = outcome in {Outcome.REFUSED, Outcome.NOT_DONE}
    return outcome if definite else Outcome.UNKNOWN, f"http-{result.status}"
