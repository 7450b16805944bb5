"""Pages for people: counted, in both languages, and safe to look at."""

from __future__ import annotations

import pytest

from tests.sandbox.caller import Caller, Reply


def _page(caller: Caller, path: str = "/", language: str = "en") -> Reply:
    return caller.ask("GET", path, headers={"Accept-Language": language, "Authorization": ""})


def test_shows_one_and_two(caller: Caller) -> None:
    caller.create("once-1", product="海岛防晒霜")
    assert "Every marker has at most one object" in _page(caller).body.decode()
    caller.create("once-1", product="海岛防晒霜")
    text = _page(caller).body.decode()
    assert "Markers with more than one object: 1." in text
    assert "once--two" in text
    assert "海岛防晒霜" in text


@pytest.mark.parametrize(
    ("query", "header", "word"),
    [("", "zh-CN,zh;q=0.9,en;q=0.8", "创建请求"), ("", "en-GB", "Create calls"), ("?lang=zh-hans", "en", "创建请求"),
     ("?lang=en", "zh", "Create calls"), ("", "", "Create calls")],
)  # fmt: skip
def test_speaks_both_languages(caller: Caller, query: str, header: str, word: str) -> None:
    reply = _page(caller, f"/{query}", header)
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert word in reply.body.decode()


def test_nothing_runs_and_all_is_escaped(caller: Caller) -> None:
    nasty = "<script>alert(1)</script>\"'{x}"
    made = caller.create(nasty, title=nasty, product=nasty, locale="<i>", body=nasty).json["id"]
    for path in ("/", f"/view/drafts/{made}"):
        reply = _page(caller, path)
        assert reply.status == 200
        policy = reply.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        text = reply.body.decode()
        assert "<script" not in text
        assert "<i>" not in text
        assert " style=" not in text
        assert "&lt;script&gt;" in text


def test_tells_what_was_left_without_an_answer(caller: Caller) -> None:
    caller.fault("error_before")
    caller.create("m-1")
    deleted = caller.create("m-2").json["id"]
    caller.admin.delete(caller.space, "drafts", deleted)
    text = _page(caller).body.decode()
    assert "Create calls 2, objects made 1, calls left without an answer 0, objects deleted 1." in text
    assert "error_before" in text


def test_static_and_missing(caller: Caller) -> None:
    assert caller.ask("GET", "").headers["location"] == f"/spaces/{caller.space}/"
    assert _page(caller, "/view/drafts/nope").status == 404
