"""Waiting for news: bounded, by few at once, and without holding the database."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from once_delivery.accounts.models import Project
from once_delivery.api import waiting
from tests.api.caller import Caller, a_caller, an_ask
from tests.ledger.given import a_real_target


@pytest.mark.django_db(transaction=True)
class TestWaiting:
    @pytest.fixture
    def caller(self, transactional_db: None, project: Project) -> Caller:
        a_real_target(project, kind="permit")
        return a_caller(project)

    def test_the_answer_comes_as_soon_as_there_is_one(self, caller: Caller) -> None:
        permit = caller.post("/permits", an_ask()).json()

        def ask() -> tuple[str, float]:
            begun = time.monotonic()
            try:
                return caller.post("/permits?wait=30", an_ask()).json()["answer"], time.monotonic() - begun
            finally:
                connection.close()

        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(ask)
            caller.post(f"/permits/{permit['permit']}/done", {"result_id": "7"})
            answer, took = asked.result(timeout=25)
        assert answer == "reuse"
        assert took < 20

    def test_a_settled_delivery_is_told_at_once(self, caller: Caller) -> None:
        permit = caller.post("/permits", an_ask()).json()
        caller.post(f"/permits/{permit['permit']}/done", {"result_id": "7"})
        (delivery,) = caller.get("/deliveries").json()["deliveries"]
        assert caller.get(f"/deliveries/{delivery['id']}?wait=30").json()["settled"] is True


def test_no_connection_is_held_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    held = []
    monkeypatch.setattr(connection, "close", lambda: held.append("closed"))
    monkeypatch.setattr(time, "sleep", lambda _seconds: held.append("slept"))
    monkeypatch.setattr(type(connection), "in_atomic_block", False, raising=False)
    looks = iter([1, 2, 3])
    assert waiting.wait_until(lambda: next(looks), is_enough=lambda look: look == 3, wait_s=30) == 3
    assert held == ["closed", "slept", "closed", "slept"]


def test_when_all_seats_are_taken_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    seats = threading.BoundedSemaphore(1)
    seats.acquire()
    monkeypatch.setattr(waiting, "_seats", seats)
    begun = time.monotonic()
    assert waiting.wait_until(lambda: "now", is_enough=lambda _look: False, wait_s=30) == "now"
    assert time.monotonic() - begun < 5
