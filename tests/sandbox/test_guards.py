"""What a space protects its callers from, also when they all come at once."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tests.sandbox.caller import Caller, at_once

NewCaller = Callable[..., Caller]


def test_without_protection_each_call_makes_one(caller: Caller) -> None:
    replies = at_once(8, lambda _: caller.create())
    assert [reply.status for reply in replies] == [201] * 8
    assert len(caller.held("m-1")) == 8


def test_unique_marker_makes_one_of_eight(new_caller: NewCaller) -> None:
    caller = new_caller(unique_marker=True)
    replies = at_once(8, lambda _: caller.create())
    assert sorted(reply.status for reply in replies) == [201] + [409] * 7
    (one,) = caller.held()
    errors = [reply.json["error"] for reply in replies if reply.status == 409]
    assert {error["code"] for error in errors} == {"already_exists"}
    assert {error["id"] for error in errors} == {one["id"]}
    assert sum(call["created"] for call in caller.creates()) == 1


def test_unique_marker_need_not_name_the_id(new_caller: NewCaller) -> None:
    caller = new_caller(unique_marker=True, conflict_names_id=False)
    caller.create()
    assert "id" not in caller.create().json["error"]


def test_unique_marker_is_per_kind_and_ends_with_deletion(new_caller: NewCaller) -> None:
    caller = new_caller(unique_marker=True)
    first = caller.create().json["id"]
    assert caller.ask("POST", "/jobs", {"marker": "m-1"}).status == 202
    caller.admin.trash(caller.space, "drafts", first)
    assert caller.create().status == 409
    caller.admin.delete(caller.space, "drafts", first)
    assert caller.create().status == 201


def test_uniqueness_can_be_turned_on_later(caller: Caller) -> None:
    first = caller.create().json["id"]
    caller.create()
    caller.settings(unique_marker=True)
    assert caller.create().json["error"]["id"] == first


def test_client_id_is_made_once(new_caller: NewCaller) -> None:
    caller = new_caller(client_ids=True)
    put = {"If-None-Match": "*"}
    replies = at_once(
        8, lambda _: caller.ask("PUT", "/drafts/my-id.1", {"title": "T", "marker": "m"}, headers=put)
    )
    assert sorted(reply.status for reply in replies) == [201] + [412] * 7
    assert [one["id"] for one in caller.held()] == ["my-id.1"]
    assert caller.ask("GET", "/drafts/my-id.1").json["title"] == "T"


def test_put_without_condition_replaces(new_caller: NewCaller) -> None:
    caller = new_caller(client_ids=True)
    assert caller.ask("PUT", "/drafts/a", {"title": "one", "marker": "m"}).status == 201
    reply = caller.ask("PUT", "/drafts/a", {"title": "two", "marker": "m"})
    assert (reply.status, reply.json["title"], reply.json["version"]) == (200, "two", 2)


def test_put_is_refused_where_ids_are_the_servers(caller: Caller) -> None:
    assert caller.ask("PUT", "/drafts/a", {"title": "one"}).status == 405


def test_same_key_makes_one_and_answers_the_same(new_caller: NewCaller) -> None:
    caller = new_caller(idempotency=True)
    replies = at_once(8, lambda _: caller.create(key="k-1"))
    assert {reply.status for reply in replies} == {201}
    assert len({reply.body for reply in replies}) == 1
    assert sum(reply.headers.get("idempotent-replayed") == "true" for reply in replies) == 7
    assert len(caller.held()) == 1
    assert sorted((call["created"], call["replayed"]) for call in caller.creates()) == [(False, True)] * 7 + [
        (True, False)
    ]


def test_same_key_with_another_body_is_refused(new_caller: NewCaller) -> None:
    caller = new_caller(idempotency=True)
    caller.create(key="k-1")
    reply = caller.create(key="k-1", title="Other")
    assert (reply.status, reply.json["error"]["code"]) == (422, "key_reused")


def test_key_in_flight(new_caller: NewCaller, eventually: Callable[[Callable[[], bool]], None]) -> None:
    caller = new_caller(idempotency=True)
    caller.fault("zombie", seconds=0.3)
    with pytest.raises(TimeoutError):
        caller.create(key="k-1", timeout=0.1)
    assert caller.create(key="k-1").json["error"]["code"] == "in_flight"
    eventually(lambda: len(caller.held()) == 1)
    assert caller.create(key="k-1").headers["idempotent-replayed"] == "true"
    assert len(caller.held()) == 1


def test_key_is_forgotten_after_its_window(new_caller: NewCaller) -> None:
    caller = new_caller(idempotency=True, idempotency_window_s=0.2)
    caller.create(key="k-1")
    assert caller.create(key="k-1").headers.get("idempotent-replayed") == "true"
    time.sleep(0.25)
    assert "idempotent-replayed" not in caller.create(key="k-1").headers
    assert len(caller.held()) == 2


def test_lost_answer_is_replayed_under_its_key(new_caller: NewCaller) -> None:
    caller = new_caller(idempotency=True)
    caller.fault("error_after")
    assert caller.create(key="k-1").status == 502
    assert caller.create(key="k-1").json["id"] == caller.held()[0]["id"]


def test_key_means_nothing_where_it_is_not_honoured(caller: Caller) -> None:
    caller.create(key="k-1")
    caller.create(key="k-1")
    assert len(caller.held()) == 2


def test_may_not_publish(new_caller: NewCaller) -> None:
    caller = new_caller()
    assert caller.create(status="published").status == 403
    made = caller.create().json["id"]
    assert caller.ask("PATCH", f"/drafts/{made}", {"status": "published"}).status == 403
    caller.settings(may_publish=True)
    assert caller.ask("PATCH", f"/drafts/{made}", {"status": "published"}).json["status"] == "published"


def test_patch_wants_the_version_it_saw(caller: Caller) -> None:
    made = caller.create()
    path = f"/drafts/{made.json['id']}"
    tag = made.headers["etag"]
    changed = caller.ask("PATCH", path, {"title": "New"}, headers={"If-Match": tag})
    assert (changed.status, changed.json["title"], changed.json["body"]) == (200, "New", "<p>Body</p>")
    assert changed.json["marker"] == "m-1"
    assert caller.ask("PATCH", path, {"title": "Late"}, headers={"If-Match": tag}).status == 412
    assert caller.ask("PATCH", path, {"title": "Any"}).json["version"] == 3
