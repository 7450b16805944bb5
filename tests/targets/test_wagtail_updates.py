"""An update of a Wagtail page against captured answers: what is sent, and what holds it back."""

from __future__ import annotations

from typing import Any

import pytest

from once_delivery.targets import updating
from once_delivery.targets.base import Answer, EffectRequest, Kind, LookUpRequest, Original, Outcome, Verdict
from tests.fakes.scripted_server import answered
from tests.targets.test_wagtail import BY_SLUG, HTML, MARKER, NOT_FOUND, OTHER, TOKEN, WHO_AM_I, page, site

SAVED, LATER = "2026-11-29T20:00:00.123456Z", "2026-11-29T21:00:00.654321Z"
ORIGINAL = Original("4", MARKER, SAVED)
BEFORE = {"title": "Alt", "body": "<p>x</p>", "latest_revision_created_at": SAVED}
AFTER = {"title": "Neu", "body": "<p>y</p>", "latest_revision_created_at": LATER}
NEW = {"title": "Neu", "body": "<p>y</p>", "slug": "own", "meta": {"action": "publish"}, "live": True}
SECTION = page(None)


def update(*answers: bytes, declaration: Any = None, payload: Any = None) -> tuple[Answer, list[Any]]:
    request = EffectRequest(Kind.UPDATE_DRAFT, OTHER, "", "", payload or NEW, 2, original=ORIGINAL)
    with site(*answers, declaration=declaration) as (connector, server):
        said = connector.perform(request)
        return said, [one for one in server.requests if one.method != "GET"]


def test_what_is_sent_changes_the_content_alone() -> None:
    said, sent = update(answered(page(MARKER, **BEFORE)), answered(page(MARKER, **AFTER)))
    assert (said.outcome, said.result_id, said.version) == (Outcome.DONE, "4", LATER)
    (request,) = sent
    assert (request.method, request.path) == ("PATCH", "/api/v3/pages/4/")
    assert request.json == {"title": "Neu", "body": "<p>y</p>"}


@pytest.mark.parametrize(
    ("_case", "read", "outcome", "code"),
    [
        ("edited", [answered(page(MARKER, **BEFORE | {"latest_revision_created_at": LATER}))], Outcome.EXISTS, updating.CHANGED),
        ("published", [answered(page(MARKER, **BEFORE | {"live": True}))], Outcome.EXISTS, updating.PUBLISHED),
        ("other", [answered(page(OTHER, **BEFORE))], Outcome.EXISTS, updating.FOREIGN),
        ("emptied", [answered(page(None, **BEFORE))], Outcome.EXISTS, updating.FOREIGN),
        ("done", [answered(page(MARKER, **AFTER))], Outcome.EXISTS, "already-updated"),
        ("gone", [NOT_FOUND, WHO_AM_I, answered(SECTION), WHO_AM_I], Outcome.EXISTS, updating.GONE),
        ("token", [NOT_FOUND, answered({}, 401)], Outcome.REFUSED, "unauthorized"),
        ("proxy", [HTML], Outcome.NOT_SENT, "http-500"),
        ("busy", [answered({}, 503, retry_after="3")], Outcome.NOT_DONE, "http-503"),
    ],
)  # fmt: skip
def test_what_holds_an_update_back(_case: str, read: list[bytes], outcome: Outcome, code: str) -> None:
    said, sent = update(*read)
    assert (said.outcome, said.code, sent) == (outcome, code, [])
    assert TOKEN not in repr(said)


@pytest.mark.parametrize(
    ("answer", "outcome", "code"),
    [
        (answered(page(MARKER, **AFTER), 201), Outcome.UNKNOWN, "http-201"),
        (answered(page(OTHER, **AFTER)), Outcome.UNKNOWN, "marker-mismatch"),
        (NOT_FOUND, Outcome.EXISTS, updating.GONE),
        (answered({"detail": "locked"}, 403), Outcome.REFUSED, "http-403"),
        (answered({"errors": [{"loc": ["title"], "type": "invalid"}]}, 422), Outcome.REFUSED, "http-422"),
        (HTML, Outcome.UNKNOWN, "http-500"),
    ],
    ids=str,
)
def test_what_its_answer_proves(answer: bytes, outcome: Outcome, code: str) -> None:
    said, sent = update(answered(page(MARKER, **BEFORE)), answer)
    assert (said.outcome, said.code, len(sent)) == (outcome, code, 1)


def test_a_site_that_does_not_show_when_a_page_was_saved() -> None:
    """Its list of revisions tells; the page is read after it."""
    held = page(MARKER, **{name: BEFORE[name] for name in ("title", "body")})
    held["meta"] = {**held["meta"], "slug": MARKER}
    revisions = answered({"items": [{"id": 7, "created_at": SAVED}], "count": 3})
    done = answered(held | {"title": "Neu"})
    said, sent = update(answered(held), revisions, answered(held), done, declaration=BY_SLUG)
    assert (said.outcome, said.version, len(sent)) == (Outcome.DONE, "", 1)


def test_content_without_a_title_is_not_sent() -> None:
    said, sent = update(answered(page(MARKER, **BEFORE)), payload={"body": "x"})
    assert (said.outcome, said.code, sent) == (Outcome.REFUSED, "payload-missing", [])


def test_an_update_without_an_original() -> None:
    with site(answered(page())) as (connector, server):
        said = connector.perform(EffectRequest(Kind.UPDATE_DRAFT, MARKER, "", "", NEW, 2))
        look = connector.look_up(LookUpRequest(Kind.UPDATE_DRAFT, MARKER, "", 2))
        assert (said.outcome, said.code, server.requests) == (Outcome.REFUSED, "kind-not-declared", [])
        assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, "no-original")


@pytest.mark.parametrize(
    ("answer", "outcome", "code"),
    [
        (answered("", 204), Outcome.DONE, "http-204"),
        (NOT_FOUND, Outcome.DONE, "not-there"),
        (answered("<html>", 404, content_type="text/html"), Outcome.UNKNOWN, "html"),
        (answered({"detail": "no"}, 403), Outcome.REFUSED, "http-403"),
        (HTML, Outcome.UNKNOWN, "html"),
    ],
    ids=str,
)
def test_what_the_answer_to_a_delete_proves(answer: bytes, outcome: Outcome, code: str) -> None:
    with site(answer) as (connector, _):
        said = connector.remove(kind=Kind.CREATE_DRAFT, result_id="4", deadline_s=2)
    assert (said.outcome, said.code, said.result_id) == (
        outcome,
        code,
        "4" if outcome == Outcome.DONE else "",
    )


def test_an_id_that_is_no_number_becomes_no_address() -> None:
    with site(answered("", 204)) as (connector, server):
        said = connector.remove(kind=Kind.CREATE_DRAFT, result_id="4/../5", deadline_s=2)
        look = connector.read(kind=Kind.CREATE_DRAFT, result_id="4/../5", deadline_s=2)
        assert (said.outcome, look.verdict, server.requests) == (Outcome.REFUSED, Verdict.CANNOT_TELL, [])
