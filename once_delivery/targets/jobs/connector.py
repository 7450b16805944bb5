"""A generation service, by its file in ``services/`` (README.md of this folder)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

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
from once_delivery.targets.http_json.sending import send_once, shown
from once_delivery.targets.jobs import hooks
from once_delivery.targets.jobs.answers import Judge
from once_delivery.targets.jobs.checks import run_checks
from once_delivery.targets.jobs.declaration import read_declaration
from once_delivery.targets.jobs.inventory import inventory
from once_delivery.targets.jobs.looks import Looker, by_id, by_marker, cannot_tell
from once_delivery.targets.jobs.recognising import by_time_and_content
from once_delivery.targets.jobs.requests import Requests, sought
from once_delivery.targets.jobs.tokens import prover

_CHECK_S = 10.0


def connect(connection: Connection) -> JobsConnector:
    """A connector for one account; raises InvalidInputError for its address, declaration or credentials."""
    return JobsConnector(connection, HttpClient(allow_inside=connection.allow_inside))


class JobsConnector:
    """See :class:`once_delivery.targets.base.Connector`. Safe to share between threads."""

    def __init__(self, connection: Connection, client: HttpClient) -> None:
        self._declaration = read_declaration(connection.declaration)
        self._service = self._declaration.service
        prove, secrets = prover(self._service.auth, connection.credentials)
        self._hook_key = ""
        if self._declaration.hook_base_url:
            (self._hook_key,) = credentials_of(connection.credentials, hooks.KEY_CREDENTIAL)
        self._secrets = (*secrets, *([self._hook_key] if self._hook_key else []))
        base_url = base_url_of(connection.base_url or self._service.base_url)
        self._requests = Requests(base_url, self._service, prove)
        self._client = client

    def perform(self, request: EffectRequest) -> Answer:
        """Submit one job, once."""
        if request.kind != Kind.START_JOB:
            return Answer(Outcome.REFUSED, "kind-not-declared", detail=request.kind)
        try:
            http_request = self._requests.submit(
                self._service.submit, request, self._callback(request.marker)
            )
        except PayloadError as error:
            return Answer(Outcome.REFUSED, error.code, detail=error.name)
        result = send_once(self._client, http_request, self._secrets)
        if not isinstance(result, Answer):
            result = Judge(self._service.submit, self._secrets).judge(sought(request), result)
        return self._priced(result)

    def _callback(self, marker: str) -> str:
        base = self._declaration.hook_base_url
        return hooks.address_of(base, marker, self._hook_key) if base else ""

    def _priced(self, answer: Answer) -> Answer:
        """What is not known may have been paid: whoever decides about a second try must see its price."""
        price = self._declaration.price
        if answer.outcome is not Outcome.UNKNOWN:
            return answer
        usage: Mapping[str, Any] = {
            "provider": self._service.name,
            "proven": self._service.evidence["proven"],
            "second_try": asdict(price) if price is not None else None,
        }
        return replace(answer, usage=usage)

    def look_up(self, request: LookUpRequest) -> Look:
        """By the job's ID where it is known; else by the way that this service has."""
        if request.kind != Kind.START_JOB:
            return cannot_tell("", CutError("kind-not-declared"))
        looker = self._looker(request.deadline_s)
        listing = self._service.list
        if request.result_id:
            return by_id(looker, request)
        if self._service.by_marker is not None or (listing is not None and listing.job.has_marker):
            return by_marker(looker, request)
        if listing is not None:
            return by_time_and_content(looker, request, listing)
        if self._service.call_job_id is not None and self._declaration.hook_base_url:
            # the service will call when the job ends, and name it; nothing can be asked before
            return cannot_tell("call", CutError("waits-for-call"))
        return cannot_tell("", CutError("no-look-up"))

    def read(self, *, kind: Kind, result_id: str, deadline_s: float) -> Look:
        """The job of one ID; a service that files jobs under their model needs the order to find it."""
        if kind != Kind.START_JOB:
            return cannot_tell("", CutError("kind-not-declared"))
        request = LookUpRequest(kind, marker="", client_id="", deadline_s=deadline_s, result_id=result_id)
        return by_id(self._looker(deadline_s), request)

    def remove(self, *, kind: Kind, result_id: str, deadline_s: float) -> Answer:
        """Never: a job is made and paid, and what it made goes by itself."""
        return Answer(Outcome.REFUSED, "cannot-remove")

    def inventory(
        self, *, kind: Kind, deadline_s: float, changed_since: datetime | None = None, after: str = ""
    ) -> Iterator[FoundObject]:
        """Every job that the service still lists; ``deadline_s`` is for all of it."""
        if changed_since is not None:
            raise InventoryError("cannot-list-changes")
        if after:
            raise InventoryError("cannot-go-on")
        try:
            yield from inventory(self._looker(deadline_s), kind)
        except CutError as error:
            raise InventoryError(error.code, shown(error.detail, self._secrets)) from None

    def check(self) -> list[CheckResult]:
        """What this declaration was proven on, and whether the account can be asked."""
        return run_checks(self._looker(_CHECK_S))

    def close(self) -> None:
        """Close idle connections."""
        self._client.close()

    def _looker(self, seconds: float) -> Looker:
        return Looker(self._declaration, self._requests, self._requests.reader(self._client, seconds))
