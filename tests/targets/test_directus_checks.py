"""The connection test of Directus: what a token can find out about its own rights. The real one: tests/real."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from once_delivery.targets.base import CheckResult
from tests.fakes.scripted_server import Received, answered
from tests.targets.directus_project import DECLARATION, FORBIDDEN, UNAUTHORIZED, data, item, project

NO_FILES = {**DECLARATION, "file_marker_field": None}
ALL = {"access": "full", "fields": ["*"]}
DRAFTS = {"status": {"_eq": "draft"}}
KEY = {"field": "id", "type": "uuid", "schema": {"is_primary_key": True}}
DATES = [
    {"field": "date_created", "type": "timestamp", "meta": {"special": ["date-created"]}},
    {"field": "date_updated", "type": "timestamp", "meta": {"special": ["date-updated"]}},
]
REF = {"field": "external_ref", "type": "string", "schema": {"is_unique": True}}


def a_rule(action: str, validation: Any, fields: Any = ("*",)) -> dict[str, Any]:
    return {"action": action, "collection": "articles", "validation": validation, "fields": list(fields)}


def answers(**changed: bytes) -> dict[str, bytes]:
    """A project that is set up as it should be, by path."""
    return {
        "/users/me": answered({"data": {"id": "5383ccdb-5d0c-457f-92b6-5d0d839e5fba"}}),
        "/permissions/me": answered({"data": {"articles": {"read": ALL, "create": ALL, "update": ALL}}}),
        "/items/articles": data(),
        "/fields/articles": answered({"data": [KEY, REF, *DATES]}),
        "/policies/me/globals": answered({"data": {"app_access": False, "admin_access": False}}),
        "/permissions": answered({"data": [a_rule("create", DRAFTS), a_rule("update", DRAFTS)]}),
        **{"/" + name.replace("__", "/"): answer for name, answer in changed.items()},
    }


def wrong(**changed: bytes) -> list[tuple[str, str]]:
    said = answers(**changed)

    def answer(connection: socket.socket, received: Received) -> None:
        connection.sendall(said[received.path])

    with project(answer, declaration=NO_FILES) as (connector, server):
        lines: list[CheckResult] = connector.check()
        assert {one.method for one in server.requests} == {"GET"}
    return [(line.name, line.code) for line in lines if not line.ok]


def test_nothing_wrong() -> None:
    assert wrong() == []


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ([a_rule("create", DRAFTS), a_rule("update", {"_and": [{"title": {"_nnull": True}}, DRAFTS]})], ""),
        ([a_rule("create", {"status": {"_in": ["draft"]}}), a_rule("update", DRAFTS)], ""),
        ([a_rule("create", DRAFTS), a_rule("update", None, ["title", "body"])], ""),
        ([a_rule("create", None), a_rule("update", DRAFTS)], "may-publish"),
        ([a_rule("create", DRAFTS), a_rule("update", {})], "may-publish"),
        ([a_rule("create", DRAFTS), a_rule("update", {"status": {"_neq": "archived"}})], "may-publish"),
        ([a_rule("create", DRAFTS), a_rule("update", {"_or": [DRAFTS]})], "may-publish"),
        ([a_rule("create", {"status": {"_in": ["draft", "published"]}})], "may-publish"),
        ([a_rule("create", DRAFTS)], "rules-not-readable"),
        ([], "rules-not-readable"),
    ],
    ids=str,
)
def test_the_rules_of_a_policy_hold_the_status_or_not(rules: list[dict[str, Any]], code: str) -> None:
    found = dict(wrong(permissions=answered({"data": rules})))
    assert found.get("cannot-publish", "") == code


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        ({"users__me": UNAUTHORIZED}, ("account", "unauthorized")),
        ({"users__me": answered("<html>", content_type="text/html")}, ("connection", "no-api")),
        ({"users__me": answered({}, 404)}, ("connection", "no-api")),
        ({"users__me": answered({}, 429, retry_after="3")}, ("connection", "rate-limited")),
        ({"items__articles": data(item("once-check"))}, ("look_up:create_draft", "filter-ignored")),
        ({"fields__articles": FORBIDDEN}, ("marker:create_draft", "schema-not-readable")),
        ({"fields__articles": answered({"data": [REF]})}, ("marker:create_draft", "id-not-the-key")),
        ({"fields__articles": answered({"data": [KEY]})}, ("marker:create_draft", "marker-field-missing")),
        ({"fields__articles": answered({"data": [{**KEY, "type": "integer"}, REF]})}, ("marker:create_draft", "id-not-uuid")),
        ({"fields__articles": answered({"data": [KEY, {**REF, "schema": None}]})}, ("marker:create_draft", "marker-not-unique")),
        ({"fields__articles": answered({"data": [KEY, REF, DATES[0]]})}, ("dates", "dates-not-kept")),
        ({"fields__articles": answered({"data": [KEY, REF, DATES[0], {"field": "date_updated", "meta": None}]})}, ("dates", "dates-not-kept")),
        ({"policies__me__globals": answered({"data": {"admin_access": True}})}, ("cannot-publish", "may-publish")),
        ({"policies__me__globals": answered({"data": None})}, ("cannot-publish", "may-publish")),
        ({"permissions": FORBIDDEN}, ("cannot-publish", "rules-not-readable")),
        ({"permissions__me": answered({"data": []})}, ("rights:create_draft", "forbidden")),
        (
            {"permissions__me": answered({"data": {"articles": {"create": {"access": "full", "fields": ["title"]}}}})},
            ("rights:create_draft", "fields-not-writable"),
        ),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_wrong_has_a_line(changed: dict[str, bytes], line: tuple[str, str]) -> None:
    assert line in wrong(**changed)
