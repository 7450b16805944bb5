"""Sanity's mutation, doc and query endpoints, as their documentation and Sanity's own client say."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from tests.targets.saas.double import Call, Double, Held, Reply

_API = "/v2025-02-19/data/"


class Sanity(Double):
    name = "sanity"
    values: ClassVar = {"project": "p1", "document_type": "post"}

    def __init__(self) -> None:
        super().__init__()
        self.documents: dict[str, dict[str, Any]] = {}
        self.hidden = False  # the token may not read
        self.silent_no_op = False  # a create that finds its document does nothing and answers 200

    def has_effect(self, call: Call) -> bool:
        return call.path.startswith(f"{_API}mutate/")

    def serve(self, call: Call) -> Reply:
        verb, _, rest = call.path.removeprefix(_API).partition("/")
        dataset, _, ids = rest.partition("/")
        assert dataset == "production"
        if verb == "doc":
            return 200, self._doc(ids.split(","))
        if verb == "query":
            return 200, {"result": self._query(call.query), "ms": 1}
        assert call.query["visibility"] == "sync"
        (mutation,) = call.body["mutations"]
        ((kind, given),) = mutation.items()
        return {"create": self._create, "patch": self._patch, "delete": self._delete}[kind](given)

    def _create(self, given: dict[str, Any]) -> Reply:
        if given["_id"] in self.documents:
            if self.silent_no_op:
                return self._result(given["_id"], "none")
            return _error("documentAlreadyExistsError")
        moment = self.now()
        made = {**given, "_createdAt": moment, "_updatedAt": moment, "_rev": f"r{moment}"}
        self.documents[given["_id"]] = made
        return self._result(given["_id"], "create")

    def _patch(self, given: dict[str, Any]) -> Reply:
        document = self.documents.get(given["id"])
        if document is None:
            return _error("documentNotFoundError")
        if document["_rev"] != given["ifRevisionID"]:
            return _error("documentRevisionIDDoesNotMatchError")
        self._change(document, **given["set"])
        return self._result(given["id"], "update")

    def _delete(self, given: dict[str, Any]) -> Reply:
        if self.documents.pop(given["id"], None) is None:
            return 200, {"transactionId": "t", "results": []}
        return 200, {"transactionId": "t", "results": [{"id": given["id"], "operation": "delete"}]}

    def _result(self, document_id: str, operation: str) -> Reply:
        result = {"id": document_id, "operation": operation, "document": self.documents[document_id]}
        return 200, {"transactionId": "t", "results": [result]}

    def _change(self, document: dict[str, Any], **fields: Any) -> None:
        moment = self.now()
        document.update(fields, _updatedAt=moment, _rev=f"r{moment}")

    def _doc(self, ids: list[str]) -> dict[str, Any]:
        found = [self.documents[one] for one in ids if one in self.documents and not self.hidden]
        reason = "permission" if self.hidden else "existence"
        missing = [one for one in ids if one not in self.documents or self.hidden]
        return {"documents": found, "omitted": [{"id": one, "reason": reason} for one in missing]}

    def _query(self, query: dict[str, str]) -> list[dict[str, Any]]:
        assert query["perspective"] == "raw"
        if self.hidden:
            return []
        found = sorted(self.documents.values(), key=lambda one: str(one["_id"]))
        if "$marker" in query:
            wanted = json.loads(query["$marker"])
            return [one for one in found if one["onceMarker"] == wanted]
        last, since = json.loads(query.get("$last", '""')), json.loads(query.get("$since", '""'))
        return [one for one in found if one["_id"] > last and one["_updatedAt"] > since][:2]

    def held(self, marker: str = "") -> list[Held]:
        return [
            Held(
                one["_id"].removeprefix("drafts."),
                one["title"],
                one.get("body", ""),
                not one["_id"].startswith("drafts."),
            )
            for one in self.documents.values()
            if marker in ("", one["onceMarker"])
        ]

    def edit(self, result_id: str, title: str) -> None:
        draft = self.documents.get(f"drafts.{result_id}")
        self._change(draft or self.documents[result_id], title=title, subtitle="By hand")

    def publish(self, result_id: str) -> None:
        document = self.documents.pop(f"drafts.{result_id}")
        self.documents[result_id] = {**document, "_id": result_id}


def _error(kind: str) -> Reply:
    items = [{"error": {"type": kind, "description": kind}, "index": 0}]
    return 409, {"error": {"type": "mutationError", "description": "The mutation(s) failed", "items": items}}
