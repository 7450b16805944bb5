"""Directus, set up in two ways: with our IDs and a unique marker field, and with neither."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Mapping
from typing import Any

from once_delivery.targets.base import Connection, Kind
from once_delivery.targets.profile import Guard
from tests.real.systems.directus import DirectusServer
from tests.real.targets.system import Account, Held

NOBODYS_TOKEN = "token-that-was-never-given-out-0000"
ACCOUNTS = {Account.DELIVERY: "delivery", Account.BLIND: "outsider"}
PUBLISHED, ARCHIVED = "published", "archived"


class DirectusSystem:
    """See :class:`tests.real.targets.system.RealSystem`."""

    kind = "directus"
    sees_its_limits = True
    marker_survives_rename = True

    def __init__(self, server: DirectusServer, guard: Guard) -> None:
        self.server = server
        self.guard = guard
        self._ours = guard == Guard.CLIENT_ID
        self.has_trash = not self._ours  # items can be archived, and files cannot
        self.kinds: tuple[Kind, ...] = (
            (Kind.CREATE_DRAFT, Kind.UPLOAD_FILE) if self._ours else (Kind.CREATE_DRAFT,)
        )
        self.collection = "articles" if self._ours else "notes"
        self.declaration: dict[str, Any] = {
            "collection": self.collection,
            "client_id": self._ours,
            "fields": {
                "locale": "language", "product": "product", "featured_media": "image", "slug": "slug",
            },
            "file_marker_field": "external_ref" if self._ours else None,
        }  # fmt: skip

    def connection(self, *, base_url: str = "", account: Account = Account.DELIVERY) -> Connection:
        name = ACCOUNTS.get(account)
        return self.as_account(self.server.tokens[name] if name else NOBODYS_TOKEN, base_url=base_url)

    def as_account(self, token: str, *, base_url: str = "", **changes: Any) -> Connection:
        """With another token, or another declaration."""
        return Connection(
            base_url or self.server.base_url,
            {**self.declaration, **changes},
            {"token": token},
            allow_inside=True,
        )

    def payload(self, kind: Kind, title: str) -> dict[str, Any]:
        if kind == Kind.UPLOAD_FILE:
            return {"alt": title}
        return {
            "title": title,
            "body": f"<p>{title} <b>wichtig</b></p>",
            "locale": "de-DE",
            "product": "kettle",
        }

    def held(self, kind: Kind, marker: str) -> list[Held]:
        if kind == Kind.UPLOAD_FILE:
            query = "SELECT id, title, false FROM directus_files WHERE external_ref = %s ORDER BY id"
        else:
            query = f"SELECT id, title, status = 'published' FROM {self.collection} WHERE external_ref = %s ORDER BY id"  # noqa: S608 -- ours
        return [Held(str(row[0]), row[1], live=row[2]) for row in self.server.rows(query, marker)]

    def rename(self, result_id: str) -> None:
        self.change(result_id, slug=f"schoen-{uuid.uuid4().hex[:8]}", title="Another title")

    def edit(self, result_id: str, title: str) -> None:
        self.change(result_id, title=title)

    def change(self, result_id: str, **changes: Any) -> None:
        """An editor changes an item."""
        status, answer = self.server.ask("editor", "PATCH", f"/items/{self.collection}/{result_id}", changes)
        assert status == 200, answer

    def trash(self, kind: Kind, result_id: str) -> None:
        if kind == Kind.UPLOAD_FILE:
            self.delete(kind, result_id)
        else:
            self.change(result_id, status=ARCHIVED)

    def delete(self, kind: Kind, result_id: str) -> None:
        place = "/files" if kind == Kind.UPLOAD_FILE else f"/items/{self.collection}"
        status, answer = self.server.ask("editor", "DELETE", f"{place}/{result_id}")
        assert status == 204, answer

    def make_by_hand(self, title: str) -> str:
        status, answer = self.server.ask("editor", "POST", f"/items/{self.collection}", {"title": title})
        assert status == 200, answer
        return str(answer["data"]["id"])

    def publish_as_delivery(self, result_id: str) -> bool:
        path, public = f"/items/{self.collection}", {"status": PUBLISHED}
        ask, tell = self.server.ask, "delivery"
        ask(tell, "PATCH", f"{path}/{result_id}", public)
        ask(tell, "PATCH", path, {"query": {"filter": {"id": {"_eq": result_id}}}, "data": public})
        ask(tell, "PATCH", path, {"keys": [result_id], "data": public})
        made, answer = ask(tell, "POST", path, {"id": str(uuid.uuid4()), "title": "x", **public})
        assert made >= 400, answer
        (row,) = self.server.rows(f"SELECT status FROM {self.collection} WHERE id = %s", result_id)  # noqa: S608 -- ours
        return bool(row[0] == PUBLISHED)

    def publishing_payload(self) -> Mapping[str, Any]:
        return {"status": PUBLISHED, "id": str(uuid.uuid4()), "external_ref": "nobody's"}

    def paused(self) -> contextlib.AbstractContextManager[None]:
        return self.server.process.paused()
