"""WordPress, set up in three ways: with our plugin, as it comes, and with a registered field of ours."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Mapping
from typing import Any

from once_delivery.targets.base import Connection, Kind
from once_delivery.targets.profile import Guard
from tests.real.systems.wordpress import WordPressServer, WordPressSite
from tests.real.targets.system import Account, Held

# of the right form, and never given out
NOBODYS_PASSWORD = "abcd efgh ijkl mnop qrst uvwx"
ACCOUNTS = {Account.DELIVERY: "delivery", Account.BLIND: "reader"}
PUBLIC = ("publish", "future", "private")


class WordPressSystem:
    """See :class:`tests.real.targets.system.RealSystem`."""

    kind = "wordpress"
    kinds: tuple[Kind, ...] = (Kind.CREATE_DRAFT, Kind.UPLOAD_FILE)
    has_trash = True
    sees_its_limits = True

    def __init__(self, server: WordPressServer, guard: Guard, *, marker_meta: str | None = None) -> None:
        self.guard = guard
        self._plugged = guard == Guard.CLIENT_ID
        self.site: WordPressSite = server.plugged if self._plugged else server.plain
        self.marker_survives_rename = self._plugged or marker_meta is not None
        self.declaration: dict[str, Any] = {"plugin": self._plugged, "marker_meta": marker_meta}

    def connection(self, *, base_url: str = "", account: Account = Account.DELIVERY) -> Connection:
        name = ACCOUNTS.get(account, "delivery")
        password = self.site.passwords[name] if account in ACCOUNTS else NOBODYS_PASSWORD
        files = "media" if account == Account.DELIVERY else name
        credentials = {
            "username": name,
            "application_password": password,
            "media_username": files,
            "media_application_password": self.site.passwords["media"] if files == "media" else password,
        }
        return Connection(base_url or self.site.base_url, self.declaration, credentials, allow_inside=True)

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
        of_type = "attachment" if kind == Kind.UPLOAD_FILE else "post"
        ours = (
            f"once_marker = '{marker}'"
            if self._plugged
            else f"post_name REGEXP '^{marker}(-[0-9]+)?(__trashed(-[0-9]+)?)?$'"
        )
        rows = self.site.rows(
            f"SELECT ID, post_status, post_title FROM wp_posts WHERE post_type = '{of_type}' AND {ours} ORDER BY ID"  # noqa: S608 -- our own markers
        )
        return [Held(row[0], row[2], live=row[1] in PUBLIC) for row in rows]

    def rename(self, result_id: str) -> None:
        self.change(result_id, slug=f"schoen-{uuid.uuid4().hex[:8]}")

    def change(self, result_id: str, **changes: Any) -> None:
        """An editor changes a post."""
        status, answer, _ = self.site.ask("editor", "POST", f"/wp/v2/posts/{result_id}", changes)
        assert status == 200, answer

    def edit(self, result_id: str, title: str) -> None:
        self.change(result_id, title=title)

    def trash(self, kind: Kind, result_id: str) -> None:
        self._delete(kind, result_id, "")

    def delete(self, kind: Kind, result_id: str) -> None:
        self._delete(kind, result_id, "?force=true")

    def _delete(self, kind: Kind, result_id: str, how: str) -> None:
        place = "media" if kind == Kind.UPLOAD_FILE else "posts"
        status, answer, _ = self.site.ask("editor", "DELETE", f"/wp/v2/{place}/{result_id}{how}")
        assert status == 200, answer

    def make_by_hand(self, title: str) -> str:
        """By a person with the account of deliveries: a contributor is not told of other people's drafts."""
        status, answer, _ = self.site.ask("delivery", "POST", "/wp/v2/posts", {"title": title})
        assert status == 201, answer
        return str(answer["id"])

    def publish_as_delivery(self, result_id: str) -> bool:
        for status in PUBLIC:
            change = {"status": status, "date": "2037-01-01T00:00:00"}
            self.site.ask("delivery", "POST", f"/wp/v2/posts/{result_id}", change)
        rows = dict(self.site.rows("SELECT ID, post_status FROM wp_posts"))
        return rows[result_id] in PUBLIC

    def publishing_payload(self) -> Mapping[str, Any]:
        return {"status": "publish", "post_status": "publish", "date": "2020-01-01T00:00:00"}

    def paused(self) -> contextlib.AbstractContextManager[None]:
        return self.site.web.paused()
