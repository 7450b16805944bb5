"""Every fault over a real socket: what the caller meets, and what the sandbox holds afterwards."""

from __future__ import annotations

import http.client
import time
from collections.abc import Callable

import pytest

from once_delivery.sandbox.client import SandboxError
from once_delivery.sandbox.faults import VARIANTS
from once_delivery.sandbox.faulty import PLAYS
from tests.sandbox.caller import Caller, Reply, at_once

Wait = Callable[[Callable[[], bool]], None]


def test_every_fault_has_its_play() -> None:
    assert set(PLAYS) == set(VARIANTS)


def test_answer_lost_commits_and_closes_without_a_byte(caller: Caller) -> None:
    caller.fault("answer_lost")
    with caller.connect() as connection:
        connection.sendall(caller.head_of_create())
        assert connection.recv(100) == b""
    assert len(caller.held("m-1")) == 1
    (call,) = caller.creates()
    assert (call["fault"], call["created"], call["status"]) == ("answer_lost", True, None)


@pytest.mark.parametrize(
    ("kind", "status", "default"),
    [
        ("error_before", None, 500),
        ("error_before", 503, 503),
        ("error_after", None, 502),
        ("error_after", 500, 500),
    ],
)
def test_errors_before_and_after(caller: Caller, kind: str, status: int | None, default: int) -> None:
    caller.fault(kind, status=status)
    assert caller.create().status == default
    assert len(caller.held()) == (kind == "error_after")


def test_zombie_commits_after_the_caller_has_hung_up(caller: Caller, eventually: Wait) -> None:
    caller.fault("zombie", seconds=0.4)
    with pytest.raises(TimeoutError):
        caller.create(timeout=0.1)
    assert caller.held() == []
    assert caller.ask("GET", "/drafts?marker=m-1&status=any").json["items"] == []
    eventually(lambda: len(caller.held("m-1")) == 1)
    eventually(lambda: caller.creates()[0]["ended_at"] is not None)
    assert caller.creates()[0]["status"] is None


def test_zombie_answers_a_caller_who_waits(caller: Caller) -> None:
    caller.fault("zombie", seconds=0.1)
    assert caller.create().status == 201


def test_zombie_is_refused_at_last_where_the_marker_is_unique(new_caller: Callable[..., Caller]) -> None:
    caller = new_caller(unique_marker=True)
    caller.fault("zombie", seconds=0.3)

    def create(index: int) -> Reply:
        time.sleep(index * 0.1)
        return caller.create()

    replies = at_once(2, create)
    assert sorted(reply.status for reply in replies) == [201, 409]
    assert len(caller.held()) == 1


def test_slow_commits_at_once(caller: Caller) -> None:
    caller.fault("slow", seconds=0.5)
    with pytest.raises(TimeoutError):
        caller.create(timeout=0.1)
    assert len(caller.held()) == 1


@pytest.mark.parametrize(("kind", "status"), [("rate_limited", 429), ("unavailable", 503)])
def test_told_to_wait(caller: Caller, kind: str, status: int) -> None:
    caller.fault(kind, seconds=7)
    reply = caller.create()
    assert (reply.status, reply.headers["retry-after"]) == (status, "7")
    assert caller.held() == []


@pytest.mark.parametrize("kind", ["reset_before", "reset_after"])
def test_resets(caller: Caller, kind: str) -> None:
    caller.fault(kind)
    with caller.connect() as connection:
        connection.sendall(caller.head_of_create())
        with pytest.raises(ConnectionResetError):
            connection.recv(100)
    assert len(caller.held()) == (kind == "reset_after")


@pytest.mark.parametrize("variant", ["committed", "not_committed"])
def test_hang_never_answers(caller: Caller, variant: str, eventually: Wait) -> None:
    caller.fault("hang", variant=variant)
    with pytest.raises(TimeoutError):
        caller.create(timeout=0.2)
    assert len(caller.held()) == (variant == "committed")
    eventually(lambda: caller.creates()[0]["ended_at"] is not None)
    assert caller.creates()[0]["status"] is None


def test_cut_in_answer(caller: Caller) -> None:
    caller.fault("cut_in_answer")
    with pytest.raises(http.client.IncompleteRead):
        caller.create()
    assert len(caller.held()) == 1


def test_busy_names_no_id_while_the_first_works(caller: Caller, eventually: Wait) -> None:
    caller.fault("busy", seconds=0.4)
    with pytest.raises(TimeoutError):
        caller.create(timeout=0.1)
    second = caller.create()
    assert second.status == 409
    assert second.json["error"]["code"] == "in_flight"
    assert "id" not in second.json["error"]
    assert caller.create("m-2").status == 201
    eventually(lambda: len(caller.held("m-1")) == 1)


def test_refuse_makes_nothing(caller: Caller) -> None:
    caller.fault("refuse", status=400)
    assert caller.create().status == 400
    assert caller.held() == []


def test_endless_body_does_not_end(caller: Caller) -> None:
    caller.fault("endless")
    with caller.connect() as connection:
        connection.sendall(caller.head_of_create())
        got = 0
        while got < 1_000_000:
            got += len(connection.recv(262_144))
    assert len(caller.held()) == 1


def test_slow_body_drips(caller: Caller) -> None:
    caller.fault("slow_body", seconds=0.2)
    with caller.connect() as connection:
        connection.sendall(caller.head_of_create())
        begin = time.monotonic()
        head = b""
        while b"\r\n\r\n" not in head:
            head += connection.recv(4096)
        assert [len(connection.recv(4096)) for _ in range(2)] == [1, 1]
        assert time.monotonic() - begin >= 0.4
    assert len(caller.held()) == 1


@pytest.mark.parametrize(
    ("match", "struck"),
    [
        ({"marker": "m-2"}, [1]),
        ({"title_contains": "itl"}, [0]),
        ({"field": {"locale": "fr-FR"}}, [2]),
        ({"field": {"/meta/slot": 3}}, [1]),
        ({"nth": 3}, [2]),
        ({"operation": "lookup"}, []),
        ({"kind": "uploads"}, []),
        ({"operation": "any", "nth": 1, "marker": "m-1"}, [0]),
    ],
)
def test_strikes_whom_it_means(caller: Caller, match: dict[str, object], struck: list[int]) -> None:
    caller.fault("refuse", match=match)
    replies = [
        caller.create("m-1"),
        caller.create("m-2", meta={"slot": 3}),
        caller.create("m-3", locale="fr-FR"),
    ]
    assert [index for index, reply in enumerate(replies) if reply.status == 422] == struck


def test_strikes_as_often_as_told(caller: Caller) -> None:
    caller.fault("refuse", times=2)
    assert [caller.create().status for _ in range(3)] == [422, 422, 201]
    caller.fault("refuse", times=0)
    assert [caller.create().status for _ in range(3)] == [422, 422, 422]
    assert [fault["fired"] for fault in caller.admin.faults(caller.space)] == [2, 3]
    assert caller.admin.clear_faults(caller.space) == 2
    assert caller.create().status == 201


def test_one_fault_strikes_one_of_many_at_once(caller: Caller) -> None:
    caller.fault("refuse")
    replies = at_once(8, lambda index: caller.create(f"m-{index}"))
    assert sorted(reply.status for reply in replies) == [201] * 7 + [422]


def test_look_ups_fail_too(caller: Caller) -> None:
    caller.create()
    for kind, status in (("error_before", 500), ("rate_limited", 429), ("unreadable", 200)):
        caller.fault(kind, match={"operation": "lookup"}, variant="html" if kind == "unreadable" else None)
        assert caller.ask("GET", "/drafts?marker=m-1").status == status
    assert len(caller.ask("GET", "/drafts?marker=m-1").json["items"]) == 1


def test_a_rule_that_makes_no_sense_is_refused(caller: Caller) -> None:
    for kind, more in (
        ("nonsense", {}),
        ("hang", {"variant": "x"}),
        ("slow", {"seconds": -1}),
        ("slow", {"match": {"x": 1}}),
    ):
        with pytest.raises(SandboxError, match="bad_fault"):
            caller.admin.add_fault(caller.space, kind, **more)
