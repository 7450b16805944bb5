"""The requests that have an effect: make a draft or a file, give a draft new content, delete. Each is sent once."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode

from once_delivery.common.http import HttpClient, HttpRequest, HttpResult
from once_delivery.targets import updating
from once_delivery.targets.base import Answer, EffectRequest, Kind, Original, Outcome
from once_delivery.targets.http_json.reader import Reader
from once_delivery.targets.http_json.sending import answer_of, send_once
from once_delivery.targets.wordpress.accounts import Accounts
from once_delivery.targets.wordpress.objects import found_object
from once_delivery.targets.wordpress.outcomes import Judge, deleted
from once_delivery.targets.wordpress.parameters import Parameters
from once_delivery.targets.wordpress.payload import Body, draft_body, file_body, update_body
from once_delivery.targets.wordpress.single import updated
from once_delivery.targets.wordpress.site import Site


@dataclass(frozen=True, slots=True)
class Sender:
    """What our accounts can do at one site. Raises PayloadError where no request can be made of the content."""

    parameters: Parameters
    base_url: str
    client: HttpClient
    accounts: Accounts = field(repr=False)

    def create(self, request: EffectRequest, headers: Mapping[str, str]) -> Answer:
        upload = request.kind == Kind.UPLOAD_FILE
        body = (file_body if upload else draft_body)(self.parameters, request)
        base = self._base(request.kind)
        if self.parameters.plugin:
            method, route = "PUT", f"/once/v1/objects/{base}/{request.marker}"
        else:
            method, route = "POST", f"/wp/v2/{base}"
        result = self._send(method, route, request.deadline_s, headers, body)
        return result if isinstance(result, Answer) else self._judge(request.marker).judge(result)

    def update(self, request: EffectRequest, original: Original, headers: Mapping[str, str]) -> Answer:
        """New content for the draft, unless it is not as it was when we last saw it.

        The plugin compares in the very statement that saves. Without it the draft is read first: what an editor saves
        between that read and our request is overwritten (README of this folder).
        """
        body = update_body(self.parameters, request)
        ends = time.monotonic() + request.deadline_s
        reader = Reader(self.client, self.base_url, ends, headers)
        site = Site(self.parameters, self.base_url, reader, Kind.CREATE_DRAFT)
        held_back = updating.held_back(updated(site, original, request.payload))
        if held_back is not None:
            return held_back
        left = ends - time.monotonic()
        if left <= 0:
            return Answer(Outcome.NOT_SENT, "deadline")
        base = self._base(Kind.CREATE_DRAFT)
        if self.parameters.plugin:
            method, route = "PUT", f"/once/v1/updates/{base}/{original.result_id}"
            body = Body(body.data, body.headers, {"version": original.version})
        else:
            method, route = "POST", f"/wp/v2/{base}/{original.result_id}"
        result = self._send(method, route, left, headers, body)
        if isinstance(result, Answer):
            return result
        return self._judge(original.marker, update=True).judge(result)

    def remove(self, kind: Kind, result_id: str, deadline_s: float, headers: Mapping[str, str]) -> Answer:
        """Delete for good, past the trash. Published posts are refused to a contributor."""
        if not (result_id.isascii() and result_id.isdecimal()):
            return Answer(Outcome.REFUSED, "bad-id", detail=result_id[:40])
        route = f"/wp/v2/{self._base(kind)}/{result_id}"
        result = self._send("DELETE", route, deadline_s, headers, Body(b"", {}, {"force": "true"}))
        if isinstance(result, Answer):
            return result
        outcome, code = deleted(result)
        gone = result_id if outcome == Outcome.DONE else ""
        return answer_of(outcome, code, result, secrets=self.accounts.secrets, result_id=gone)

    def _base(self, kind: Kind) -> str:
        return "media" if kind == Kind.UPLOAD_FILE else self.parameters.post_type

    def _judge(self, marker: str, *, update: bool = False) -> Judge:
        return Judge(
            marker=marker,
            read=lambda post: found_object(self.parameters, post, self.base_url),
            secrets=self.accounts.secrets,
            update=update,
        )

    def _send(
        self, method: str, route: str, seconds: float, headers: Mapping[str, str], body: Body
    ) -> HttpResult | Answer:
        path, fixed = self.parameters.address(route)
        query = {**fixed, **body.query}
        url = self.base_url + path + (f"?{urlencode(query)}" if query else "")
        request = HttpRequest(method, url, seconds, {**headers, **body.headers}, body=body.data)
        return send_once(self.client, request, self.accounts.secrets)
