"""A small typed client of the administrator's API, for the drill, the demo and tests. Stdlib only."""

from __future__ import annotations

import http
import http.client
import json
from typing import Any, cast
from urllib.parse import quote, urlencode, urlsplit

from once_delivery.sandbox.documents import (
    ArmedFault,
    Inventory,
    Kind,
    LoggedCall,
    Space,
    SpaceSummary,
    TrueObject,
)


class SandboxError(Exception):
    """The sandbox answered an error; ``status`` and ``code`` are its own."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code


class SandboxAdmin:
    """Speaks to one sandbox. One connection a call, so that it may be used from several threads."""

    def __init__(self, base_url: str, admin_token: str, *, timeout: float = 10.0) -> None:
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"not an http(s) address: {base_url}")
        self.base_url = base_url.rstrip("/")
        self._secure = parts.scheme == "https"
        self._host, self._port, self._prefix = parts.hostname, parts.port, parts.path.rstrip("/")
        self._token = admin_token
        self._timeout = timeout

    def content_url(self, space: str) -> str:
        """The base address of a space's content API."""
        return f"{self.base_url}/spaces/{quote(space)}"

    def page_url(self, space: str) -> str:
        """The page that shows people what a space holds."""
        return f"{self.content_url(space)}/"

    def health(self) -> dict[str, Any]:
        """``{"status": "ok", "spaces": n}``."""
        return cast("dict[str, Any]", self._ask("GET", "/health"))

    def put_space(self, space: str, *, token: str | None = None, **settings: Any) -> Space:
        """Make a space or replace all its settings; its objects stay."""
        given = settings if token is None else {**settings, "token": token}
        return cast("Space", self._ask("PUT", f"/admin/spaces/{quote(space)}", given))

    def get_space(self, space: str) -> SpaceSummary:
        """A space with its counts."""
        return cast("SpaceSummary", self._ask("GET", f"/admin/spaces/{quote(space)}"))

    def delete_space(self, space: str) -> None:
        """Forget a space with all it holds, its log and its faults."""
        self._ask("DELETE", f"/admin/spaces/{quote(space)}")

    def spaces(self) -> list[SpaceSummary]:
        """All spaces by name."""
        return cast("list[SpaceSummary]", self._ask("GET", "/admin/spaces")["spaces"])

    def inventory(self, space: str) -> Inventory:
        """The truth about a space."""
        return cast("Inventory", self._ask("GET", f"/admin/spaces/{quote(space)}/inventory"))

    def objects(self, space: str, *, marker: str | None = None, kind: Kind | None = None) -> list[TrueObject]:
        """The objects that exist now, of one marker or kind if asked."""
        return [
            one
            for one in self.inventory(space)["objects"]
            if marker in (None, one["marker"]) and kind in (None, one["kind"])
        ]

    def log(self, space: str, *, operation: str | None = None, after: int = 0) -> list[LoggedCall]:
        """The calls of a space in order; ``operation="create"`` for those that could create."""
        query = {"after": str(after)} | ({"operation": operation} if operation else {})
        answer = self._ask("GET", f"/admin/spaces/{quote(space)}/log?{urlencode(query)}")
        return cast("list[LoggedCall]", answer["calls"])

    def add_fault(
        self,
        space: str,
        kind: str,
        *,
        match: dict[str, Any] | None = None,
        times: int = 1,
        seconds: float = 1.0,
        variant: str | None = None,
        status: int | None = None,
    ) -> ArmedFault:
        """Arm a fault; ``times=0`` strikes for ever."""
        rule = {"kind": kind, "match": match or {}, "times": times, "seconds": seconds}
        rule |= {"variant": variant, "status": status}
        return cast("ArmedFault", self._ask("POST", f"/admin/spaces/{quote(space)}/faults", rule))

    def faults(self, space: str) -> list[ArmedFault]:
        """All faults of a space, spent ones too."""
        return cast("list[ArmedFault]", self._ask("GET", f"/admin/spaces/{quote(space)}/faults")["faults"])

    def clear_faults(self, space: str) -> int:
        """Disarm all; how many there were."""
        return int(self._ask("DELETE", f"/admin/spaces/{quote(space)}/faults")["cleared"])

    def make(self, space: str, kind: Kind, **fields: Any) -> dict[str, Any]:
        """Somebody makes an object in the CMS itself (``made_by`` is "hand", the log has no call)."""
        return cast(
            "dict[str, Any]", self._ask("POST", f"/admin/spaces/{quote(space)}/objects/{kind}", fields)
        )

    def trash(self, space: str, kind: Kind, object_id: str) -> TrueObject:
        """An editor puts it into the trash."""
        return self._deed(space, kind, object_id, "trash", {})

    def delete(self, space: str, kind: Kind, object_id: str) -> TrueObject:
        """An editor deletes it for good."""
        return self._deed(space, kind, object_id, "delete", {})

    def edit(self, space: str, kind: Kind, object_id: str, **fields: Any) -> TrueObject:
        """An editor changes fields (``marker=None`` takes the marker away)."""
        return self._deed(space, kind, object_id, "edit", fields)

    def publish(self, space: str, kind: Kind, object_id: str) -> TrueObject:
        """An editor publishes it."""
        return self._deed(space, kind, object_id, "publish", {})

    def _deed(self, space: str, kind: Kind, object_id: str, deed: str, fields: dict[str, Any]) -> TrueObject:
        path = f"/admin/spaces/{quote(space)}/objects/{kind}/{quote(object_id)}/{deed}"
        return cast("TrueObject", self._ask("POST", path, fields))

    def _ask(self, method: str, path: str, document: dict[str, Any] | None = None) -> Any:
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        connection = kind(self._host, self._port, timeout=self._timeout)
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        try:
            body = None if document is None else json.dumps(document).encode()
            connection.request(method, self._prefix + path, body, headers)
            response = connection.getresponse()
            answer = json.loads(response.read() or b"{}")
        finally:
            connection.close()
        if response.status >= http.HTTPStatus.BAD_REQUEST:
            error = answer.get("error", {})
            raise SandboxError(response.status, error.get("code", "unknown"), error.get("message", ""))
        return answer
