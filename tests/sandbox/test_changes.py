"""Updating and deleting by the version that a caller saw, and going on in a list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.sandbox.caller import Caller

NewCaller = Callable[..., Caller]


def ids(caller: Caller, query: str) -> list[str]:
    items: list[dict[str, Any]] = caller.ask("GET", f"/drafts?status=any&{query}").json["items"]
    return [one["id"] for one in items]


@pytest.mark.parametrize("method", ["PATCH", "PUT", "DELETE"])
def test_only_the_version_that_was_seen_is_touched(caller: Caller, method: str) -> None:
    made = caller.create()
    path = f"/drafts/{made.json['id']}"
    caller.admin.edit(caller.space, "drafts", made.json["id"], title="An editor's")
    late = caller.ask(method, path, {"title": "Late"}, headers={"If-Match": made.headers["etag"]})
    assert (late.status, late.json["error"]["code"]) == (412, "version_mismatch")
    (held,) = caller.held()
    assert (held["title"], held["version"]) == ("An editor's", 2)
    again = caller.ask(method, path, {"title": "Now"}, headers={"If-Match": '"2"'})
    assert again.status == (204 if method == "DELETE" else 200)


def test_a_put_by_version_needs_no_ids_of_the_callers_and_leaves_nothing_of_before(caller: Caller) -> None:
    made = caller.create(product="p").json
    path = f"/drafts/{made['id']}"
    put = caller.ask("PUT", path, {"title": "New", "marker": "m-1"}, headers={"If-Match": '"1"'})
    assert (put.status, put.headers["etag"]) == (200, '"2"')
    assert "product" not in caller.ask("GET", path).json
    assert caller.ask("PUT", "/drafts/none", {"title": "x"}, headers={"If-Match": '"1"'}).status == 404
    assert len(caller.held()) == 1


def test_deleted_is_not_in_the_trash(caller: Caller) -> None:
    trashed, gone = caller.create("m-1").json["id"], caller.create("m-2").json["id"]
    caller.admin.trash(caller.space, "drafts", trashed)
    assert caller.ask("DELETE", f"/drafts/{gone}").status == 204
    assert caller.ask("GET", f"/drafts/{trashed}").json["status"] == "trash"
    assert caller.ask("GET", f"/drafts/{gone}").status == 404
    assert caller.ask("DELETE", f"/drafts/{gone}").status == 404
    assert [one["id"] for one in caller.admin.inventory(caller.space)["deletions"]] == [gone]
    assert caller.ask("DELETE", f"/drafts/{trashed}").status == 204
    assert caller.held() == []


def test_an_account_that_may_not_delete(new_caller: NewCaller) -> None:
    caller = new_caller(may_delete=False)
    made = caller.create().json["id"]
    assert caller.ask("DELETE", f"/drafts/{made}").status == 403
    assert len(caller.held()) == 1


def test_a_list_goes_on_behind_an_object_that_is_gone(caller: Caller) -> None:
    made = [caller.create(f"m-{number}").json for number in range(5)]
    caller.ask("DELETE", f"/drafts/{made[2]['id']}")
    assert ids(caller, f"after={made[2]['serial']}") == [made[3]["id"], made[4]["id"]]
    assert ids(caller, f"after={made[0]['serial']}&per_page=2&page=2") == [made[4]["id"]]
    assert caller.ask("GET", "/drafts?after=x").status == 400


class TestLies:
    def test_a_second_object_under_an_id_that_exists(self, new_caller: NewCaller) -> None:
        caller = new_caller(client_ids=True, makes_second=True)
        fields = {"title": "T", "marker": "m-1"}
        for _ in range(2):
            assert caller.ask("PUT", "/drafts/own-id", fields, headers={"If-None-Match": "*"}).status == 201
        assert [one["id"] == "own-id" for one in caller.held("m-1")] == [True, False]

    def test_a_second_object_under_a_marker_that_is_promised_to_be_unique(
        self, new_caller: NewCaller
    ) -> None:
        caller = new_caller(unique_marker=True, makes_second=True)
        assert [caller.create().status for _ in range(2)] == [201, 201]
        assert len(caller.held("m-1")) == 2
        caller.settings(unique_marker=True)  # honest from here on
        assert caller.create().status == 409

    def test_keys_that_are_forgotten_early(self, new_caller: NewCaller) -> None:
        caller = new_caller(idempotency=True, idempotency_window_s=0)
        assert [caller.create(key="k").status for _ in range(3)] == [201] * 3
        assert len(caller.held()) == 3

    def test_an_update_that_does_not_mind_the_version(self, new_caller: NewCaller) -> None:
        caller = new_caller(ignores_if_match=True)
        path = f"/drafts/{caller.create().json['id']}"
        assert caller.ask("PATCH", path, {"title": "Late"}, headers={"If-Match": '"9"'}).status == 200
        assert [one["title"] for one in caller.held()] == ["Late"]

    def test_a_draft_that_is_published(self, new_caller: NewCaller) -> None:
        caller = new_caller(publishes_drafts=True)
        assert caller.create(status="draft").json["status"] == "published"
        assert [one["status"] for one in caller.held()] == ["published"]
