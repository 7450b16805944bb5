"""One bucket of S3 or of a store that speaks its protocol (README.md of this folder)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from botocore.credentials import Credentials

from once_delivery.common.http import HttpClient
from once_delivery.common.http.message import parse_url
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
from once_delivery.targets.http_json.address import base_url_of, credentials_of
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.sending import send_once, shown
from once_delivery.targets.s3.checks import DEADLINE_S, run_checks
from once_delivery.targets.s3.inventory import inventory
from once_delivery.targets.s3.looks import look, read
from once_delivery.targets.s3.multipart import put_in_parts
from once_delivery.targets.s3.outcomes import Judge
from once_delivery.targets.s3.parameters import read_parameters
from once_delivery.targets.s3.payload import LONGEST, Thing, thing_of
from once_delivery.targets.s3.removing import remove
from once_delivery.targets.s3.store import Reads, Store
from once_delivery.targets.updating import FOREIGN, judged


def connect(connection: Connection) -> S3Connector:
    """A connector for one bucket; raises InvalidInputError for its address, declaration or credentials."""
    return S3Connector(connection, HttpClient(allow_inside=connection.allow_inside))


def behind_proxy(declaration: Mapping[str, Any], base_url: str) -> Mapping[str, Any]:
    """A signature is for the name that the store is called by, which a proxy gives back to it."""
    origin, _path = parse_url(base_url)
    return {"signed_host": origin.authority, **declaration}


class S3Connector:
    """See :class:`once_delivery.targets.base.Connector`. Safe to share between threads."""

    def __init__(self, connection: Connection, client: HttpClient) -> None:
        access_key, secret_key = credentials_of(connection.credentials, "access_key", "secret_key")
        self._parameters = read_parameters(connection.declaration)
        self._client = client
        self._store = Store(
            self._parameters,
            base_url_of(connection.base_url),
            client,
            Credentials(access_key, secret_key, connection.credentials.get("session_token") or None),
        )

    def perform(self, request: EffectRequest) -> Answer:
        """Store one object: one request, or parts and the one request that makes an object of them."""
        reads = Reads.within(request.deadline_s, self._store)
        try:
            thing = thing_of(self._parameters, request)
            condition = self._condition(request)
        except PayloadError as error:
            return Answer(Outcome.REFUSED, error.code, detail=error.name)
        judge = Judge(
            thing,
            marker=request.original.marker if request.original else request.marker,
            url=self._store.url(thing.key),
            updates=request.original is not None,
            secrets=self._store.secrets,
        )
        parts = self._parameters.multipart
        if parts is not None and len(thing.data) > parts.above:
            return put_in_parts(reads, thing, judge, parts.part_size, condition)
        if len(thing.data) > LONGEST:
            return Answer(Outcome.REFUSED, "file-too-large", detail=f"{len(thing.data)} > {LONGEST}")
        return self._put(reads, thing, judge, {**thing.headers, **condition})

    def _put(self, reads: Reads, thing: Thing, judge: Judge, headers: dict[str, str]) -> Answer:
        put = self._store.request(
            "PUT",
            thing.key,
            deadline_s=0,
            headers={**headers, "x-amz-checksum-sha256": thing.checksum},
            body=thing.data,
        )
        try:
            # to sign a large file takes its time, and the deadline is for all of it
            put = replace(put, deadline_s=reads.left())
        except CutError:
            return Answer(Outcome.NOT_SENT, "deadline-over")
        result = send_once(self._client, put, self._store.secrets)
        return result if isinstance(result, Answer) else judge.stored(result)

    def _condition(self, request: EffectRequest) -> dict[str, str]:
        """What the store is to see to: nothing is there yet, or it is as we last saw it. Raises PayloadError."""
        original = request.original
        if original is None:
            if request.kind == Kind.UPDATE_DRAFT:
                raise PayloadError("payload-missing", "original")
            return {"if-none-match": "*"} if self._parameters.conditional else {}
        template = self._parameters.template(request.kind)
        if request.kind != Kind.UPDATE_DRAFT or not self._parameters.conditional:
            raise PayloadError("kind-not-declared", request.kind)
        if template is None or template.marker_of(original.result_id) != original.marker:
            raise PayloadError(FOREIGN, original.result_id[:100])
        if not original.version:
            raise PayloadError("version-unknown", original.result_id[:100])
        return {"if-match": f'"{original.version}"' if self._parameters.etag_quotes else original.version}

    def look_up(self, request: LookUpRequest) -> Look:
        """By the marker's prefix; of an update, by reading the one object that it is for."""
        reads = Reads.within(request.deadline_s, self._store)
        if request.kind == Kind.UPDATE_DRAFT:
            if request.original is None:
                return Look(Verdict.CANNOT_TELL, "none", complete=False, code="no-original")
            seen = read(reads, Kind.CREATE_DRAFT, request.original.result_id)
            return self._shown(judged(seen, original=request.original, payload=request.payload))
        return self._shown(look(reads, request))

    def read(self, *, kind: Kind, result_id: str, deadline_s: float) -> Look:
        """One object; a draft with its content."""
        return self._shown(read(Reads.within(deadline_s, self._store), kind, result_id))

    def remove(self, *, kind: Kind, result_id: str, deadline_s: float) -> Answer:
        """Delete one object and, where versions are kept, the ones before it too, until nothing is to be seen."""
        return remove(Reads.within(deadline_s, self._store), result_id)

    def inventory(
        self, *, kind: Kind, deadline_s: float, changed_since: datetime | None = None, after: str = ""
    ) -> Iterator[FoundObject]:
        """Everything in the kind's folder; ``deadline_s`` is for all of it. A listing has no filter by time."""
        if changed_since is not None:
            raise InventoryError("cannot-list-changes")
        try:
            yield from inventory(Reads.within(deadline_s, self._store), kind, after=after)
        except CutError as error:
            raise InventoryError(error.code, shown(error.detail, self._store.secrets)) from None

    def check(self) -> list[CheckResult]:
        """Is the bucket there, who are we, what can be listed, is it open to everybody."""
        return run_checks(Reads.within(DEADLINE_S, self._store))

    def close(self) -> None:
        """Close idle connections."""
        self._client.close()

    def _shown(self, look: Look) -> Look:
        return replace(look, detail=shown(look.detail, self._store.secrets)) if look.detail else look
