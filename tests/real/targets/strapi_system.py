"""Strapi, set up in two ways: with our plugin, and with nothing but a policy that lets drafts alone through."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from once_delivery.targets.base import Connection, Kind
from once_delivery.targets.profile import Guard
from tests.real.systems.strapi import StrapiServer
from tests.real.targets.system import Account, Held

# of the right form, and never given out
NOBODYS_TOKEN = "0" * 256
LOCALES = {"de-DE": "de", "fr-FR": "fr", "en-US": "en"}


class StrapiSystem:
    """See :class:`tests.real.targets.system.RealSystem`."""

    kind = "strapi"
    kinds: tuple[Kind, ...] = (Kind.CREATE_DRAFT, Kind.UPLOAD_FILE)
    marker_survives_rename = True
    has_trash = False
    sees_its_limits = True

    def __init__(self, server: StrapiServer, guard: Guard, *, type_: str = "") -> None:
        self.server = server
        self.guard = guard
        self.plugged = guard == Guard.CLIENT_ID
        self.account = "plugged" if self.plugged else "plain"
        self.plural = type_ or ("articles" if self.plugged else "stories")
        self._singular = {"stories": "story", "entries": "entry"}.get(self.plural, self.plural[:-1])
        self._localized = self.plural in {"articles", "stories"}

    @property
    def uid(self) -> str:
        return f"api::{self._singular}.{self._singular}"

    @property
    def declaration(self) -> dict[str, Any]:
        return {
            "content_type": self.plural,
            "plugin": self.plugged,
            "uid": self.uid,
            "fields": {"product": "product", "featured_media": "image"},
            "locales": LOCALES if self._localized else {},
        }

    def connection(self, *, base_url: str = "", account: Account = Account.DELIVERY) -> Connection:
        names = {Account.DELIVERY: self.account, Account.BLIND: "blind"}
        token = self.server.tokens[names[account]] if account in names else NOBODYS_TOKEN
        return Connection(
            base_url or self.server.base_url, self.declaration, {"token": token}, allow_inside=True
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
        """One for each document, whatever rows it has."""
        if kind == Kind.UPLOAD_FILE:
            rows = self.server.rows(
                "SELECT id, name, false FROM files WHERE hash LIKE %s ORDER BY id",
                marker.replace("-", r"\_") + r"\_%",
            )
        else:
            rows = self.server.rows(
                f"SELECT document_id, min(title), bool_or(published_at IS NOT NULL) FROM {self.plural}"  # noqa: S608 -- our own names
                " WHERE external_ref = %s GROUP BY document_id ORDER BY document_id",
                marker,
            )
        return [Held(str(row[0]), row[1], live=row[2]) for row in rows]

    def rename(self, result_id: str) -> None:
        """There is no slug: a title is all that an editor can give it."""
        self.edit(result_id, "Ein schöner Kessel")

    def edit(self, result_id: str, title: str) -> None:
        self.panel("PUT", f"/{result_id}", {"title": title})

    def panel(self, method: str, path: str, body: Any = None, *, locale: str = "de") -> Any:
        """An editor at work in the admin panel."""
        place = f"/content-manager/collection-types/{self.uid}{path}"
        asked = f"?locale={locale}" if self._localized else ""
        status, answer = self.server.ask("editor", method, place + asked, body)
        assert status in {200, 201}, answer
        return answer

    def trash(self, kind: Kind, result_id: str) -> None:
        raise AssertionError("Strapi has no trash")

    def delete(self, kind: Kind, result_id: str) -> None:
        if kind == Kind.UPLOAD_FILE:
            status, answer = self.server.ask("editor", "DELETE", f"/upload/files/{result_id}")
            assert status == 200, answer
        else:
            self.panel("DELETE", f"/{result_id}", locale="*")

    def make_by_hand(self, title: str) -> str:
        made = self.panel("POST", "", {"title": title})
        return str(made["data"]["documentId"])

    def publish_as_delivery(self, result_id: str) -> bool:
        place = f"/api/{self.plural}"
        locale = "&locale=de" if self._localized else ""
        for query in ("", "?status=published", "?status=draft&status=published", "?status=bogus"):
            asked = query + (locale if query else locale.replace("&", "?"))
            self.server.ask(self.account, "PUT", f"{place}/{result_id}{asked}", {"data": {"title": "x"}})
            self.server.ask(self.account, "POST", f"{place}{asked}", {"data": {"title": f"by {result_id}"}})
        self.server.ask(
            self.account, "POST", f"/content-manager/collection-types/{self.uid}/{result_id}/actions/publish"
        )
        rows = self.server.rows(
            f"SELECT id FROM {self.plural} WHERE published_at IS NOT NULL AND (document_id = %s OR title = %s)",  # noqa: S608 -- our own names
            result_id,
            f"by {result_id}",
        )
        return bool(rows)

    def publishing_payload(self) -> Mapping[str, Any]:
        return {
            "status": "published",
            "publishedAt": "2020-01-01T00:00:00.000Z",
            "published_at": "2020-01-01",
        }

    def paused(self) -> contextlib.AbstractContextManager[None]:
        return self.server.process.paused()
