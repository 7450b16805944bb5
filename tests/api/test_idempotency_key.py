"""The Idempotency-Key header: the same answer again, and never a second "go"."""

from __future__ import annotations

from datetime import timedelta
from unittest import mock

import pytest
from django.utils import timezone

from once_delivery.api.models import KeptAnswer
from once_delivery.api.services import keep_answer
from tests.api.caller import Caller, an_ask, an_item

SAID = {"items": [an_item()]}


def test_the_same_key_and_request_get_the_same_answer(caller: Caller) -> None:
    first = caller.post("/deliveries", SAID, idempotency_key='"k-1"')
    again = caller.post("/deliveries", SAID, idempotency_key='"k-1"')
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert (first.get("Idempotency-Replayed"), again["Idempotency-Replayed"]) == (None, "true")
    assert again.json()["suppressed"] == 0, "it was not asked a second time"


def test_the_answer_is_kept_sealed(caller: Caller) -> None:
    caller.post("/deliveries", SAID, idempotency_key="k")
    assert b"kettle" not in bytes(KeptAnswer.objects.get().body_sealed)


def test_another_request_under_the_key_is_refused(caller: Caller) -> None:
    caller.post("/deliveries", SAID, idempotency_key="k")
    answer = caller.post("/deliveries", {"items": [an_item("lamp")]}, idempotency_key="k")
    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency-key-reused")


def test_one_under_way_is_a_conflict(caller: Caller) -> None:
    print_of = keep_answer.print_of
    with mock.patch.object(keep_answer, "end"):  # the first one is not answered yet
        caller.post("/deliveries", SAID, idempotency_key="k")
    answer = caller.post("/deliveries", SAID, idempotency_key="k")
    assert (answer.status_code, answer.json()["code"]) == (409, "idempotency-in-flight")
    KeptAnswer.objects.update(begun_at=timezone.now() - timedelta(minutes=3))
    again = caller.post("/deliveries", SAID, idempotency_key="k")
    assert (again.status_code, again.json()["suppressed"]) == (202, 1), "its process is gone"
    assert print_of(method="POST", path="/a", body=b"") != print_of(method="POST", path="/b", body=b"")


def test_it_is_kept_for_a_day(caller: Caller) -> None:
    caller.post("/deliveries", SAID, idempotency_key="k")
    KeptAnswer.objects.update(begun_at=timezone.now() - timedelta(hours=25))
    assert keep_answer.purge() == 1


def test_a_go_is_never_given_twice(caller: Caller) -> None:
    first = caller.post("/permits", an_ask(), idempotency_key="k")
    again = caller.post("/permits", an_ask(), idempotency_key="k")
    assert (first.json()["answer"], again.json()["answer"]) == ("go", "wait")


@pytest.mark.parametrize("key", ["", "ä", "a b", "x" * 256])
def test_a_key_that_is_none(caller: Caller, key: str) -> None:
    answer = caller.post("/deliveries", SAID, idempotency_key=key.encode().decode("latin-1"))
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-idempotency-key")
