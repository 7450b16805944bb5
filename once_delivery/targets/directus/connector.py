"""A Directus project, through its REST API (README.md of this folder)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

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
from once_delivery.targets.content import PayloadError
from once_delivery.targets.directus.checks import DEADLINE_S, run_checks
from once_delivery.targets.directus.inventory import inventory
from once_delivery.targets.directus.looks import address_of, look, read, updated
from once_delivery.targets.directus.outcomes import Judge
from once_delivery.targets.directus.parameters import ID, read_parameters
from once_delivery.targets.directus.payload import client_id_of, draft_body, file_body, update_body
from once_delivery.targets.directus.site import Site
from once_delivery.targets.http_json.address import base_url_of, credentials_of
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.reader import Reader
from once_delivery.targets.http_json.sending import answer_of, send_once, shown
from once_delivery.targets.outcomes import outcome_of

_JSON = "application/json"
_NO_CONTENT = 204


def connect(connection: Connection) -> DirectusConnector:
    """A connector for one project; raises InvalidInputError for its address, declaration or token."""
    return DirectusConnector(connection, HttpClient(allow_inside=connection.allow_inside))


class DirectusConnector:
    """See :class:`once_delivery.targets.base.Connector`. Safe to share between threads."""

    def __init__(self, connection: Connection, client: HttpClient) -> None:
        self._base_url = base_url_of(connection.base_url)
        (token,) = credentials_of(connection.credentials, "token")
        self._parameters = read_parameters(connection.declaration)
        self._client = client
        self._headers = {"Authorization": f"Bearer {token}", "Accept": _JSON}
        self._secrets = (token,)

    def perform(self, request: EffectRequest) -> Answer:
        """Send one request, once."""
        try:
            match request.kind:
                case Kind.CREATE_DRAFT:
                    body = draft_body(self._parameters, request)
                    return self._written("POST", body, _JSON, request)
                case Kind.UPDATE_DRAFT:
                    body = update_body(self._parameters, request)
                    return self._written("PATCH", body, _JSON, request)
                case Kind.UPLOAD_FILE:
                    return self._written("POST", *file_body(self._parameters, request), request)
                case _:
                    return Answer(Outcome.REFUSED, "kind-not-declared", detail=request.kind)
        except PayloadError as error:
            return Answer(Outcome.REFUSED, error.code, detail=error.name)

    def _written(self, method: str, body: bytes, content_type: str, request: EffectRequest) -> Answer:
        site = self._site(
            Kind.UPLOAD_FILE if request.kind == Kind.UPLOAD_FILE else Kind.CREATE_DRAFT, request.deadline_s
        )
        headers = {**self._headers, "Content-Type": content_type}
        result = send_once(
            self._client,
            HttpRequest(method, self._base_url + site.path, request.deadline_s, headers, body=body),
            self._secrets,
        )
        if isinstance(result, Answer):
            return result
        original = request.original if request.kind == Kind.UPDATE_DRAFT else None
        our_id = client_id_of(request) if site.takes_our_ids and original is None else ""
        ours = {ID, site.marker_field} if site.takes_our_ids else {site.marker_field}
        return Judge(
            marker=original.marker if original else request.marker,
            result_id=original.result_id if original else our_id,
            ours=frozenset() if original else frozenset(ours),
            read=site.found,
            draft_value="" if site.is_files else self._parameters.draft_value,
            sure=site.takes_our_ids or original is not None,
            secrets=self._secrets,
        ).judge(result)

    def look_up(self, request: LookUpRequest) -> Look:
        """By the marker, and by our own ID where we choose it."""
        if request.kind == Kind.UPDATE_DRAFT and request.original is not None:
            drafts = self._site(Kind.CREATE_DRAFT, request.deadline_s)
            return updated(drafts, request, request.original)
        if not self._knows(request.kind):
            return Look(Verdict.CANNOT_TELL, "none", complete=False, code="kind-not-declared")
        return look(self._site(request.kind, request.deadline_s), request)

    def read(self, *, kind: Kind, result_id: str, deadline_s: float) -> Look:
        """By its ID; an update is of a draft."""
        kind = Kind.CREATE_DRAFT if kind == Kind.UPDATE_DRAFT else kind
        if not self._knows(kind):
            return Look(Verdict.CANNOT_TELL, "none", complete=False, code="kind-not-declared")
        return read(self._site(kind, deadline_s), result_id)

    def remove(self, *, kind: Kind, result_id: str, deadline_s: float) -> Answer:
        """Delete it; what is not there and what is not ours to delete are refused alike."""
        if not self._knows(kind):
            return Answer(Outcome.REFUSED, "kind-not-declared", detail=kind)
        site = self._site(kind, deadline_s)
        try:
            url = f"{self._base_url}{site.path}/{address_of(result_id)}"
        except CutError as error:
            return Answer(Outcome.REFUSED, error.code, detail=error.detail)
        result = send_once(self._client, HttpRequest("DELETE", url, deadline_s, self._headers), self._secrets)
        if isinstance(result, Answer):
            return result
        outcome = outcome_of(result.status)
        if outcome == Outcome.DONE and result.status != _NO_CONTENT:
            outcome = Outcome.UNKNOWN  # not what Directus says
        return answer_of(outcome, f"http-{result.status}", result, secrets=self._secrets, result_id=result_id)

    def inventory(
        self, *, kind: Kind, deadline_s: float, changed_since: datetime | None = None, after: str = ""
    ) -> Iterator[FoundObject]:
        """Every item of the collection, or every file; ``deadline_s`` is for all of it."""
        if not self._knows(kind):
            raise InventoryError("kind-not-declared", kind)
        try:
            yield from inventory(self._site(kind, deadline_s), changed_since=changed_since, after=after)
        except CutError as error:
            raise InventoryError(error.code, shown(error.detail, self._secrets)) from None

    def check(self) -> list[CheckResult]:
        """Who are we, do we see everything, may we write what is declared, does the guard hold, may we not publish."""
        files = self._site(Kind.UPLOAD_FILE, DEADLINE_S) if self._knows(Kind.UPLOAD_FILE) else None
        return run_checks(self._site(Kind.CREATE_DRAFT, DEADLINE_S), files)

    def close(self) -> None:
        """Close idle connections."""
        self._client.close()

    def _knows(self, kind: Kind) -> bool:
        uploads = kind == Kind.UPLOAD_FILE and self._parameters.file_marker_field is not None
        return kind == Kind.CREATE_DRAFT or uploads

    def _site(self, kind: Kind, seconds: float) -> Site:
        reader = Reader.within(seconds, self._client, self._base_url, self._headers)
        return Site(self._parameters, self._base_url, reader, kind)
