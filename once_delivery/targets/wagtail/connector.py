"""A Wagtail 8 site, through its API v3 (README.md of this folder)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from once_delivery.common.http import HttpClient, HttpRequest, HttpResult
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
from once_delivery.targets.http_json.address import base_url_of, credentials_of
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.reader import Reader
from once_delivery.targets.http_json.sending import send_once, shown
from once_delivery.targets.wagtail.checks import DEADLINE_S, run_checks
from once_delivery.targets.wagtail.inventory import inventory
from once_delivery.targets.wagtail.looks import Looker, look
from once_delivery.targets.wagtail.objects import found_image, found_page
from once_delivery.targets.wagtail.outcomes import Judge
from once_delivery.targets.wagtail.parameters import read_parameters
from once_delivery.targets.wagtail.payload import PayloadError, draft_body, image_body


def connect(connection: Connection) -> WagtailConnector:
    """A connector for one site; raises InvalidInputError for its address, declaration or token."""
    return WagtailConnector(connection, HttpClient(allow_inside=connection.allow_inside))


class WagtailConnector:
    """See :class:`once_delivery.targets.base.Connector`. Safe to share between threads."""

    def __init__(self, connection: Connection, client: HttpClient) -> None:
        self._base_url = base_url_of(connection.base_url)
        (token,) = credentials_of(connection.credentials, "token")
        self._parameters = read_parameters(connection.declaration)
        self._client = client
        self._headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        self._secrets = (token,)

    def perform(self, request: EffectRequest) -> Answer:
        """Send one request, once."""
        try:
            match request.kind:
                case Kind.CREATE_DRAFT:
                    return self._create_draft(request)
                case Kind.UPLOAD_FILE:
                    return self._upload(request)
                case _:
                    return Answer(Outcome.REFUSED, "kind-not-declared", detail=request.kind)
        except PayloadError as error:
            return Answer(Outcome.REFUSED, error.code, detail=error.name)

    def _create_draft(self, request: EffectRequest) -> Answer:
        parameters = self._parameters
        # a slug of the content's own may be taken by anything; the marker as slug only by our page
        own_slug = parameters.marker_field is not None and bool(request.payload.get("slug"))
        taken = {parameters.marker_field or "slug"} | (set() if own_slug else {"slug"})
        result = self._post("/pages/", draft_body(parameters, request), "application/json", request)
        if isinstance(result, Answer):
            return result
        return Judge(
            marker=request.marker,
            taken=frozenset(taken),
            read=lambda page: found_page(parameters, page, self._base_url),
            secrets=self._secrets,
        ).judge(result)

    def _upload(self, request: EffectRequest) -> Answer:
        parameters = self._parameters
        result = self._post("/images/", *image_body(parameters, request), request)
        if isinstance(result, Answer):
            return result
        return Judge(
            marker=request.marker,
            taken=frozenset({parameters.image_marker_field or ""}),
            read=lambda image: found_image(parameters, image, self._base_url),
            secrets=self._secrets,
        ).judge(result)

    def _post(self, path: str, body: bytes, content_type: str, request: EffectRequest) -> HttpResult | Answer:
        return send_once(
            self._client,
            HttpRequest(
                "POST",
                self._base_url + self._parameters.api_path + path,
                request.deadline_s,
                {**self._headers, "Content-Type": content_type},
                body=body,
            ),
            self._secrets,
        )

    def look_up(self, request: LookUpRequest) -> Look:
        """By the marker's field, or by the slug."""
        return look(self._looker(request.deadline_s), request)

    def read(self, *, kind: Kind, result_id: str, deadline_s: float) -> Look:
        """Not yet."""
        return Look(Verdict.CANNOT_TELL, "none", complete=False, code="cannot-read")

    def remove(self, *, kind: Kind, result_id: str, deadline_s: float) -> Answer:
        """Not yet."""
        return Answer(Outcome.REFUSED, "cannot-remove")

    def inventory(
        self, *, kind: Kind, deadline_s: float, changed_since: datetime | None = None, after: str = ""
    ) -> Iterator[FoundObject]:
        """Every page of the type, or every image; ``deadline_s`` is for all of it."""
        if changed_since is not None:
            raise InventoryError("cannot-list-changes")
        if after:
            raise InventoryError("cannot-go-on")
        try:
            yield from inventory(self._looker(deadline_s), kind)
        except CutError as error:
            raise InventoryError(error.code, shown(error.detail, self._secrets)) from None

    def check(self) -> list[CheckResult]:
        """Is it Wagtail 8, who are we, do we see the section, may we not publish."""
        return run_checks(self._looker(DEADLINE_S), self._client, self._headers)

    def close(self) -> None:
        """Close idle connections."""
        self._client.close()

    def _looker(self, seconds: float) -> Looker:
        reader = Reader.within(seconds, self._client, self._base_url, self._headers)
        return Looker(self._parameters, self._base_url, reader)
