"""Any JSON HTTP API, by declaration (README.md of this folder)."""

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
from once_delivery.targets.http_json.address import base_url_of
from once_delivery.targets.http_json.auth import read_auth
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.sending import send_once, shown
from once_delivery.targets.http_json.template import TemplateError
from once_delivery.targets.rest.answers import Judge
from once_delivery.targets.rest.checks import run_checks
from once_delivery.targets.rest.declaration import read_declaration
from once_delivery.targets.rest.looks import Looker
from once_delivery.targets.rest.requests import Requests
from once_delivery.targets.rest.spec import Declaration
from once_delivery.targets.rest.verdicts import look


def connect(connection: Connection) -> RestConnector:
    """A connector for one target; raises InvalidInputError for its address, declaration or credentials."""
    return RestConnector(connection, HttpClient(allow_inside=connection.allow_inside))


class RestConnector:
    """See :class:`once_delivery.targets.base.Connector`. Safe to share between threads."""

    def __init__(self, connection: Connection, client: HttpClient) -> None:
        base_url = base_url_of(connection.base_url)
        auth = read_auth(connection.declaration.get("auth", {}), connection.credentials)
        self._declaration: Declaration = read_declaration(connection.declaration, base_url)
        self._client = client
        self._requests = Requests(base_url, self._declaration, auth)
        self._secrets = auth.secrets
        self._judge = Judge(self._declaration.html_errors, auth.secrets)

    def perform(self, request: EffectRequest) -> Answer:
        """Send one request, once."""
        spec = self._declaration.kinds.get(request.kind)
        if spec is None:
            return Answer(Outcome.REFUSED, "kind-not-declared", detail=request.kind)
        try:
            http_request = self._requests.create(spec.create, request)
        except TemplateError as error:
            return Answer(Outcome.REFUSED, error.code, detail=error.name)
        result = send_once(self._client, http_request, self._secrets)
        if isinstance(result, Answer):
            return result
        return self._judge.judge(request, spec.create, result)

    def look_up(self, request: LookUpRequest) -> Look:
        """Look by every way that is declared."""
        spec = self._declaration.kinds.get(request.kind)
        if spec is None:
            return Look(Verdict.CANNOT_TELL, "none", complete=False, code="kind-not-declared")
        return look(spec, request, Looker.within(request.deadline_s, self._client, self._requests))

    def read(self, *, kind: Kind, result_id: str, deadline_s: float) -> Look:
        """Not yet."""
        return Look(Verdict.CANNOT_TELL, "none", complete=False, code="cannot-read")

    def remove(self, *, kind: Kind, result_id: str, deadline_s: float) -> Answer:
        """Not yet."""
        return Answer(Outcome.REFUSED, "cannot-remove")

    def inventory(
        self, *, kind: Kind, deadline_s: float, changed_since: datetime | None = None, after: str = ""
    ) -> Iterator[FoundObject]:
        """Every page of every status, as it is read; ``deadline_s`` is for all of it."""
        if changed_since is not None:
            raise InventoryError("cannot-list-changes")
        if after:
            raise InventoryError("cannot-go-on")
        spec = self._declaration.kinds.get(kind)
        if spec is None or spec.list is None:
            raise InventoryError("no-list", kind)
        if not spec.list.every_status:
            raise InventoryError("statuses-not-covered", kind)
        try:
            values = {"marker": "", "client_id": "", "payload": {}}
            yield from Looker.within(deadline_s, self._client, self._requests).all(spec.list, values)
        except CutError as error:
            raise InventoryError(error.code, shown(error.detail, self._secrets)) from None

    def check(self) -> list[CheckResult]:
        """Ask what is declared to be asked, and each look-up for something that cannot exist."""
        return run_checks(self._declaration, self._client, self._requests)

    def close(self) -> None:
        """Close idle connections."""
        self._client.close()
