"""A WordPress site, through its REST API (README.md of this folder)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from urllib.parse import urlencode

from once_delivery.common.http import HttpClient, HttpRequest
from once_delivery.targets.base import (
    Answer,
    CheckResult,
    Connection,
    EffectRequest,
    FoundObject,
    InventoryError,
    Kind,
    Look,
    LookUpRequest,
    Outcome,
    Verdict,
)
from once_delivery.targets.http_json.address import base_url_of
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.reader import Reader
from once_delivery.targets.http_json.sending import send_once, shown
from once_delivery.targets.wordpress.accounts import Accounts
from once_delivery.targets.wordpress.checks import DEADLINE_S, run_checks
from once_delivery.targets.wordpress.inventory import inventory
from once_delivery.targets.wordpress.looks import look
from once_delivery.targets.wordpress.objects import found_object
from once_delivery.targets.wordpress.outcomes import Judge
from once_delivery.targets.wordpress.parameters import read_parameters
from once_delivery.targets.wordpress.payload import Body, PayloadError, draft_body, file_body
from once_delivery.targets.wordpress.site import Site


def connect(connection: Connection) -> WordPressConnector:
    """A connector for one site; raises InvalidInputError for its address, declaration or credentials."""
    return WordPressConnector(connection, HttpClient(allow_inside=connection.allow_inside))


class WordPressConnector:
    """See :class:`once_delivery.targets.base.Connector`. Safe to share between threads."""

    def __init__(self, connection: Connection, client: HttpClient) -> None:
        self._base_url = base_url_of(connection.base_url)
        self._accounts = Accounts.read(connection.credentials)
        self._parameters = read_parameters(connection.declaration)
        self._client = client

    def perform(self, request: EffectRequest) -> Answer:
        """Send one request, once."""
        headers = self._accounts.of(request.kind)
        if headers is None:
            return Answer(Outcome.REFUSED, "kind-not-declared", detail=request.kind)
        upload = request.kind == Kind.UPLOAD_FILE
        try:
            body = (file_body if upload else draft_body)(self._parameters, request)
        except PayloadError as error:
            return Answer(Outcome.REFUSED, error.code, detail=error.name)
        base = "media" if upload else self._parameters.post_type
        if self._parameters.plugin:
            method, route = "PUT", f"/once/v1/objects/{base}/{request.marker}"
        else:
            method, route = "POST", f"/wp/v2/{base}"
        result = send_once(
            self._client,
            HttpRequest(
                method,
                self._url(route, body),
                request.deadline_s,
                {**headers, **body.headers},
                body=body.data,
            ),
            self._accounts.secrets,
        )
        if isinstance(result, Answer):
            return result
        return Judge(
            marker=request.marker,
            read=lambda post: found_object(self._parameters, post, self._base_url),
            secrets=self._accounts.secrets,
        ).judge(result)

    def look_up(self, request: LookUpRequest) -> Look:
        """By the plugin, or by the slug and among our newest posts."""
        site = self._site(request.kind, request.deadline_s)
        if site is None:
            return Look(Verdict.CANNOT_TELL, "none", complete=False, code="kind-not-declared")
        return look(site, request)

    def read(self, *, kind: Kind, result_id: str, deadline_s: float) -> Look:
        """Not yet."""
        return Look(Verdict.CANNOT_TELL, "none", complete=False, code="cannot-read")

    def remove(self, *, kind: Kind, result_id: str, deadline_s: float) -> Answer:
        """Not yet."""
        return Answer(Outcome.REFUSED, "cannot-remove")

    def inventory(
        self, *, kind: Kind, deadline_s: float, changed_since: datetime | None = None, after: str = ""
    ) -> Iterator[FoundObject]:
        """Every post or file of our account; ``deadline_s`` is for all of it."""
        if changed_since is not None:
            raise InventoryError("cannot-list-changes")
        if after:
            raise InventoryError("cannot-go-on")
        site = self._site(kind, deadline_s)
        if site is None:
            raise InventoryError("kind-not-declared", kind)
        try:
            yield from inventory(site)
        except CutError as error:
            raise InventoryError(error.code, shown(error.detail, self._accounts.secrets)) from None

    def check(self) -> list[CheckResult]:
        """Is it WordPress, who are we, may we not publish, is the plugin there."""
        sites = {kind: self._site(kind, DEADLINE_S) for kind in (Kind.CREATE_DRAFT, Kind.UPLOAD_FILE)}
        there = {kind: site for kind, site in sites.items() if site is not None}
        return run_checks(there, self._client, self._accounts.drafts)

    def close(self) -> None:
        """Close idle connections."""
        self._client.close()

    def _url(self, route: str, body: Body) -> str:
        path, fixed = self._parameters.address(route)
        query = {**fixed, **body.query}
        return self._base_url + path + (f"?{urlencode(query)}" if query else "")

    def _site(self, kind: Kind, seconds: float) -> Site | None:
        headers = self._accounts.of(kind)
        if headers is None:
            return None
        reader = Reader.within(seconds, self._client, self._base_url, headers)
        return Site(self._parameters, self._base_url, reader, kind)
