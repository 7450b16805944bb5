"""The connection test of Ghost, and its pictures, by captured answers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import partial
from typing import Any

import pytest

from once_delivery.targets.base import (
    Answer,
    CheckResult,
    EffectRequest,
    FileBytes,
    Kind,
    LookUpRequest,
    Outcome,
    Verdict,
)
from tests.fakes.scripted_server import answered
from tests.targets.ghost_answers import (
    HTML,
    MARKER,
    ME,
    NO_USER,
    SITE,
    SUSPENDED,
    UNKNOWN_KEY,
    error,
    listed,
    post,
    site,
)

DATA = b"picture"
SHA256 = hashlib.sha256(DATA).hexdigest()
URL = f"{SITE}/content/images/2026/11/{MARKER}.png"
EXPIRED = error(401, "Invalid token: jwt expired", "INVALID_JWT")
FORGED = error(401, "Invalid token: invalid signature", "INVALID_JWT")
AUTHOR = answered({"users": [{"id": "5", "roles": [{"name": "Author"}]}]})
MOVED = answered("", 301, location="https://shop.example/ghost/api/admin/site/")


def about(*, slow_s: float = 0, **more: Any) -> bytes:
    """Ghost's word about its site, by a clock that is ahead of ours."""
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=slow_s), usegmt=True)
    return answered({"site": {"version": "6.65", "url": f"{SITE}/", **more}}, headers={"Date": date})


def checked(*answers: bytes) -> list[CheckResult]:
    with site(*answers) as (connector, _):
        return connector.check()


def test_nothing_wrong() -> None:
    lines = checked(about(), ME, listed())
    assert [line.name for line in lines if line.ok] == [
        "connection", "version", "clock", "site-url", "account", "cannot-publish", "look_up:create_draft",
    ]  # fmt: skip
    assert all(line.ok for line in lines)


@pytest.mark.parametrize(
    "date", [f"Sun, 29 Nov 2026 20:38:40 +{10**20}", "Fri, 31 Dec 9999 23:59:59 -2359", "now"]
)
def test_a_clock_that_says_no_moment_is_no_clock(date: str) -> None:
    told = answered({"site": {"version": "6.65", "url": f"{SITE}/"}}, headers={"Date": date})
    assert all(line.ok for line in checked(told, ME, listed()))


@pytest.mark.parametrize(
    ("name", "code", "answers"),
    [
        ("connection", "redirect", [MOVED]),
        ("connection", "no-api", [answered("<html>", 404, content_type="text/html")]),
        ("connection", "no-api", [answered({"hello": 1})]),
        ("connection", "http-502", [HTML]),
        ("version", "version-too-old", [partial(about, version="4.48"), ME, listed()]),
        ("version", "version-too-old", [partial(about, version="?"), ME, listed()]),
        ("clock", "clock-slow", [partial(about, slow_s=200), ME, listed()]),
        ("site-url", "site-url-differs", [partial(about, url="https://other.example/"), ME, listed()]),
        ("account", "key-unknown", [about, UNKNOWN_KEY]),
        ("account", "token-expired", [about, EXPIRED]),
        ("account", "unauthorized", [about, FORGED]),
        ("account", "account-suspended", [about, SUSPENDED]),
        ("cannot-publish", "may-publish", [about, AUTHOR, listed()]),
        ("cannot-publish", "may-publish", [about, NO_USER, listed(), listed()]),
        ("look_up:create_draft", "filter-ignored", [about, ME, listed(post())]),
    ],
)
def test_what_is_wrong(name: str, code: str, answers: list[bytes | Callable[[], bytes]]) -> None:
    # said by the clock of now, not of when this file was read
    said = [answer if isinstance(answer, bytes) else answer() for answer in answers]
    assert [(line.name, line.code) for line in checked(*said) if not line.ok] == [(name, code)]


def test_where_a_redirect_goes_is_told() -> None:
    assert checked(MOVED)[0].detail == "https://shop.example/ghost/api/admin/site/"


def uploaded(answer: bytes, media_type: str = "image/png") -> tuple[Answer, list[Any]]:
    file = FileBytes("kettle.png", media_type, SHA256, DATA)
    payload = {"file": {"sha256": SHA256, "name": file.name, "media_type": media_type}}
    request = EffectRequest(Kind.UPLOAD_FILE, MARKER, "", "", payload, 2, {SHA256: file})
    with site(answer, declaration={"images": True}) as (connector, server):
        return connector.perform(request), server.requests


def image(url: str = URL, ref: str | None = MARKER) -> bytes:
    return answered({"images": [{"url": url, "ref": ref}]}, 201)


def test_a_picture_is_named_after_its_marker() -> None:
    said, (sent,) = uploaded(image())
    assert (said.outcome, said.result_id, said.url, said.marker) == (Outcome.DONE, URL, URL, MARKER)
    assert f'name="file"; filename="{MARKER}.png"'.encode() in sent.body
    assert f'name="ref"\r\n\r\n{MARKER}'.encode() in sent.body
    assert uploaded(image())[1][0].body == sent.body


@pytest.mark.parametrize(
    ("answer", "outcome", "code"),
    [
        (image(URL.replace(".png", "-1.png")), Outcome.UNKNOWN, "name-suffixed"),
        (image(ref=None), Outcome.UNKNOWN, "marker-mismatch"),
        (image(url=""), Outcome.UNKNOWN, "http-201"),
        (error(415, "Please select a valid image."), Outcome.REFUSED, "http-415"),
        (error(401), Outcome.REFUSED, "http-401"),
        (answered("<html>", 413, content_type="text/html"), Outcome.UNKNOWN, "http-413"),
        (error(500), Outcome.UNKNOWN, "http-500"),
    ],
)
def test_what_an_answer_to_an_upload_proves(answer: bytes, outcome: Outcome, code: str) -> None:
    said, _ = uploaded(answer)
    assert (said.outcome, said.code) == (outcome, code)


def test_a_file_that_is_no_picture_is_not_sent() -> None:
    said, requests = uploaded(image(), "application/pdf")
    assert (said.code, requests) == ("media-type-not-accepted", [])


@pytest.mark.parametrize(
    ("answer", "verdict", "code"),
    [
        (answered(b"x", content_type="image/png"), Verdict.FOUND, ""),
        (answered("no", 404, content_type="text/plain"), Verdict.CANNOT_TELL, "cannot-list-files"),
        (answered("<html>", content_type="text/html"), Verdict.CANNOT_TELL, "cannot-list-files"),
        (error(500), Verdict.CANNOT_TELL, "http-500"),
    ],
)
def test_looking_for_a_picture(answer: bytes, verdict: Verdict, code: str) -> None:
    file = {"media_type": "image/png"}
    with site(answer, declaration={"images": True}, at_home=True) as (connector, server):
        seen = connector.look_up(LookUpRequest(Kind.UPLOAD_FILE, MARKER, "", 2, payload={"file": file}))
        assert all("authorization" not in call.headers for call in server.requests)
    assert (seen.verdict, seen.code) == (verdict, code)
