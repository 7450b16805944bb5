"""Answers that cannot be read, though each time exactly one object was made."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator

import pytest

from once_delivery.sandbox.answers import json_answer
from once_delivery.sandbox.faults import VARIANTS
from once_delivery.sandbox.misanswers import misanswer
from tests.sandbox.caller import Caller, Reply


@pytest.fixture(autouse=True)
def _made_once(caller: Caller) -> Iterator[None]:
    yield
    assert len(caller.held("m-1")) == 1
    assert [call["created"] for call in caller.creates() if call["marker"] == "m-1"] == [True]


def _answered(caller: Caller, variant: str) -> Reply:
    caller.fault("unreadable", variant=variant, match={"marker": "m-1"})
    return caller.create("m-1")


def test_without_id(caller: Caller) -> None:
    reply = _answered(caller, "no_id")
    assert reply.status == 201
    assert "id" not in reply.json
    assert reply.json["marker"] == "m-1"


def test_cut_json(caller: Caller) -> None:
    reply = _answered(caller, "cut_json")
    assert reply.status == 201
    with pytest.raises(json.JSONDecodeError):
        reply.json  # noqa: B018 -- the reading is what fails


def test_error_null(caller: Caller) -> None:
    reply = _answered(caller, "error_null")
    assert (reply.status, reply.json["error"]) == (201, None)
    assert reply.json["id"] == caller.held("m-1")[0]["id"]


def test_error_with_200(caller: Caller) -> None:
    reply = _answered(caller, "ok_error_body")
    assert (reply.status, reply.json["error"]["code"]) == (200, "internal")


@pytest.mark.parametrize(("variant", "status"), [("accepted", 202), ("empty", 201)])
def test_no_body(caller: Caller, variant: str, status: int) -> None:
    reply = _answered(caller, variant)
    assert (reply.status, reply.body) == (status, b"")


def test_see_other_leads_to_the_object(caller: Caller) -> None:
    reply = _answered(caller, "see_other")
    assert reply.status == 303
    assert reply.headers["location"] == f"/spaces/{caller.space}/drafts/{caller.held('m-1')[0]['id']}"


def test_redirect_inside(caller: Caller) -> None:
    reply = _answered(caller, "redirect_inside")
    assert reply.status == 302
    assert reply.headers["location"].startswith("http://169.254.169.254/")


def test_broken_gzip(caller: Caller) -> None:
    reply = _answered(caller, "bad_gzip")
    assert reply.headers["content-encoding"] == "gzip"
    with pytest.raises((EOFError, zlib.error)):
        gzip.decompress(reply.body)


def test_gzip_bomb(caller: Caller) -> None:
    reply = _answered(caller, "gzip_bomb")
    assert len(reply.body) < 1_000_000
    assert reply.headers["content-encoding"] == "gzip"


def test_another_actions_answer(caller: Caller) -> None:
    other = caller.create("m-other").json
    reply = _answered(caller, "other_action")
    assert (reply.json["id"], reply.json["marker"]) == (other["id"], "m-other")


def test_a_proxys_page(caller: Caller) -> None:
    reply = _answered(caller, "html")
    assert (reply.status, reply.headers["content-type"]) == (200, "text/html; charset=utf-8")


def test_every_variant_can_be_made(caller: Caller) -> None:
    caller.create("m-1")
    for variant in VARIANTS["unreadable"]:
        assert misanswer(variant, json_answer({"id": "d1"}), {"other": {}, "id": "d1"}).status >= 200
