"""Shopify's GraphQL Admin API for products, as its documentation says."""

from __future__ import annotations

from typing import Any, ClassVar

from tests.targets.saas.double import Call, Double, Held, Reply


class Shopify(Double):
    name = "shopify"
    values: ClassVar = {"shop": "demo"}
    authorization: ClassVar = ("x-shopify-access-token", "secret-token-1")
    public_word = "ACTIVE"

    def __init__(self) -> None:
        super().__init__()
        self.products: dict[str, dict[str, Any]] = {}
        self.next_reply: Any = None

    def has_effect(self, call: Call) -> bool:
        return str(call.body["query"]).startswith("mutation")

    def serve(self, call: Call) -> Reply:
        assert (call.method, call.path) == ("POST", "/admin/api/2026-10/graphql.json")
        query, variables = call.body["query"], call.body.get("variables", {})
        assert query.count("{") == query.count("}")
        if self.next_reply is not None:
            reply, self.next_reply = self.next_reply, None
            return 200, reply
        for sign, answer in (
            ("productSet(", self._set),
            ("productDelete(", self._delete),
            ("productByIdentifier(", self._by_identifier),
            ("products(", self._list),
            ("product(", self._by_id),
        ):
            if sign in query:
                return 200, {"data": answer(variables)}
        return 200, {"data": {"shop": {"id": "gid://shopify/Shop/1"}}}

    def _set(self, variables: dict[str, Any]) -> dict[str, Any]:
        given, custom = variables["input"], variables["identifier"]["customId"]
        assert {**custom, "type": "id"} in given["metafields"]
        if not given["title"].strip():
            errors = [{"code": "INVALID_INPUT", "field": ["input", "title"], "message": "blank"}]
            return {"productSet": {"product": None, "userErrors": errors}}
        product = self._of_value(custom["value"])
        if product is None:
            moment = self.now()
            number = f"gid://shopify/Product/{len(self.products) + 1}"
            product = {"id": number, "createdAt": moment, "marker": {"value": custom["value"]}}
            self.products[number] = product
        product |= {"updatedAt": self.now(), "descriptionHtml": "", **product}
        product |= {name: given[name] for name in ("title", "descriptionHtml", "status") if name in given}
        return {"productSet": {"product": product, "userErrors": []}}

    def _of_value(self, value: str) -> dict[str, Any] | None:
        return next((one for one in self.products.values() if one["marker"]["value"] == value), None)

    def _delete(self, variables: dict[str, Any]) -> dict[str, Any]:
        if self.products.pop(variables["id"], None) is None:
            errors = [{"field": ["id"], "message": "Product does not exist"}]
            return {"productDelete": {"deletedProductId": None, "userErrors": errors}}
        return {"productDelete": {"deletedProductId": variables["id"], "userErrors": []}}

    def _by_identifier(self, variables: dict[str, Any]) -> dict[str, Any]:
        return {"productByIdentifier": self._of_value(variables["identifier"]["customId"]["value"])}

    def _by_id(self, variables: dict[str, Any]) -> dict[str, Any]:
        return {"product": self.products.get(variables["id"])}

    def _list(self, variables: dict[str, Any]) -> dict[str, Any]:
        since = (variables["query"] or "").removeprefix("updated_at:>'").removesuffix("'")
        found = [one for one in self.products.values() if one["updatedAt"] > since]
        first = int((variables["after"] or "c0")[1:])
        numbered = [(int(one["id"].rsplit("/", 1)[1]), one) for one in found]
        left = [{"cursor": f"c{number}", "node": one} for number, one in numbered if number > first]
        page = {"hasNextPage": len(left) > 2, "endCursor": left[:2][-1]["cursor"] if left else None}
        return {"products": {"edges": left[:2], "pageInfo": page}}

    def held(self, marker: str = "") -> list[Held]:
        return [
            Held(one["id"], one["title"], one["descriptionHtml"], one["status"] == "ACTIVE")
            for one in self.products.values()
            if marker in ("", one["marker"]["value"])
        ]

    def edit(self, result_id: str, title: str) -> None:
        self.products[result_id] |= {"title": title, "updatedAt": self.now()}

    def publish(self, result_id: str) -> None:
        self.products[result_id] |= {"status": "ACTIVE", "updatedAt": self.now()}
