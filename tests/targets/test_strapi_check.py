"""The connection test of a Strapi site, and declarations that do not fit."""

from __future__ import annotations

from typing import Any

import pytest

from once_delivery.common.errors import InvalidInputError
from once_delivery.targets.base import (
    Connection,
)
from once_delivery.targets.strapi.connector import connect
from tests.fakes.scripted_server import answered
from tests.targets.strapi_site import (
    DECLARATION,
    HTML,
    PLUGGED,
    TOKEN,
    listed,
    live,
    refused,
    site,
)

UNKNOWN_KEY = refused(400, "ValidationError")
READY = {"marker": "external_ref", "ready": True, "fault": ""}
FILES = {"ready": True, "fault": ""}


def lines(*answers: bytes, declaration: Any = None) -> dict[str, str]:
    with site(*answers, declaration=declaration) as (connector, _):
        return {line.name: line.code for line in connector.check() if not line.ok}


def script(
    *, filters: bytes = UNKNOWN_KEY, field: bytes | None = None, refusal: bytes | None = None
) -> list[bytes]:
    """What a site without the plugin answers, in the order of being asked."""
    return [
        listed(), listed(), filters,
        *([listed()] if field is None else [field, field]), listed(), listed(),  # title, body, external_ref
        listed(), listed(), answered([]),
        *[refusal or refused(403, "PolicyError")] * (4 if refusal is None else 1),
        answered([{"code": "de"}, {"code": "en"}]),
    ]  # fmt: skip


def test_nothing_is_wrong() -> None:
    assert lines(*script()) == {}


@pytest.mark.parametrize(
    ("answers", "wrong"),
    [
        ([HTML], {"connection": "no-api"}),
        ([answered("", 302, location="/admin")], {"connection": "no-api"}),
        ([answered({"hello": "world"})], {"connection": "no-api"}),
        ([refused(404, "NotFoundError")], {"connection": "no-such-type"}),
        ([refused(401, "UnauthorizedError")], {"account": "unauthorized"}),
        ([refused(403)], {"account": "forbidden"}),
        ([listed({"id": 1, "attributes": {}})], {"connection": "strapi-4"}),
        ([refused(400, "ValidationError")], {"connection": "not-strapi-5"}),
        (script(filters=listed()), {"connection": "not-strapi-5"}),
        ([listed(live())], {"connection": "no-drafts"}),
        (script(field=UNKNOWN_KEY), {"fields": "fields-not-writable"}),
        (script(refusal=refused(404, "NotFoundError")), {"cannot-publish": "may-publish"}),
        (script(refusal=refused(400, "ValidationError")), {"cannot-publish": "may-publish"}),
        ([*script()[:-1], answered([{"code": "en"}])], {"locales": "no-such-locale"}),
        ([*script()[:-1], refused(403)], {"locales": "forbidden"}),
    ],
)  # fmt: skip
def test_what_is_wrong(answers: list[bytes], wrong: dict[str, str]) -> None:
    assert lines(*answers) == wrong


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (answered({"api": 1, "types": {"articles": READY}, "files": FILES}), ""),
        (refused(404, "NotFoundError"), "plugin-missing"),
        (refused(403), "forbidden"),
        (answered({"api": 0, "types": {"articles": READY}, "files": FILES}), "plugin-too-old"),
        (answered({"api": 1, "types": {}, "files": FILES}), "plugin-not-ready"),
        (answered({"api": 1, "types": {"articles": {**READY, "ready": False}}, "files": FILES}), "plugin-not-ready"),
        (answered({"api": 1, "types": {"articles": READY}, "files": {"ready": False}}), "plugin-not-ready"),
        (answered({"api": 1, "types": {"articles": {**READY, "marker": "x"}}, "files": FILES}), "marker-unreadable"),
    ],
)  # fmt: skip
def test_the_plugin(status: bytes, code: str) -> None:
    wrong = lines(*script(), status, declaration=PLUGGED)
    assert wrong == ({"plugin": code} if code else {})


def test_what_asks_to_publish_names_nothing_that_could_be() -> None:
    with site(*script()) as (connector, server):
        connector.check()
    writes = [(one.method, one.target, one.json) for one in server.requests if one.method != "GET"]
    assert writes == [
        ("POST", "/api/articles", {}),
        ("POST", "/api/articles?status=published", {}),
        ("PUT", "/api/articles/oncenobodysdocument", {}),
        ("PUT", "/api/articles/oncenobodysdocument?status=published", {}),
    ]


@pytest.mark.parametrize(
    ("declaration", "pointer"),
    [
        ({}, "/"),
        ({**DECLARATION, "content_type": "api::article.article"}, "/content_type"),
        ({**DECLARATION, "content_type": "upload"}, "/content_type"),
        ({**DECLARATION, "fields": {"status": "publishedAt"}}, "/fields/status"),
        ({**DECLARATION, "marker_field": "documentId"}, "/marker_field"),
        ({**DECLARATION, "locales": {"de-DE": "*"}}, "/locales/de-DE"),
        ({**DECLARATION, "api_path": "/api/../x?y"}, "/api_path"),
    ],
)
def test_a_declaration_that_does_not_fit(declaration: dict[str, Any], pointer: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        connect(Connection("http://cms.example", declaration, {"token": TOKEN}))
    assert pointer in [problem.pointer for problem in caught.value.problems]


def test_a_token_is_needed() -> None:
    with pytest.raises(InvalidInputError) as caught:
        connect(Connection("http://cms.example", DECLARATION))
    assert caught.value.problems[0].pointer == "/credentials/token"


def test_the_token_is_shown_nowhere() -> None:
    with site(HTML) as (connector, _):
        assert TOKEN not in repr(connector) + repr(vars(connector)["_sender"])
