from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from once_delivery.common import redact


def test_headers() -> None:
    given = {
        "Authorization": "Bearer abc", "Cookie": "a=b", "set-cookie": "a=b", "X-Api-Key": "k", "X-Auth-Token": "t",
        "X-Shop-Key": "k", "Content-Type": "application/json", "Idempotency-Key": "once-abc", "X-Note": "my s3cretvalue",
    }  # fmt: skip
    shown = redact.headers(given, ["s3cretvalue"])
    assert {name for name, value in shown.items() if value == redact.HIDDEN} == {
        "Authorization", "Cookie", "set-cookie", "X-Api-Key", "X-Auth-Token", "X-Shop-Key",
    }  # fmt: skip
    assert shown["Idempotency-Key"] == "once-abc"
    assert shown["X-Note"] == "my ***"


def test_data() -> None:
    given = {
        "title": "About tokens",
        "access_token": "abc",
        "user": {"password": ["a"], "name": "s3cretvalue"},
        "usage": {"total_tokens": 5},
        "next_page_token": "p2",
        "items": ["x s3cretvalue y", 1, None, True],
    }
    assert redact.data(given, ["s3cretvalue"]) == {
        "title": "About tokens",
        "access_token": "***",
        "user": {"password": "***", "name": "***"},
        "usage": {"total_tokens": 5},
        "next_page_token": "p2",
        "items": ["x *** y", 1, None, True],
    }


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Authorization: Bearer abcdefgh123", "Authorization: ***"),
        ("curl -H 'x: Basic dXNlcjpwYXNz'", "curl -H 'x: Basic ***'"),
        ('{"password": "hunter2", "id": 5}', '{"password": ***, "id": 5}'),
        ('{"password": "cut off', '{"password": ***'),
        ("?access_token=abc&page=2", "?access_token=***&page=2"),
        ("https://user:pass@cms.example/x", "https://user:***@cms.example/x"),
        ("eyJhbGciOi.eyJzdWIi.c2ln in it", "*** in it"),
        ("Die Token-Ring-Technik", "Die Token-Ring-Technik"),
        ("a\x00b\x1bc\ud800d\n", "abcd\n"),
    ],
)
def test_text(given: str, shown: str) -> None:
    assert redact.text(given) == shown


def test_known_values_go_wherever_they_stand_and_in_every_length() -> None:
    basic = base64.b64encode(b"user:hunter22").decode()
    secrets = ("hunter22", "hunter22hunter22", basic)
    assert redact.text(f"x hunter22hunter22 {basic} hunter22", secrets) == "x *** *** ***"


def test_short_values_are_words() -> None:
    assert redact.text("the admin page", ["admin"]) == "the admin page"


def test_an_excerpt_is_short_and_holds_no_part_of_a_secret_that_the_cut_left() -> None:
    body = ("x" * 7990 + "s3cretvalue-and-more").encode()
    shown = redact.excerpt(body, ["s3cretvalue-and-more"])
    assert len(shown) == redact.EXCERPT
    assert "s3cret" not in redact.excerpt(body, ["s3cretvalue-and-more"], longest=8000)


def test_an_excerpt_of_bytes_that_are_no_text() -> None:
    assert redact.excerpt(b"\xff\x00\xfe ok") == "\ufffd\ufffd ok"


@given(st.text(), st.text(alphabet="abcdef0123456789-_", min_size=6, max_size=40), st.text())
def test_no_secret_and_nothing_unstorable_is_left(before: str, secret: str, after: str) -> None:
    shown = redact.excerpt(before + secret + after, [secret])
    assert secret not in shown
    assert "\0" not in shown
    shown.encode()
