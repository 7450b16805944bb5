"""What can be found, when, and what stands in the way."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest

from tests.sandbox.caller import Caller

NewCaller = Callable[..., Caller]


def _found(caller: Caller, query: str = "marker=m-1") -> list[str]:
    return [item["id"] for item in caller.ask("GET", f"/drafts?{query}").json["items"]]


def test_by_marker(caller: Caller) -> None:
    made = caller.create().json["id"]
    caller.create("m-2")
    assert _found(caller) == [made]
    assert _found(caller, "marker=nobody") == []


def test_statuses_beyond_the_usual_must_be_asked_for(caller: Caller) -> None:
    ids = [caller.create(status=status).json["id"] for status in ("draft", "pending", "private")]
    trashed = caller.create().json["id"]
    caller.admin.trash(caller.space, "drafts", trashed)
    assert _found(caller) == ids[:1]
    assert _found(caller, "status=any") == [*ids, trashed]
    assert _found(caller, "status=trash") == [trashed]


def test_pages_follow_the_link(caller: Caller) -> None:
    made = [caller.create(f"m-{number}").json["id"] for number in range(7)]
    path, seen = "/drafts?per_page=3", []
    while path:
        reply = caller.ask("GET", path)
        assert (reply.json["pages"], reply.json["total"]) == (3, 7)
        seen += [item["id"] for item in reply.json["items"]]
        link = re.search(
            rf"<[^>]*/spaces/{caller.space}(/[^>]*)>; rel=\"next\"", reply.headers.get("link", "")
        )
        path = link[1] if link else ""
    assert seen == made


def test_page_size_has_a_limit(new_caller: NewCaller) -> None:
    caller = new_caller(page_size_max=2)
    for number in range(3):
        caller.create(f"m-{number}")
    assert len(caller.ask("GET", "/drafts?per_page=50").json["items"]) == 2


def test_lag_hides_what_is_new(new_caller: NewCaller) -> None:
    caller = new_caller(visibility_lag_s=0.3)
    made = caller.create().json["id"]
    assert _found(caller, "marker=m-1&status=any") == []
    assert caller.ask("GET", f"/drafts/{made}").status == 200
    assert [one["id"] for one in caller.held()] == [made]
    time.sleep(0.35)
    assert _found(caller) == [made]


def test_lag_can_hide_from_the_id_too(new_caller: NewCaller) -> None:
    caller = new_caller(visibility_lag_s=60, lag_by_id=True)
    made = caller.create().json["id"]
    assert caller.ask("GET", f"/drafts/{made}").status == 404
    caller.settings()
    assert caller.ask("GET", f"/drafts/{made}").status == 200


def test_cannot_be_searched(new_caller: NewCaller) -> None:
    caller = new_caller(lookup="none")
    made = caller.create().json["id"]
    assert caller.ask("GET", "/drafts?marker=m-1").status == 501
    assert caller.ask("GET", f"/drafts/{made}").status == 200


def test_marker_need_not_be_echoed(new_caller: NewCaller) -> None:
    caller = new_caller(echo_marker=False)
    made = caller.create().json
    assert "marker" not in made
    assert _found(caller) == [made["id"]]


@pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
def test_look_ups_answer_as_set(new_caller: NewCaller, status: int) -> None:
    caller = new_caller(look_up_status=status)
    made = caller.create().json["id"]
    for path in ("/drafts?marker=m-1", f"/drafts/{made}"):
        assert caller.ask("GET", path).status == status


def test_look_ups_meet_a_proxy(new_caller: NewCaller) -> None:
    reply = new_caller(look_up_body="html").ask("GET", "/drafts?marker=m-1")
    assert (reply.status, reply.body[:9]) == (200, b"<!doctype")


def test_first_page_is_empty_and_there_is_a_next(new_caller: NewCaller) -> None:
    caller = new_caller(look_up_body="empty_first_page_with_next")
    made = caller.create().json["id"]
    first = caller.ask("GET", "/drafts?marker=m-1")
    assert (first.json["items"], first.json["pages"]) == ([], 2)
    assert 'rel="next"' in first.headers["link"]
    assert _found(caller, "marker=m-1&page=2") == [made]


def test_updated_after(caller: Caller) -> None:
    first = caller.create().json
    second = caller.create("m-2").json["id"]
    assert _found(caller, f"updated_after={first['updated_at']}") == [second]


@pytest.mark.parametrize("query", ["page=0", "page=x", "per_page=-1", "page=²", "updated_after=yesterday"])
def test_a_bad_query_is_refused(caller: Caller, query: str) -> None:
    assert caller.ask("GET", "/drafts?" + query.replace("²", "%C2%B2")).status == 400
