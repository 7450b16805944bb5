"""An update of a WordPress post against its answers: what is sent, what holds it back, what an answer proves."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from once_delivery.targets import updating
from once_delivery.targets.base import Answer, Connection, EffectRequest, Kind, Original, Outcome, Verdict
from once_delivery.targets.wordpress.connector import WordPressConnector, connect
from tests.fakes.scripted_server import ScriptedServer, answered, serving

MARKER = "once-aaaaaaaaaaaaaaaaaaaaaaaaaa"
OTHER = "once-bbbbbbbbbbbbbbbbbbbbbbbbbb"
PASSWORD = "abcd efgh ijkl mnop qrst uvwx"
ME = answered({"id": 3, "capabilities": {"edit_posts": True, "upload_files": True}})
HTML = answered("<title>502 Bad Gateway</title>", 502, content_type="text/html")
NEW = {
    "title": "Neu <gut>",
    "body": "<p>y</p>",
    "slug": "own",
    "status": "publish",
    "date": "2020-01-01",
    "locale": "de-DE",
}


def post(version: str = "v1", **more: Any) -> dict[str, Any]:
    shown = {"title": {"raw": "Alt"}, "content": {"raw": "<p>x</p>"}, "excerpt": {"raw": ""}}
    dates = {"date_gmt": "2026-11-29T20:00:00", "modified_gmt": "2026-11-29T20:00:00"}
    own = {"id": 7, "slug": MARKER, "status": "draft", "once_marker": MARKER, "once_version": version}
    return {**own, **dates, **shown, **more}


def error(code: str, status: int) -> bytes:
    return answered({"code": code, "message": "…", "data": {"status": status}}, status)


BEFORE = answered(post())
AFTER = answered(post("v2", title={"raw": "Neu &lt;gut&gt;"}, content={"raw": "<p>y</p>"}))


@contextlib.contextmanager
def site(*answers: bytes, plugin: bool = True) -> Iterator[tuple[WordPressConnector, ScriptedServer]]:
    with serving(*answers) as server:
        credentials = {
            "username": "delivery", "application_password": PASSWORD,
            "media_username": "media", "media_application_password": PASSWORD,
        }  # fmt: skip
        declaration = {"plugin": plugin, "by_locale": {"de-DE": {"lang": "de"}}}
        connector = connect(Connection(server.url, declaration, credentials, allow_inside=True))
        try:
            yield connector, server
        finally:
            connector.close()


def update(*answers: bytes, plugin: bool = True, version: str = "v1") -> tuple[Answer, list[Any]]:
    original = Original("7", MARKER, version)
    request = EffectRequest(Kind.UPDATE_DRAFT, OTHER, "", "", NEW, 2, original=original)
    with site(*answers, plugin=plugin) as (connector, server):
        said = connector.perform(request)
        return said, [one for one in server.requests if one.method != "GET"]


def test_what_is_sent_changes_the_content_alone() -> None:
    said, (sent,) = update(ME, BEFORE, AFTER)
    assert (said.outcome, said.result_id, said.version) == (Outcome.DONE, "7", "v2")
    assert (sent.method, sent.path) == ("PUT", "/wp-json/once/v1/updates/posts/7")
    assert parse_qs(urlsplit(sent.target).query) == {"version": ["v1"]}
    assert sent.json == {"title": "Neu &lt;gut&gt;", "content": "<p>y</p>"}


def own_version(held: dict[str, Any]) -> str:
    with site(ME, answered(held), plugin=False) as (connector, _):
        (found,) = connector.read(kind=Kind.CREATE_DRAFT, result_id="7", deadline_s=2).objects
    return found.version


def test_without_the_plugin_everything_that_an_editor_sees_makes_the_version() -> None:
    """WordPress's own date counts whole seconds: two changes in one of them would look alike."""
    versions = {
        own_version(post(**change))
        for change in (
            {},
            {"modified_gmt": "2026-11-29T20:00:01"},
            {"title": {"raw": "Alt!"}},
            {"content": {"raw": "<p>x!</p>"}},
            {"excerpt": {"raw": "!"}},
            {"status": "pending"},
            {"slug": "schoen"},
        )
    }
    assert len(versions) == 7
    assert own_version(post()) == own_version(post("another word of the plugin", categories=[4]))
    said, (sent,) = update(ME, BEFORE, AFTER, plugin=False, version=own_version(post()))
    assert (said.outcome, sent.method, sent.target) == (Outcome.DONE, "POST", "/wp-json/wp/v2/posts/7")


@pytest.mark.parametrize("plugin", [True, False])
@pytest.mark.parametrize(
    ("_case", "answers", "outcome", "code"),
    [
        ("edited", [ME, answered(post("v2", title={"raw": "Theirs"}))], Outcome.EXISTS, updating.CHANGED),
        ("published", [ME, answered(post(status="publish"))], Outcome.EXISTS, updating.PUBLISHED),
        ("scheduled", [ME, answered(post(status="future"))], Outcome.EXISTS, updating.PUBLISHED),
        ("trashed", [ME, answered(post(status="trash"))], Outcome.EXISTS, updating.GONE),
        ("deleted", [ME, error("rest_post_invalid_id", 404)], Outcome.EXISTS, updating.GONE),
        ("other", [ME, answered(post(once_marker=OTHER, slug=OTHER))], Outcome.EXISTS, updating.FOREIGN),
        ("done", [ME, AFTER], Outcome.EXISTS, "already-updated"),
        ("nobody", [error("rest_not_logged_in", 401)], Outcome.REFUSED, "unauthorized"),
        ("reader", [answered({"id": 3, "capabilities": {}})], Outcome.REFUSED, "forbidden"),
        ("no route", [ME, error("rest_no_route", 404)], Outcome.NOT_SENT, "not-found"),
        ("proxy", [ME, HTML], Outcome.NOT_SENT, "http-502"),
        ("busy", [ME, answered({}, 503, retry_after="3")], Outcome.NOT_DONE, "http-503"),
    ],
)  # fmt: skip
def test_what_holds_an_update_back(
    _case: str, answers: list[bytes], outcome: Outcome, code: str, *, plugin: bool
) -> None:
    said, sent = update(*answers, plugin=plugin)
    assert (said.outcome, said.code, sent) == (outcome, code, [])
    assert PASSWORD not in repr(said)


@pytest.mark.parametrize(
    ("_case", "answer", "outcome", "code"),
    [
        ("changed meanwhile", error("once_changed", 412), Outcome.EXISTS, updating.CHANGED),
        ("somebody's 412", error("precondition", 412), Outcome.UNKNOWN, "http-412"),
        ("gone meanwhile", error("rest_post_invalid_id", 404), Outcome.EXISTS, updating.GONE),
        ("no rights", error("rest_cannot_edit", 403), Outcome.REFUSED, "http-403"),
        ("a field that does not fit", error("rest_invalid_type", 400), Outcome.UNKNOWN, "http-400"),
        ("an old plugin", error("rest_no_route", 404), Outcome.REFUSED, "http-404"),
        ("another plugin saved it", error("once_not_compared", 500), Outcome.UNKNOWN, "http-500"),
        ("another object", answered(post("v2", once_marker=OTHER)), Outcome.UNKNOWN, "marker-mismatch"),
        ("created", answered(post("v2"), 201), Outcome.UNKNOWN, "http-201"),
        ("proxy", HTML, Outcome.UNKNOWN, "http-502"),
    ],
)
def test_what_its_answer_proves(_case: str, answer: bytes, outcome: Outcome, code: str) -> None:
    said, sent = update(ME, BEFORE, answer)
    assert (said.outcome, said.code, len(sent)) == (outcome, code, 1)


def test_what_was_published_is_read_as_readers_see_it() -> None:
    """A contributor may not see it for editing any more."""
    shown = post(status="publish", title={"rendered": "Alt &#8211; neu"}, content={"rendered": "<p>x</p>\n"})
    with site(ME, error("rest_forbidden_context", 403), answered(shown)) as (connector, _):
        look = connector.read(kind=Kind.CREATE_DRAFT, result_id="7", deadline_s=2)
    assert [(one.status, one.content["title"]) for one in look.objects] == [("publish", "Alt – neu")]


@pytest.mark.parametrize(
    ("answer", "outcome", "code"),
    [
        (answered({"deleted": True, "previous": post()}), Outcome.DONE, "http-200"),
        (answered(post(status="trash")), Outcome.UNKNOWN, "http-200"),
        (error("rest_post_invalid_id", 404), Outcome.DONE, "not-there"),
        (error("rest_no_route", 404), Outcome.REFUSED, "http-404"),
        (error("rest_cannot_delete", 403), Outcome.REFUSED, "http-403"),
        (HTML, Outcome.UNKNOWN, "http-502"),
    ],
    ids=str,
)
def test_what_the_answer_to_a_delete_proves(answer: bytes, outcome: Outcome, code: str) -> None:
    with site(answer) as (connector, server):
        said = connector.remove(kind=Kind.UPLOAD_FILE, result_id="7", deadline_s=2)
        (sent,) = server.requests
    assert (said.outcome, said.code) == (outcome, code)
    assert (sent.method, sent.target) == ("DELETE", "/wp-json/wp/v2/media/7?force=true")


def test_an_id_that_is_no_number_becomes_no_address() -> None:
    with site(ME) as (connector, server):
        said = connector.remove(kind=Kind.CREATE_DRAFT, result_id="7?x", deadline_s=2)
        look = connector.read(kind=Kind.CREATE_DRAFT, result_id="7?x", deadline_s=2)
        assert (said.outcome, look.verdict, look.code) == (Outcome.REFUSED, Verdict.CANNOT_TELL, "bad-id")
        assert [one.path for one in server.requests] == ["/wp-json/wp/v2/users/me"]
