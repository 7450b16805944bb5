"""A WordPress site, through its REST API (README.md of this folder)."""

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
    Verdict,
)
from once_delivery.targets.content import PayloadError
from once_delivery.targets.http_json.address import base_url_of
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.reader import Reader
from once_delivery.targets.http_json.sending import shown
from once_delivery.targets.wordpress.accounts import Accounts
from once_delivery.targets.wordpress.checks import DEADLINE_S, run_checks
from once_delivery.targets.wordpress.effects import Sender
from once_delivery.targets.wordpress.inventory import inventory
from once_delivery.targets.wordpress.looks import look
from once_delivery.targets.wordpress.parameters import read_parameters
from once_delivery.targets.wordpress.single import look_up_update, read
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
        self._sender = Sender(self._parameters, self._base_url, client, self._accounts)

    def perform(self, request: EffectRequest) -> Answer:
        """Send one request, once. An update is preceded by reads."""
        headers = self._accounts.of(request.kind)
        if headers is None:
            return Answer(Outcome.REFUSED, "kind-not-declared", detail=request.kind)
        try:
            if request.kind != Kind.UPDATE_DRAFT:
                return self._sender.create(request, headers)
            if request.original is None:
                return Answer(Outcome.REFUSED, "no-original")
            return self._sender.update(request, request.original, headers)
        except PayloadError as error:
            return Answer(Outcome.REFUSED, error.code, detail=error.name)

    def look_up(self, request: LookUpRequest) -> Look:
        """By the plugin, or by the slug and among our newest posts; an update by the post that it is for."""
        site = self._site(request.kind, request.deadline_s)
        if site is None:
            return Look(Verdict.CANNOT_TELL, "none", complete=False, code="kind-not-declared")
        if request.kind == Kind.UPDATE_DRAFT:
            return look_up_update(site, request)
        return look(site, request)

    def read(self, *, kind: Kind, result_id: str, deadline_s: float) -> Look:
        """As the account sees it: for editing where it may, else as readers do."""
        site = self._site(kind, deadline_s)
        if site is None:
            return Look(Verdict.CANNOT_TELL, "none", complete=False, code="kind-not-declared")
        return read(site, result_id)

    def remove(self, *, kind: Kind, result_id: str, deadline_s: float) -> Answer:
        """Delete for good, past the trash."""
        headers = self._accounts.of(kind)
        if headers is None:
            return Answer(Outcome.REFUSED, "kind-not-declared", detail=kind)
        return self._sender.remove(kind, result_id, deadline_s, headers)

    def inventory(
        self, *, kind: Kind, deadline_s: float, changed_since: datetime | None = None, after: str = ""
    ) -> Iterator[FoundObject]:
        """Every post or file of our account; ``deadline_s`` is for all of it."""
        site = self._site(kind, deadline_s)
        if site is None:
            raise InventoryError("kind-not-declared", kind)
        try:
            yield from inventory(site, changed_since=changed_since, after=after)
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

    def _site(self, kind: Kind, seconds: float) -> Site | None:
        headers = self._accounts.of(kind)
        if headers is None:
            return None
        reader = Reader.within(seconds, self._client, self._base_url, headers)
        seen_as = Kind.UPLOAD_FILE if kind == Kind.UPLOAD_FILE else Kind.CREATE_DRAFT
        return Site(self._parameters, self._base_url, reader, seen_as)
