"""Drupal's JSON:API for one content type, as its documentation and source say."""

from __future__ import annotations

import base64
from datetime import UTC, datetime
from typing import Any, ClassVar

from tests.targets.saas.double import Call, Double, Held, Reply

_BASE = "/jsonapi/node/article"
_JSON = "application/vnd.api+json"


class Drupal(Double):
    name = "drupal"
    values: ClassVar = {"bundle": "article"}
    credentials: ClassVar = {"username": "once", "password": "secret-word-1"}
    authorization: ClassVar = ("authorization", "Basic " + base64.b64encode(b"once:secret-word-1").decode())

    def __init__(self) -> None:
        super().__init__()
        self.nodes: dict[str, dict[str, Any]] = {}
        self.omits = False  # the account may not see all
        self.races = False  # the check passes and the database refuses
        self.moderated = True
        self.numbers = 0

    def serve(self, call: Call) -> Reply:
        assert call.headers["accept"] == _JSON
        if call.path == _BASE:
            return self._post(call) if call.method == "POST" else self._list(call)
        uuid = call.path.removeprefix(f"{_BASE}/")
        if uuid not in self.nodes:
            return _error(404, "Not Found")
        if self.omits:
            return _error(403, "The current user is not allowed to GET the selected resource.")
        if call.method == "DELETE":
            del self.nodes[uuid]
            return 204, None
        assert call.method == "GET"
        return 200, {"data": self.nodes[uuid]}

    def _post(self, call: Call) -> Reply:
        assert call.headers["content-type"] == _JSON
        data = call.body["data"]
        attributes = data["attributes"]
        if "moderation_state" in attributes and not self.moderated:
            return _error(
                422, "The attribute moderation_state does not exist on the node--article resource type."
            )
        if "status" in attributes:
            return _error(403, "The current user is not allowed to POST the selected field (status).")
        if data["id"] in self.nodes:
            if self.races:
                return _error(500, "Integrity constraint violation: 1062 Duplicate entry for key 'uuid'")
            return _error(409, "Conflict: Entity already exists")
        self.numbers += 1
        moment = self.now()
        kept = {name: value for name, value in attributes.items() if name != "moderation_state"}
        self.nodes[data["id"]] = {
            "type": data["type"],
            "id": data["id"],
            "attributes": {
                **kept, "status": attributes.get("moderation_state") != "draft", "created": moment,
                "changed": moment, "drupal_internal__nid": self.numbers, "drupal_internal__vid": self.numbers,
            },
        }  # fmt: skip
        return 201, {"data": self.nodes[data["id"]]}

    def _list(self, call: Call) -> Reply:
        query = call.query
        marker = query.get("filter[field_once_marker]")
        since = int(query.get("filter[since][condition][value]", "0"))
        after = int(query.get("filter[after][condition][value]", "0"))
        found = [
            node
            for node in self.nodes.values()
            if marker in (None, node["attributes"]["field_once_marker"])
            and _seconds(node["attributes"]["changed"]) > since
            and node["attributes"]["drupal_internal__nid"] > after
        ]
        first = int(query.get("page[offset]", "0"))
        document: dict[str, Any] = {"data": found[first : first + 2], "links": {}}
        if len(found) > first + 2:
            rest = "&".join(f"{name}={value}" for name, value in query.items() if name != "page[offset]")
            document["links"]["next"] = {"href": f"{_BASE}?{rest}&page[offset]={first + 2}"}
        if self.omits:
            document |= {"data": [], "meta": {"omitted": {"detail": "Some resources have been omitted"}}}
        return 200, document

    def held(self, marker: str = "") -> list[Held]:
        of_all = [(uuid, node["attributes"]) for uuid, node in self.nodes.items()]
        return [
            Held(uuid, one["title"], one["body"]["value"], one["status"])
            for uuid, one in of_all
            if marker in ("", one["field_once_marker"])
        ]

    def edit(self, result_id: str, title: str) -> None:
        self.nodes[result_id]["attributes"] |= {"title": title, "changed": self.now()}

    def publish(self, result_id: str) -> None:
        self.nodes[result_id]["attributes"] |= {"status": True, "changed": self.now()}


def _seconds(moment: str) -> float:
    return datetime.fromisoformat(moment).astimezone(UTC).timestamp()


def _error(status: int, detail: str) -> Reply:
    return status, {"errors": [{"title": "Error", "status": str(status), "detail": detail}]}
