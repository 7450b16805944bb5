"""Mistakes in a declaration's newer parts, each named with its place."""

from __future__ import annotations

from typing import Any

import pytest

from once_delivery.common.errors import InvalidInputError
from once_delivery.targets.rest.declaration import read_declaration
from tests.targets.rest_api import declared

KIND = "/kinds/create_draft"
OBJECT = {"version": "/version", "content": {"title": "/title"}}
UPDATE: dict[str, Any] = {
    "method": "PUT",
    "path": "/drafts/{{result_id}}",
    "headers": {"If-Match": "{{version}}"},
    "body": {"title": "{{payload.title}}"},
}
RULE: dict[str, Any] = {
    "status": 200, "where": {"/error": {"there": True}}, "outcome": "refused", "code": "said-no",
}  # fmt: skip


def updating(**update: Any) -> dict[str, Any]:
    return declared(object=OBJECT, update={**UPDATE, **update})


@pytest.mark.parametrize(
    ("_case", "declaration", "expected"),
    [
        ("no guard", updating(headers={}), ("update-unguarded", f"{KIND}/update")),
        ("no version to read", declared(object={"content": {"title": "/t"}}, update=UPDATE), ("update-needs-read", f"{KIND}/update")),
        ("no content to read", declared(object={"version": "/v"}, update=UPDATE), ("update-needs-read", f"{KIND}/update")),
        ("no read", declared(object=OBJECT, update=UPDATE, read=None), ("update-needs-read", f"{KIND}/update")),
        ("a key in an update", updating(body={"k": "{{idempotency_key}}"}), ("template-name", f"{KIND}/update/body")),
        ("a version in a create", declared(create={"body": {"v": "{{version}}"}}), ("template-name", f"{KIND}/create/body")),
        ("laxer update", updating(outcomes={"500": "refused"}), ("outcome-laxer", f"{KIND}/update/outcomes/500")),
        ("laxer rule", declared(create={"answers": [{**RULE, "status": 500}]}), ("outcome-laxer", f"{KIND}/create/answers/0")),
        ("laxer rule for all", declared({"answers": [RULE, {**RULE, "status": 409}]}), ("outcome-laxer", "/answers/1")),
        ("rule for nothing", declared({"answers": [{**RULE, "where": {}}]}), ("schema", "/answers/0/where")),
        ("rule without a code", declared({"read_errors": [{"status": 200}]}), ("schema", "/read_errors/0")),
        ("done by a rule", declared({"answers": [{**RULE, "outcome": "done"}]}), ("schema", "/answers/0/outcome")),
        ("payload in a removal", declared(remove={"path": "/d/{{payload.id}}"}), ("template-name", f"{KIND}/remove/path")),
        ("removal by PUT", declared(remove={"path": "/d", "method": "PUT"}), ("schema", f"{KIND}/remove/method")),
        ("a moment that is none", declared(list={"changed_since": {"query": {"s": "{{since}}"}}}), ("template-name", f"{KIND}/list/changed_since/query/s")),
        ("on in no order", declared(list={"statuses": ["a", "b"], "after": {"place": "/n", "query": {"n": "{{after}}"}}}), ("after-without-order", f"{KIND}/list/after")),
        ("total behind a place", declared(list={"paging": {"style": "keyset", "param": "n", "place": "/n", "total": "/t"}}), ("schema", f"{KIND}/list/paging")),
        ("updates as a kind of their own", {"kinds": {"update_draft": declared()["kinds"]["create_draft"]}}, ("schema", "/kinds")),
    ],
)  # fmt: skip
def test_mistakes_are_named_with_their_place(
    _case: str, declaration: dict[str, Any], expected: tuple[str, str]
) -> None:
    with pytest.raises(InvalidInputError) as caught:
        read_declaration(declaration, "https://cms.example")
    assert (caught.value.problems[0].code, caught.value.problems[0].pointer) == expected
    assert caught.value.message


def test_what_is_complete_is_read() -> None:
    spec = read_declaration(updating(), "https://cms.example")
    (kind,) = spec.kinds.values()
    assert kind.update is not None
