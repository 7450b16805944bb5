"""Contentful's Content Management API, as its documentation says."""

from __future__ import annotations

from typing import Any, ClassVar

from tests.targets.saas.double import Call, Double, Held, Reply

_BASE = "/spaces/s1/environments/master/entries"
_JSON = "application/vnd.contentful.management.v1+json"


class Contentful(Double):
    name = "contentful"
    values: ClassVar = {"space": "s1", "content_type": "article"}

    def __init__(self) -> None:
        super().__init__()
        self.entries: dict[str, dict[str, Any]] = {}
        self.overwrites = False  # an old statement: a PUT without a version updates

    def serve(self, call: Call) -> Reply:
        if call.path == _BASE:
            return self._list(call)
        entry_id = call.path.removeprefix(_BASE + "/")
        if "/" in entry_id:
            raise AssertionError(f"nobody asked for {call.path}")
        entry = self.entries.get(entry_id)
        if call.method == "PUT":
            return self._put(call, entry_id, entry)
        if entry is None:
            return _error(404, "NotFound")
        if call.method == "DELETE":
            return self._delete(entry)
        return self._patch(call, entry) if call.method == "PATCH" else (200, entry)

    def _delete(self, entry: dict[str, Any]) -> Reply:
        if "publishedVersion" in entry["sys"]:
            return _error(400, "BadRequest")
        del self.entries[entry["sys"]["id"]]
        return 204, None

    def _put(self, call: Call, entry_id: str, entry: dict[str, Any] | None) -> Reply:
        assert call.headers["content-type"] == _JSON
        if entry is not None:
            version = call.headers.get("x-contentful-version")
            if version != str(entry["sys"]["version"]) and not (self.overwrites and version is None):
                return _error(409, "VersionMismatch")
            entry["fields"] = call.body["fields"]  # nothing is merged
            self._changed(entry)
            return 200, entry
        moment = self.now()
        self.entries[entry_id] = {
            "sys": {"id": entry_id, "version": 1, "createdAt": moment, "updatedAt": moment},
            "fields": call.body["fields"],
        }
        assert call.headers["x-contentful-content-type"] == "article"
        return 201, self.entries[entry_id]

    def _patch(self, call: Call, entry: dict[str, Any]) -> Reply:
        assert call.headers["content-type"] == "application/json-patch+json"
        if call.headers.get("x-contentful-version") != str(entry["sys"]["version"]):
            return _error(409, "VersionMismatch")
        for change in call.body:
            _, _, name, locale = change["path"].split("/")
            if name not in entry["fields"]:
                return _error(422, "UnprocessableEntity")
            entry["fields"][name][locale] = change["value"]
        self._changed(entry)
        return 200, entry

    def _changed(self, entry: dict[str, Any]) -> None:
        entry["sys"]["version"] += 1
        entry["sys"]["updatedAt"] = self.now()

    def _list(self, call: Call) -> Reply:
        assert call.query["content_type"] == "article"
        wanted, since = call.query.get("fields.onceMarker"), call.query.get("sys.updatedAt[gte]", "")
        found = [
            entry
            for entry in self.entries.values()
            if wanted in (None, entry["fields"]["onceMarker"]["en-US"]) and entry["sys"]["updatedAt"] >= since
        ]
        skip, limit = int(call.query.get("skip", "0")), min(int(call.query["limit"]), 2)
        return 200, {"total": len(found), "skip": skip, "limit": limit, "items": found[skip : skip + limit]}

    def held(self, marker: str = "") -> list[Held]:
        return [
            Held(
                entry["sys"]["id"],
                entry["fields"]["title"]["en-US"],
                entry["fields"]["body"].get("en-US", ""),
                "publishedVersion" in entry["sys"],
            )
            for entry in self.entries.values()
            if marker in ("", entry["fields"]["onceMarker"]["en-US"])
        ]

    def edit(self, result_id: str, title: str) -> None:
        entry = self.entries[result_id]
        entry["fields"]["title"]["en-US"] = title
        entry["fields"]["title"]["de-DE"] = "Von Hand"
        self._changed(entry)

    def publish(self, result_id: str) -> None:
        entry = self.entries[result_id]
        entry["sys"]["publishedVersion"] = entry["sys"]["version"]
        self._changed(entry)


def _error(status: int, code: str) -> Reply:
    return status, {"sys": {"type": "Error", "id": code}, "message": code}
