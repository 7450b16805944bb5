"""Wagtail, set up in two ways: with a unique field of ours, and as a site that added nothing."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Mapping
from typing import Any

from once_delivery.targets.base import Connection, Kind
from once_delivery.targets.profile import Guard
from tests.real.systems.wagtail import WagtailServer
from tests.real.targets.system import Account, Held

# a token of the right form that was never given out
NOBODYS_TOKEN = "wagtail_0000000000000000000000000000000"
ACCOUNTS = {Account.DELIVERY: "delivery", Account.BLIND: "outsider"}


class WagtailSystem:
    """See :class:`tests.real.targets.system.RealSystem`."""

    kind = "wagtail"
    has_trash = False
    sees_its_limits = True

    def __init__(self, server: WagtailServer, guard: Guard) -> None:
        self.server = server
        self.guard = guard
        self._with_field = guard == Guard.CLIENT_ID
        self.kinds: tuple[Kind, ...] = (
            (Kind.CREATE_DRAFT, Kind.UPLOAD_FILE) if self._with_field else (Kind.CREATE_DRAFT,)
        )
        self.marker_survives_rename = self._with_field
        self._type = "catalog.ProductPage" if self._with_field else "catalog.NewsPage"

    @property
    def declaration(self) -> dict[str, Any]:
        if not self._with_field:
            return {
                "page_type": self._type,
                "parent_id": self.server.section,
                "marker_field": None,
                "image_marker_field": None,
            }
        return {
            "page_type": self._type,
            "parent_id": self.server.section,
            "fields": {"locale": "language", "product": "product", "featured_media": "hero_image_id"},
        }

    def connection(self, *, base_url: str = "", account: Account = Account.DELIVERY) -> Connection:
        name = ACCOUNTS.get(account)
        token = self.server.tokens[name] if name else NOBODYS_TOKEN
        return Connection(
            base_url or self.server.base_url, self.declaration, {"token": token}, allow_inside=True
        )

    def payload(self, kind: Kind, title: str) -> dict[str, Any]:
        if kind == Kind.UPLOAD_FILE:
            return {"alt": title[:200]}
        return {
            "title": title,
            "body": f"<p>{title} <b>wichtig</b></p>",
            "locale": "de-DE",
            "product": "kettle",
        }

    def held(self, kind: Kind, marker: str) -> list[Held]:
        if kind == Kind.UPLOAD_FILE:
            rows = self.server.rows(
                "SELECT id, title, false FROM catalog_catalogimage WHERE external_ref = %s ORDER BY id",
                marker,
            )
        elif self._with_field:
            rows = self.server.rows(
                "SELECT p.id, p.title, p.live FROM catalog_productpage c JOIN wagtailcore_page p"
                " ON p.id = c.page_ptr_id WHERE c.external_ref = %s ORDER BY p.id",
                marker,
            )
        else:
            rows = self.server.rows(
                "SELECT p.id, p.title, p.live FROM catalog_newspage c JOIN wagtailcore_page p"
                " ON p.id = c.page_ptr_id WHERE p.slug = %s ORDER BY p.id",
                marker,
            )
        return [Held(str(row[0]), row[1], live=row[2]) for row in rows]

    def rename(self, result_id: str) -> None:
        status, answer = self.server.ask(
            "admin", "PATCH", f"/pages/{result_id}/", {"slug": f"schoen-{uuid.uuid4().hex[:8]}"}
        )
        assert status == 200, answer

    def edit(self, result_id: str, title: str) -> None:
        status, answer = self.server.ask("admin", "PATCH", f"/pages/{result_id}/", {"title": title})
        assert status == 200, answer

    def trash(self, kind: Kind, result_id: str) -> None:
        raise AssertionError("Wagtail has no trash")

    def delete(self, kind: Kind, result_id: str) -> None:
        place = "images" if kind == Kind.UPLOAD_FILE else "pages"
        status, answer = self.server.ask("admin", "DELETE", f"/{place}/{result_id}/")
        assert status == 204, answer

    def make_by_hand(self, title: str) -> str:
        meta = {"type": self._type, "parent_id": self.server.section}
        body = {"meta": meta, "title": title, "slug": f"hand-{uuid.uuid4().hex[:12]}"}
        status, answer = self.server.ask("admin", "POST", "/pages/", body)
        assert status == 201, answer
        return str(answer["id"])

    def publish_as_delivery(self, result_id: str) -> bool:
        self.server.ask("delivery", "POST", f"/pages/{result_id}/actions/publish/")
        self.server.ask(
            "delivery", "PATCH", f"/pages/{result_id}/", {"title": "x", "meta": {"action": "publish"}}
        )
        ((live,),) = self.server.rows("SELECT live FROM wagtailcore_page WHERE id = %s", int(result_id))
        return bool(live)

    def publishing_payload(self) -> Mapping[str, Any]:
        return {"status": "published", "live": True, "meta": {"action": "publish"}, "action": "publish"}

    def paused(self) -> contextlib.AbstractContextManager[None]:
        return self.server.process.paused()
