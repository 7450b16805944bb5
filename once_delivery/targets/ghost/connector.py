"""A Ghost site, through its Admin API (README.md of this folder)."""

from __future__ import annotations

import time
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
from once_delivery.targets.ghost import images, looks
from once_delivery.targets.ghost.checks import DEADLINE_S, run_checks
from once_delivery.targets.ghost.effects import Sender, judged
from once_delivery.targets.ghost.inventory import inventory
from once_delivery.targets.ghost.parameters import read_parameters
from once_delivery.targets.ghost.site import Site
from once_delivery.targets.ghost.token import AdminKey
from once_delivery.targets.http_json.address import base_url_of
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.sending import shown

_NO_KIND = "kind-not-declared"
_DRAFTS = frozenset({Kind.CREATE_DRAFT, Kind.UPDATE_DRAFT})


def connect(connection: Connection) -> GhostConnector:
    """A connector for one site; raises InvalidInputError for its address, declaration or key."""
    return GhostConnector(connection, HttpClient(allow_inside=connection.allow_inside))


class GhostConnector:
    """See :class:`once_delivery.targets.base.Connector`. Safe to share between threads."""

    def __init__(self, connection: Connection, client: HttpClient) -> None:
        self._base_url = base_url_of(connection.base_url)
        self._key = AdminKey.read(connection.credentials)
        self._parameters = read_parameters(connection.declaration, self._base_url)
        self._client = client
        self._sender = Sender(self._key.secrets)

    def perform(self, request: EffectRequest) -> Answer:
        """Send one request, once; reads come before it where Ghost does not look after everything itself."""
        if not self._does(request.kind):
            return Answer(Outcome.REFUSED, _NO_KIND, detail=request.kind)
        site, original = self._site(request.deadline_s), request.original
        try:
            if request.kind == Kind.UPLOAD_FILE:
                return self._sender.upload(site, request)
            if request.kind == Kind.CREATE_DRAFT:
                return self._sender.create_draft(site, request)
            if original is None or not original.version:
                # without the state that it is for, it would overwrite whatever stands there now
                return Answer(Outcome.REFUSED, "version-unknown")
            return self._sender.update_draft(site, request, original)
        except PayloadError as error:
            return Answer(Outcome.REFUSED, error.code, detail=error.name)

    def look_up(self, request: LookUpRequest) -> Look:
        """By canonical address and slug; an update in the one post that it is for; a picture by its address."""
        if not self._does(request.kind):
            return Look(Verdict.CANNOT_TELL, "none", complete=False, code=_NO_KIND)
        site, original = self._site(request.deadline_s), request.original
        if request.kind == Kind.UPLOAD_FILE:
            return images.look(site, request)
        if original is not None:
            return judged(looks.read(site, original.result_id), original, request.payload)
        if request.kind == Kind.UPDATE_DRAFT:
            return Look(Verdict.CANNOT_TELL, "none", complete=False, code="original-unknown")
        return looks.look(site, request)

    def read(self, *, kind: Kind, result_id: str, deadline_s: float) -> Look:
        """One post with its content, or whether a picture is there."""
        if not self._does(kind):
            return Look(Verdict.CANNOT_TELL, "none", complete=False, code=_NO_KIND)
        site = self._site(deadline_s)
        return images.read(site, result_id) if kind == Kind.UPLOAD_FILE else looks.read(site, result_id)

    def remove(self, *, kind: Kind, result_id: str, deadline_s: float) -> Answer:
        """Delete a draft for good. Ghost has no way to delete a picture."""
        if kind not in _DRAFTS:
            return Answer(Outcome.REFUSED, "cannot-remove", detail=kind)
        return self._sender.remove(self._site(deadline_s), result_id)

    def inventory(
        self, *, kind: Kind, deadline_s: float, changed_since: datetime | None = None, after: str = ""
    ) -> Iterator[FoundObject]:
        """Every post; ``deadline_s`` is for all of it."""
        if kind not in _DRAFTS:
            raise InventoryError(images.NO_PROOF, kind)
        try:
            yield from inventory(self._site(deadline_s), changed_since, after)
        except CutError as error:
            raise InventoryError(error.code, shown(error.detail, self._key.secrets)) from None

    def check(self) -> list[CheckResult]:
        """Is it Ghost, whose key is it, may they not publish, is it the site that we think."""
        return run_checks(self._site(DEADLINE_S))

    def close(self) -> None:
        """Close idle connections."""
        self._client.close()

    def _does(self, kind: Kind) -> bool:
        return kind in _DRAFTS or (kind == Kind.UPLOAD_FILE and self._parameters.images)

    def _site(self, seconds: float) -> Site:
        ends = time.monotonic() + seconds
        return Site(self._parameters, self._base_url, self._client, self._key, ends)
