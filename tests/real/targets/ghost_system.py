"""Ghost, as it comes: nothing is installed into it."""

from __future__ import annotations

import contextlib
import hashlib
import uuid
from collections.abc import Mapping
from typing import Any

from once_delivery.targets.base import Connection, EffectRequest, FileBytes, Kind
from once_delivery.targets.profile import Guard
from tests.real.systems.ghost import GhostServer
from tests.real.targets.system import Account, Held

# of the right form, and never given out
NOBODYS_KEY = f"{'0' * 24}:{'0' * 64}"
# everybody on the staff sees all drafts: whoever may not is suspended
KEYS = {Account.DELIVERY: "delivery", Account.BLIND: "away"}


class GhostSystem:
    """See :class:`tests.real.targets.system.RealSystem`."""

    kind = "ghost"
    kinds: tuple[Kind, ...] = (Kind.CREATE_DRAFT,)
    guard = Guard.LOOKUP
    marker_survives_rename = True
    has_trash = False
    sees_its_limits = True

    def __init__(self, server: GhostServer, *, file: Mapping[str, str] | None = None) -> None:
        self.server = server
        self._file = file  # what look-ups for uploads name
        self.body = ""  # of drafts; "" makes one of the title
        self.declaration: dict[str, Any] = {"images": True, "fields": {"summary": "meta_description"}}

    def connection(self, *, base_url: str = "", account: Account = Account.DELIVERY) -> Connection:
        key = self.server.keys[KEYS[account]] if account in KEYS else NOBODYS_KEY
        return Connection(
            base_url or self.server.base_url,
            {**self.declaration, "site_url": self.server.base_url},
            {"admin_api_key": key},
            allow_inside=True,
        )

    def payload(self, kind: Kind, title: str) -> dict[str, Any]:
        if kind == Kind.UPLOAD_FILE:
            return {"alt": title, "file": self._file}
        return {
            "title": title,
            "body": self.body or f"<p>{title} <b>wichtig</b></p>",
            "locale": "de-DE",
            "product": "kettle",
        }

    def held(self, kind: Kind, marker: str) -> list[Held]:
        ours = f"canonical_url LIKE '%/{marker}/' OR slug REGEXP '^{marker}(-[0-9]+)?$'"
        rows = self.server.rows(f"SELECT id, title, status FROM posts WHERE {ours} ORDER BY id")  # noqa: S608 -- our own markers
        return [Held(row[0], row[1], live=row[2] != "draft") for row in rows]

    def upload(self, marker: str, data: bytes, media_type: str) -> EffectRequest:
        """Of any bytes, whatever they are said to be."""
        file = FileBytes("kettle", media_type, hashlib.sha256(data).hexdigest(), data)
        payload = {"file": {"sha256": file.sha256, "name": file.name, "media_type": media_type}}
        return EffectRequest(Kind.UPLOAD_FILE, marker, "", "", payload, 20.0, {file.sha256: file})

    def rename(self, result_id: str) -> None:
        self.change(result_id, slug=f"schoen-{uuid.uuid4().hex[:8]}")

    def edit(self, result_id: str, title: str) -> None:
        self.change(result_id, title=title)

    def change(self, result_id: str, **changes: Any) -> None:
        """An editor changes a post."""
        status, found = self.server.ask("GET", f"/posts/{result_id}/")
        assert status == 200, found
        changed = {**changes, "updated_at": found["posts"][0]["updated_at"]}
        status, answer = self.server.ask("PUT", f"/posts/{result_id}/", {"posts": [changed]})
        assert status == 200, answer

    def trash(self, kind: Kind, result_id: str) -> None:
        raise AssertionError("Ghost has no trash")

    def delete(self, kind: Kind, result_id: str) -> None:
        status, answer = self.server.ask("DELETE", f"/posts/{result_id}/")
        assert status == 204, answer

    def make_by_hand(self, title: str) -> str:
        status, answer = self.server.ask("POST", "/posts/", {"posts": [{"title": title}]})
        assert status == 201, answer
        return str(answer["posts"][0]["id"])

    def publish_as_delivery(self, result_id: str) -> bool:
        ((before,),) = self.server.rows(f"SELECT updated_at FROM posts WHERE id = '{result_id}'")  # noqa: S608
        for status in ("published", "scheduled", "sent"):
            post = {
                "status": status,
                "published_at": "2037-01-01T00:00:00.000Z",
                "updated_at": before.replace(" ", "T") + ".000Z",
            }
            self.server.ask_as("delivery", "PUT", f"/posts/{result_id}/", {"posts": [post]})
        ((status,),) = self.server.rows(f"SELECT status FROM posts WHERE id = '{result_id}'")  # noqa: S608
        return status != "draft"

    def publishing_payload(self) -> Mapping[str, Any]:
        return {"status": "published", "published_at": "2020-01-01T00:00:00.000Z", "visibility": "public"}

    def paused(self) -> contextlib.AbstractContextManager[None]:
        return self.server.process.paused()
