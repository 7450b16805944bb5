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
from once_delivery.targets.rest.answers import Expected, Judge
from once_delivery.targets.rest.checks import run_checks
from once_delivery.targets.rest.declaration import read_declaration
from once_delivery.targets.rest.looks import Looker
from once_delivery.targets.rest.reading import read
from once_delivery.targets.rest.requests import Requests
from once_delivery.targets.rest.spec import Declaration, KindSpec, Listing
from once_delivery.targets.rest.verdicts import look
from once_delivery.targets.updating import judged

_NO_KIND = "kind-not-declared"


def connect(connection: Connection) -> RestConnector:
    """A connector for one target; raises InvalidInputError for its address, declaration or credentials."""
    return RestConnector(connection, HttpClient(allow_inside=connection.allow_inside))


class RestConnector:
    """See :class:`once_delivery.targets.base.Connector`. Safe to share between threads."""

    def __init__(self, connection: Connection, client: HttpClient) -> None:
        base_url = base_url_of(connection.base_url)
        self._declaration: Declaration = read_declaration(connection.declaration, base_url)
        auth = read_auth(connection.declaration.get("auth", {}), connection.credentials)
        self._client = client
        self._requests = Requests(base_url, self._declaration, auth)
        self._secrets = auth.secrets
        self._judge = Judge(self._declaration.html_errors, auth.secrets)

    def perform(self, request: EffectRequest) -> Answer:
        """Send one request, once."""
        spec = self._spec(request.kind)
        if spec is None:
            return Answer(Outcome.REFUSED, _NO_KIND, detail=request.kind)
        try:
            if request.kind == Kind.UPDATE_DRAFT:
                return self._update(spec, request)
            return self._create(spec, request)
        except TemplateError as error:
            return Answer(Outcome.REFUSED, error.code, detail=error.name)

    def _create(self, spec: KindSpec, request: EffectRequest) -> Answer:
        create = spec.create
        result = send_once(self._client, self._requests.create(create, request), self._secrets)
        if isinstance(result, Answer):
            return result
        own_id = request.client_id if create.client_chosen_id else ""
        return self._judge.judge(Expected(request.marker, own_id), create, result)

    def _update(self, spec: KindSpec, request: EffectRequest) -> Answer:
        original = request.original
        if spec.update is None:
            return Answer(Outcome.REFUSED, _NO_KIND, detail=request.kind)
        if original is None or not original.version:
            # without the state that it is for, it would overwrite whatever stands there now
            return Answer(Outcome.REFUSED, "version-unknown")
        result = send_once(self._client, self._requests.update(spec.update, request, original), self._secrets)
        if isinstance(result, Answer):
            return result
        return self._judge.judge(Expected(original.marker, original.result_id), spec.update, result)

    def look_up(self, request: LookUpRequest) -> Look:
        """Look by every way that is declared; an update is looked for in the one object that it is for."""
        spec = self._spec(request.kind)
        if spec is None:
            return Look(Verdict.CANNOT_TELL, "none", complete=False, code=_NO_KIND)
        looker = self._looker(request.deadline_s)
        if request.original is not None:
            found = read(spec, request.original.result_id, looker)
            public = spec.read.answer.public if spec.read else ()
            return judged(found, original=request.original, payload=request.payload, public=public)
        if request.kind == Kind.UPDATE_DRAFT:
            return Look(Verdict.CANNOT_TELL, "none", complete=False, code="original-unknown")
        return look(spec, request, looker)

    def read(self, *, kind: Kind, result_id: str, deadline_s: float) -> Look:
        """By the target's ID."""
        spec = self._spec(kind)
        if spec is None:
            return Look(Verdict.CANNOT_TELL, "none", complete=False, code=_NO_KIND)
        return read(spec, result_id, self._looker(deadline_s))

    def remove(self, *, kind: Kind, result_id: str, deadline_s: float) -> Answer:
        """Send the declared request, once."""
        spec = self._spec(kind)
        if spec is None or spec.remove is None:
            return Answer(Outcome.REFUSED, "cannot-remove")
        try:
            request = self._requests.remove(spec.remove, result_id, deadline_s)
        except TemplateError as error:
            return Answer(Outcome.REFUSED, error.code, detail=error.name)
        return self._judge.removed(spec.remove, send_once(self._client, request, self._secrets))

    def inventory(
        self, *, kind: Kind, deadline_s: float, changed_since: datetime | None = None, after: str = ""
    ) -> Iterator[FoundObject]:
        """Every page of every status, as it is read; ``deadline_s`` is for all of it."""
        listing = self._list(kind)
        if changed_since is not None and listing.since is None:
            raise InventoryError("cannot-list-changes", kind)
        if after and listing.after is None:
            raise InventoryError("cannot-go-on", kind)
        try:
            values = {"marker": "", "client_id": "", "payload": {}}
            looker = self._looker(deadline_s)
            yield from looker.all(listing, values, changed_since=changed_since, after=after)
        except CutError as error:
            raise InventoryError(error.code, shown(error.detail, self._secrets)) from None

    def _list(self, kind: Kind) -> Listing:
        spec = self._spec(kind)
        if spec is None or spec.list is None:
            raise InventoryError("no-list", kind)
        if not spec.list.every_status:
            raise InventoryError("statuses-not-covered", kind)
        return spec.list

    def check(self) -> list[CheckResult]:
        """Ask what is declared to be asked, and each look-up for something that cannot exist."""
        return run_checks(self._declaration, self._client, self._requests)

    def close(self) -> None:
        """Close idle connections."""
        self._client.close()

    def _spec(self, kind: Kind) -> KindSpec | None:
        """What is declared for ``kind``; an update is a part of the drafts."""
        return self._declaration.kinds.get(Kind.CREATE_DRAFT if kind == Kind.UPDATE_DRAFT else kind)

    def _looker(self, seconds: float) -> Looker:
        return Looker.within(seconds, self._client, self._requests)
