"""The administrator's API: spaces apart, the truth, and an editor's hand."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import pytest

from once_delivery.sandbox.client import SandboxAdmin, SandboxError
from once_delivery.sandbox.process import SandboxProcess
from tests.sandbox.caller import Caller


def test_wrong_admin_token(sandbox: SandboxProcess) -> None:
    with pytest.raises(SandboxError) as caught:
        SandboxAdmin(sandbox.base_url, "wrong").spaces()
    assert (caught.value.status, caught.value.code) == (401, "wrong_token")


def test_spaces_are_apart(new_caller: Callable[..., Caller]) -> None:
    one, other = new_caller(unique_marker=True), new_caller(unique_marker=True)
    assert one.create().status == other.create().status == 201
    stranger = Caller(one.admin, one.space, other.token, one.port)
    assert stranger.create().status == 401
    assert [call["status"] for call in one.admin.log(one.space)] == [201, 401]
    assert len(other.admin.log(other.space)) == 1


def test_settings_are_replaced_and_objects_stay(caller: Caller) -> None:
    caller.create()
    caller.settings(unique_marker=True)
    space = caller.admin.put_space(caller.space, idempotency=True)
    assert space["token"] == caller.token
    assert (space["settings"]["unique_marker"], space["settings"]["idempotency"]) == (False, True)
    assert len(caller.held()) == 1


@pytest.mark.parametrize(
    "wrong",
    [{"nonsense": 1}, {"unique_marker": 1}, {"page_size_max": 0}, {"lookup": "x"}, {"visibility_lag_s": "1"}],
)
def test_wrong_settings_are_refused_and_change_nothing(caller: Caller, wrong: dict[str, object]) -> None:
    before = caller.admin.get_space(caller.space)["settings"]
    with pytest.raises(SandboxError) as caught:
        caller.settings(**wrong)
    assert caught.value.status == 422
    assert caller.admin.get_space(caller.space)["settings"] == before


def test_deleted_space_is_gone_even_for_what_was_on_its_way(caller: Caller) -> None:
    caller.create()
    caller.fault("zombie", seconds=0.2)
    with pytest.raises(TimeoutError):
        caller.create("m-2", timeout=0.1)
    caller.admin.delete_space(caller.space)
    assert caller.create().status == 404
    caller.settings()
    again = Caller(caller.admin, caller.space, caller.admin.get_space(caller.space)["token"], caller.port)
    again.fault("slow", seconds=0.2)
    assert again.create("m-3").status == 201
    assert [one["marker"] for one in again.held()] == ["m-3"]


def test_inventory_is_the_truth_whatever_look_ups_say(new_caller: Callable[..., Caller]) -> None:
    caller = new_caller(visibility_lag_s=60, lookup="none", look_up_status=500)
    made = caller.create(product="P").json["id"]
    (one,) = caller.held()
    assert (one["id"], one["marker"], one["status"], one["made_by"]) == (made, "m-1", "draft", "api")
    assert (one["locale"], one["product"], one["title"], one["deleted_at"]) == ("de-DE", "P", "Title", None)


def test_an_editor_acts_by_hand(caller: Caller) -> None:
    made = caller.create().json["id"]
    before = caller.held()[0]
    admin, space = caller.admin, caller.space
    assert admin.publish(space, "drafts", made)["status"] == "published"
    edited = admin.edit(space, "drafts", made, title="Renamed", marker=None)
    assert (edited["title"], edited["marker"], edited["version"]) == ("Renamed", None, 3)
    assert edited["content_sha256"] != before["content_sha256"]
    assert admin.trash(space, "drafts", made)["status"] == "trash"
    admin.delete(space, "drafts", made)
    inventory = admin.inventory(space)
    assert inventory["objects"] == []
    assert [(one["id"], one["deleted_at"] is not None) for one in inventory["deletions"]] == [(made, True)]
    assert caller.ask("GET", f"/drafts/{made}").status == 404
    assert len(caller.admin.log(space)) == 2


def test_a_look_alike_made_by_hand(caller: Caller) -> None:
    caller.create()
    made = caller.admin.make(caller.space, "drafts", title="Title", locale="de-DE")
    mine = next(one for one in caller.held() if one["id"] == made["id"])
    assert (mine["marker"], mine["made_by"], mine["title"]) == (None, "hand", "Title")
    assert len(caller.creates()) == 1


def test_log_tells_each_call(caller: Caller) -> None:
    made = caller.create(key="k-1").json["id"]
    caller.ask("GET", "/drafts?marker=m-1")
    caller.ask("PATCH", f"/drafts/{made}", {"title": "x"})
    caller.ask("DELETE", f"/drafts/{made}")
    caller.ask("POST", f"/drafts/{made}", {"title": "x"})
    log = caller.admin.log(caller.space)
    assert [(call["method"], call["operation"], call["status"]) for call in log] == [
        ("POST", "create", 201), ("GET", "lookup", 200), ("PATCH", "update", 200), ("DELETE", "remove", 204),
        ("POST", "other", 405),
    ]  # fmt: skip
    create = log[0]
    assert (create["committed_id"], create["created"], create["idempotency_key"]) == (made, True, "k-1")
    assert len(create["body_sha256"] or "") == len(hashlib.sha256().hexdigest())
    assert [call["seq"] for call in log] == sorted(call["seq"] for call in log)
    assert caller.admin.log(caller.space, after=log[2]["seq"]) == log[3:]
