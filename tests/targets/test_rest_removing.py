"""Removing, and lists that are not wanted whole, against a server that says exactly what a test wants."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from once_delivery.targets.base import Kind, Outcome
from once_delivery.targets.rest.times import TimeFormat
from tests.fakes.scripted_server import answered, hangs_up
from tests.targets.rest_api import api, declared, listed, thing


class TestRemoving:
    REMOVE: dict[str, Any] = {"path": "/drafts/{{result_id}}"}

    @pytest.mark.parametrize(
        ("reply", "outcome", "code"),
        [
            (answered(b"", 204), Outcome.DONE, "http-204"),
            (answered({"deleted": True}), Outcome.DONE, "http-200"),
            (answered({}, 202), Outcome.UNKNOWN, "http-202"),
            (answered({}, 404), Outcome.REFUSED, "http-404"),
            (answered({}, 409), Outcome.UNKNOWN, "http-409"),
            (answered({}, 429), Outcome.REFUSED, "http-429"),
            (answered({}, 500), Outcome.UNKNOWN, "http-500"),
            (answered(b"<p>", 403, content_type="text/html"), Outcome.UNKNOWN, "html"),
            (hangs_up(), Outcome.UNKNOWN, "closed"),
        ],
    )
    def test_what_an_answer_proves(self, reply: Any, outcome: Outcome, code: str) -> None:
        with api(reply, declaration=declared(remove=self.REMOVE)) as (connector, server):
            answer = connector.remove(kind=Kind.CREATE_DRAFT, result_id="d/1", deadline_s=2)
        assert (answer.outcome, answer.code) == (outcome, code)
        (received,) = server.requests
        assert (received.method, received.target, received.body) == ("DELETE", "/api/drafts/d%2F1", b"")

    @pytest.mark.parametrize(
        ("reply", "outcome", "code"),
        [
            (answered({"gone": ["d1"]}), Outcome.DONE, "http-200"),
            (answered({"gone": []}), Outcome.REFUSED, "not-found"),
            (answered({}), Outcome.REFUSED, "not-found"),
            (answered(b""), Outcome.UNKNOWN, "empty-body"),
            (answered(b"<p>", content_type="text/html"), Outcome.UNKNOWN, "html"),
            (answered(b"{", content_type="application/json"), Outcome.UNKNOWN, "unreadable-json"),
            (answered(b"", 204), Outcome.DONE, "http-204"),
        ],
    )
    def test_where_the_document_has_the_last_word(self, reply: bytes, outcome: Outcome, code: str) -> None:
        rule = {
            "status": 200,
            "where": {"/gone/0": {"there": False}},
            "outcome": "refused",
            "code": "not-found",
        }
        remove = {"method": "POST", "path": "/remove", "body": {"id": "{{result_id}}"}, "answers": [rule]}
        with api(reply, declaration=declared(remove=remove)) as (connector, server):
            answer = connector.remove(kind=Kind.CREATE_DRAFT, result_id="d1", deadline_s=2)
        assert (answer.outcome, answer.code) == (outcome, code)
        assert (server.requests[0].method, server.requests[0].json) == ("POST", {"id": "d1"})

    def test_a_target_that_is_not_there(self) -> None:
        with api(answered({}), declaration=declared(remove=self.REMOVE)) as (connector, server):
            server.close()
            answer = connector.remove(kind=Kind.CREATE_DRAFT, result_id="d1", deadline_s=2)
        assert (answer.outcome, answer.code) == (Outcome.REFUSED, "connect-refused")

    @pytest.mark.parametrize(("remove", "result_id"), [(None, "d1"), (REMOVE, ""), (REMOVE, "..")])
    def test_what_cannot_be_asked_for(self, remove: Any, result_id: str) -> None:
        declaration = declared(remove=remove) if remove else declared()
        with api(answered({}), declaration=declaration) as (connector, server):
            answer = connector.remove(kind=Kind.CREATE_DRAFT, result_id=result_id, deadline_s=2)
        assert answer.outcome == Outcome.REFUSED
        assert server.requests == []


class TestNarrowedLists:
    SINCE: dict[str, Any] = {"query": {"filter": "changed > {{changed_since}}"}, "format": "unix"}
    AFTER: dict[str, Any] = {"place": "/n", "query": {"from": "{{after}}"}}

    def test_parameters_are_added(self) -> None:
        declaration = declared(list={"changed_since": self.SINCE, "after": self.AFTER})
        with api(listed(thing(n=41)), declaration=declaration) as (connector, server):
            moment = datetime(2026, 11, 29, tzinfo=UTC)
            (found,) = connector.inventory(
                kind=Kind.CREATE_DRAFT, deadline_s=2, changed_since=moment, after="40"
            )
        assert found.place == "41"
        (received,) = server.requests
        assert received.target == "/api/drafts?status=any&filter=changed%20%3E%201795910400&from=40"

    def test_nothing_is_added_to_a_whole_one(self) -> None:
        declaration = declared(list={"changed_since": self.SINCE, "after": self.AFTER})
        with api(listed(), declaration=declaration) as (connector, server):
            assert list(connector.inventory(kind=Kind.CREATE_DRAFT, deadline_s=2)) == []
        assert server.requests[0].target == "/api/drafts?status=any"


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (TimeFormat.ISO, "2026-11-29T09:40:00.987654Z"),
        (TimeFormat.ISO_MS, "2026-11-29T09:40:00.987Z"),
        (TimeFormat.ISO_S, "2026-11-29T09:40:00Z"),
        (TimeFormat.UNIX, "1795945200"),
        (TimeFormat.UNIX_MS, "1795945200987"),
    ],
)
def test_a_moment_is_never_made_later(form: TimeFormat, text: str) -> None:
    zone = timezone(timedelta(hours=8))
    assert form.text(datetime(2026, 11, 29, 17, 40, 0, 987654, tzinfo=zone)) == text
    assert form.text(datetime(2026, 11, 29, 9, 40, 0, 987654)) == text  # noqa: DTZ001 -- one without a zone is UTC
