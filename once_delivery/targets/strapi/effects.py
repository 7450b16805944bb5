"""The requests that have an effect: make a draft or a file, change a draft, delete. Each is sent once."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import quote, urlencode

from once_delivery.common.http import HttpClient, HttpRequest, HttpResult
from once_delivery.targets import updating
from once_delivery.targets.base import Answer, EffectRequest, Kind, Original, Outcome
from once_delivery.targets.http_json.documents import UnreadableError, parse_json
from once_delivery.targets.http_json.reader import Reader
from once_delivery.targets.http_json.reading import retry_after
from once_delivery.targets.http_json.sending import answer_of, send_once
from once_delivery.targets.outcomes import outcome_of
from once_delivery.targets.strapi.looks import held_draft, updated
from once_delivery.targets.strapi.outcomes import Judge
from once_delivery.targets.strapi.parameters import Parameters
from once_delivery.targets.strapi.payload import draft_body, file_body, update_body
from once_delivery.targets.strapi.reads import Looker

_JSON = "application/json"
_OK, _GONE, _NOT_THERE = 200, 204, 404
# on every write: without it Strapi publishes
_DRAFT = {"status": "draft"}


@dataclass(frozen=True, slots=True)
class Sender:
    """What one token can do at one site. Raises PayloadError where no request can be made of the content."""

    parameters: Parameters
    base_url: str
    client: HttpClient
    headers: Mapping[str, str] = field(repr=False)
    secrets: tuple[str, ...] = field(repr=False)

    def create_draft(self, request: EffectRequest) -> Answer:
        """The plugin has a route for drafts alone; Strapi's own publishes what is not asked for as a draft."""
        parameters = self.parameters
        locale = parameters.locale_of(request.payload)
        query = {**_DRAFT, **({"locale": locale} if locale else {})}
        if parameters.plugin:
            method, path = "PUT", f"/once/drafts/{parameters.content_type}/{quote(request.marker, safe='')}"
        else:
            method, path = "POST", f"/{parameters.content_type}"
        result = self._send(
            method, path, query=query, seconds=request.deadline_s, body=draft_body(parameters, request)
        )
        return result if isinstance(result, Answer) else self._judge(request.marker).judge(result)

    def upload(self, request: EffectRequest) -> Answer:
        body, content_type = file_body(request)
        method, path = (
            ("PUT", f"/once/files/{request.marker}") if self.parameters.plugin else ("POST", "/upload")
        )
        result = self._send(
            method, path, query={}, seconds=request.deadline_s, body=body, content_type=content_type
        )
        if isinstance(result, Answer):
            return result
        return replace(self._judge(request.marker), file=True).judge(result)

    def update_draft(self, request: EffectRequest, original: Original) -> Answer:
        """Other words for the draft, unless it is not as it was when we last saw it."""
        body = update_body(self.parameters, request)
        ends = time.monotonic() + request.deadline_s
        path = f"/{self.parameters.content_type}/{quote(original.result_id, safe='')}"
        if self.parameters.plugin:
            result = self._send(
                "PATCH", f"/once/drafts{path}", query=_DRAFT, seconds=request.deadline_s, body=body
            )
        else:
            locale = self._as_it_was(original, request, ends)
            if isinstance(locale, Answer):
                return locale
            left = ends - time.monotonic()
            if left <= 0:
                return Answer(Outcome.NOT_SENT, "deadline")
            query = {**_DRAFT, **({"locale": locale} if locale else {})}
            result = self._send("PUT", path, query=query, seconds=left, body=body)
        if isinstance(result, Answer):
            return result
        answer = replace(self._judge(original.marker), success=_OK).judge(result)
        # the plugin says itself which of the things that can be missing it was
        if (answer.outcome, answer.http_status) == (
            Outcome.REFUSED,
            _NOT_THERE,
        ) and not self.parameters.plugin:
            return replace(answer, outcome=Outcome.EXISTS, code=updating.GONE)
        return answer

    def _as_it_was(self, original: Original, request: EffectRequest, ends: float) -> str | Answer:
        """The draft's language, or why it must not be changed.

        Strapi compares nothing itself. What an editor saves between this read and our request is overwritten.
        """
        reader = Reader(self.client, self.base_url, ends, self.headers)
        looker = Looker(self.parameters, self.base_url, reader)
        held, locale = held_draft(looker, original.result_id, original.marker)
        held_back = updating.held_back(updated(held, original, request.payload))
        return locale if held_back is None else held_back

    def remove(self, kind: Kind, result_id: str, deadline_s: float) -> Answer:
        """Delete one document in all its languages, or a file."""
        type_ = self.parameters.content_type
        place = {Kind.CREATE_DRAFT: f"/{type_}", Kind.UPLOAD_FILE: "/upload/files"}.get(kind)
        if place is None:
            return Answer(Outcome.REFUSED, "kind-not-declared", detail=kind)
        if self.parameters.plugin and kind == Kind.CREATE_DRAFT:
            place = f"/once/drafts{place}"
        query = {"locale": "*"} if kind == Kind.CREATE_DRAFT else {}
        result = self._send("DELETE", f"{place}/{quote(result_id, safe='')}", query=query, seconds=deadline_s)
        if isinstance(result, Answer):
            return result
        outcome, code = _deleted(result)
        gone = result_id if outcome == Outcome.DONE else ""
        return answer_of(outcome, code, result, secrets=self.secrets, result_id=gone)

    def _judge(self, marker: str) -> Judge:
        return Judge(self.parameters, self.base_url, marker, secrets=self.secrets)

    def _send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str],
        seconds: float,
        body: bytes = b"",
        content_type: str = _JSON,
    ) -> HttpResult | Answer:
        headers = {**self.headers, "Content-Type": content_type} if body else self.headers
        asked = f"?{urlencode(query)}" if query else ""
        url = self.base_url + self.parameters.api_path + path + asked
        return send_once(self.client, HttpRequest(method, url, seconds, headers, body=body), self.secrets)


def _deleted(result: HttpResult) -> tuple[Outcome, str]:
    if result.cut:
        return Outcome.UNKNOWN, result.cut
    if result.status == _GONE:
        return Outcome.DONE, "http-204"
    try:
        said = parse_json(result.body, result.headers.get("content-type", ""))
    except UnreadableError as error:
        return Outcome.UNKNOWN, error.code
    if result.status == _OK:
        return Outcome.DONE, "http-200"
    outcome = outcome_of(result.status, retry_after=retry_after(result) is not None)
    definite = outcome in {Outcome.REFUSED, Outcome.NOT_DONE, Outcome.EXISTS}
    if not definite or not isinstance(said, Mapping) or "error" not in said:
        return Outcome.UNKNOWN, f"http-{result.status}"
    return (Outcome.REFUSED if outcome == Outcome.EXISTS else outcome), f"http-{result.status}"
