"""A Wagtail 8 site, through its API v3 (README.md of this folder)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from once_delivery.common.http import HttpClient
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
)
from once_delivery.targets.content import PayloadError
from once_delivery.targets.http_json.address import base_url_of, credentials_of
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.reader import Reader
from once_delivery.targets.http_json.sending import shown
from once_delivery.targets.wagtail.checks import DEADLINE_S, run_checks
from once_delivery.targets.wagtail.effects import Sender
from once_delivery.targets.wagtail.inventory import inventory
from once_delivery.targets.wagtail.looks import look
from once_delivery.targets.wagtail.parameters import read_parameters
from once_delivery.targets.wagtail.reads import Looker
from once_delivery.targets.wagtail.single import look_up_update, read


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
        self._sender = Sender(self._parameters, self._base_url, client, self._headers, self._secrets)

    def perform(self, request: EffectRequest) -> Answer:
        """Send one request, once. An update is preceded by reads."""
        try:
            match request.kind:
                case Kind.CREATE_DRAFT:
                    return self._sender.create_draft(request)
                case Kind.UPLOAD_FILE:
                    return self._sender.upload(request)
                case Kind.UPDATE_DRAFT if request.original is not None:
                    return self._sender.update_draft(request, request.original)
                case _:
                    return Answer(Outcome.REFUSED, "kind-not-declared", detail=request.kind)
        except PayloadError as error:
            return Answer(Outcome.REFUSED, error.code, detail=error.name)

    def look_up(self, request: LookUpRequest) -> Look:
        """By the marker's field, or by the slug; an update by the page that it is for."""
        looker = self._looker(request.deadline_s)
        if request.kind == Kind.UPDATE_DRAFT:
            return look_up_update(looker, request)
        return look(looker, request)

    def read(self, *, kind: Kind, result_id: str, deadline_s: float) -> Look:
        """The page's latest revision or the image, as the account sees it."""
        return read(self._looker(deadline_s), kind, result_id)

    def remove(self, *, kind: Kind, result_id: str, deadline_s: float) -> Answer:
        """Delete for good: Wagtail has no trash."""
        return self._sender.remove(kind, result_id, deadline_s)

    def inventory(
        self, *, kind: Kind, deadline_s: float, changed_since: datetime | None = None, after: str = ""
    ) -> Iterator[FoundObject]:
        """Every page of the type, or every image; ``deadline_s`` is for all of it."""
        try:
            yield from inventory(self._looker(deadline_s), kind, changed_since=changed_since, after=after)
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
