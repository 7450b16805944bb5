"""A Strapi 5 site, through its REST API (README.md of this folder)."""

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
from once_delivery.targets.strapi.checks import DEADLINE_S, Checker
from once_delivery.targets.strapi.effects import Sender
from once_delivery.targets.strapi.inventory import inventory
from once_delivery.targets.strapi.looks import look, read
from once_delivery.targets.strapi.parameters import read_parameters
from once_delivery.targets.strapi.reads import Looker


def connect(connection: Connection) -> StrapiConnector:
    """A connector for one site; raises InvalidInputError for its address, declaration or token."""
    return StrapiConnector(connection, HttpClient(allow_inside=connection.allow_inside))


class StrapiConnector:
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
        """Send one request that could have an effect, once; ``status=draft`` on every one that writes."""
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
        """By the marker's field in drafts and published rows of every language; of files by their hash."""
        return look(self._looker(request.deadline_s), request)

    def read(self, *, kind: Kind, result_id: str, deadline_s: float) -> Look:
        """One document or file."""
        return read(self._looker(deadline_s), kind, result_id)

    def remove(self, *, kind: Kind, result_id: str, deadline_s: float) -> Answer:
        """Delete one; the plugin deletes only what carries a marker and was never published."""
        return self._sender.remove(kind, result_id, deadline_s)

    def inventory(
        self, *, kind: Kind, deadline_s: float, changed_since: datetime | None = None, after: str = ""
    ) -> Iterator[FoundObject]:
        """Every document of the type, or every file; ``deadline_s`` is for all of it."""
        try:
            yield from inventory(self._looker(deadline_s), kind, changed_since, after)
        except CutError as error:
            raise InventoryError(error.code, shown(error.detail, self._secrets)) from None

    def check(self) -> list[CheckResult]:
        """Is it Strapi 5, do we see the type and its fields, can we not publish, is the plugin there."""
        return Checker(self._looker(DEADLINE_S), self._client, self._headers).run()

    def close(self) -> None:
        """Close idle connections."""
        self._client.close()

    def _looker(self, seconds: float) -> Looker:
        return Looker(
            self._parameters,
            self._base_url,
            Reader.within(seconds, self._client, self._base_url, self._headers),
        )
