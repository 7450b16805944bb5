"""What cannot be meant is refused in clear words, never with a 500, and nothing is half done."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import DataError
from django.test import Client
from django.utils import timezone
from psycopg.errors import StringDataRightTruncation

from once_delivery.accounts.models import ApiToken, Project
from once_delivery.api import door
from once_delivery.api.description import description
from once_delivery.api.rate import Rate
from once_delivery.ledger.models import Action, Batch, InputVersion, Task
from tests.api.caller import BASE, Caller, a_caller, an_ask, an_identity, an_item
from tests.builders import a_project
from tests.ledger.given import a_real_target

DEEP = '{"items": ' + "[" * 100_000 + "]" * 100_000 + "}"


def refused(answer: Any, status: int, code: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.content[:500]
    assert answer["Content-Type"] == "application/problem+json"
    told = json.loads(answer.content)
    assert (told["status"], told["code"]) == (status, code)
    assert told["detail"]
    return dict(told)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("{", 400, "broken-json"),
        (b"\xff\xfe", 400, "not-utf8"),
        (DEEP, 400, "too-deep"),
        ('{"items": [], "items": []}', 422, "key-twice"),
        ('{"items": [{"content": {"a": "\\u0000"}}]}', 422, "bad-character"),
        ('{"items": [{"content": {"a": NaN}}]}', 422, "bad-number"),
        ("[]", 422, "wrong-type"),
        ("{}", 422, "missing-key"),
        ('{"items": []}', 422, "empty-value"),
        ('{"items": [], "itmes": []}', 422, "invalid-input"),
        ('{"\\ud800": 1}', 422, "bad-character"),
    ],
)
def test_a_body_that_cannot_be_meant(caller: Caller, body: str | bytes, status: int, code: str) -> None:
    refused(caller.call("POST", "/deliveries", body), status, code)


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        ({"surprise": 1}, "unknown-key", "/items/0/surprise"),
        ({"identity": an_identity(input_version="1")}, "wrong-type", "/items/0/identity/input_version"),
        ({"identity": an_identity(input_version=0)}, "bad-number", "/items/0/identity/input_version"),
        ({"identity": an_identity(locale="klingon!")}, "unknown-locale", "/items/0"),
        ({"identity": an_identity(product="\u200b")}, "bad-identity", "/items/0"),
        ({"target": "nowhere"}, "unknown-target", "/items/0"),
        ({"content": [1]}, "wrong-type", "/items/0/content"),
        ({"target": ""}, "one-or-other", "/items/0"),
        ({"brief": None}, "unknown-input-version", "/items/0"),
        ({"content": {"x": {"$result": "nothing"}}}, "unknown-reference", "/items/0"),
    ],
)
def test_an_item_that_does_not_fit(caller: Caller, change: dict[str, Any], code: str, pointer: str) -> None:
    told = refused(caller.post("/deliveries", {"items": [an_item(**change), an_item("lamp")]}), 422, code)
    assert [one["pointer"] for one in told["problems"]] == [pointer]
    assert not Task.objects.exists()


NO_MOMENTS = [
    "2026-01-01T00:00:00",
    "0001-01-01T00:00:00+14:00",
    "0001-01-01T00:00:00Z",
    "1969-12-31T23:59:59Z",
    "2200-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
    "9999-12-31T23:59:59-10:00",
    "9999-12-31T23:59:59-14:00",
    "253402300799",
    253402300799,
    1767225600.5,
    True,
    "soon",
]


@pytest.mark.parametrize("said", NO_MOMENTS, ids=repr)
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_a_moment_that_cannot_be_meant(project: Project, said: Any, language: str) -> None:
    a_real_target(project, name="cms")
    caller = a_caller(project, language=language)
    told = refused(caller.post("/deliveries", {"items": [an_item(approved_at=said)]}), 422, "bad-time")
    assert [one["pointer"] for one in told["problems"]] == ["/items/0/approved_at"]
    told = refused(caller.post("/permits", an_ask(approved_at=said)), 422, "bad-time")
    assert [one["pointer"] for one in told["problems"]] == ["/approved_at"]
    assert ("offset" in told["detail"]) == (language == "en")
    assert not Task.objects.exists()


@pytest.mark.parametrize("offset", ["+16:00", "+23:59", "-23:59", "+08:00:30", "Z"])
def test_a_moment_of_any_offset_is_kept_as_meant(caller: Caller, offset: str) -> None:
    said = f"2026-01-01T00:00:00{offset}"
    assert caller.post("/deliveries", {"items": [an_item(approved_at=said)]}).status_code == 202
    assert caller.post("/permits", an_ask("lamp", approved_at=said)).status_code == 200
    meant = datetime.fromisoformat(said)
    assert set(InputVersion.objects.values_list("approved_at", flat=True)) == {meant}


def test_too_many_items(caller: Caller) -> None:
    refused(caller.post("/deliveries", {"items": [an_item()] * 1001}), 422, "too-long")


def test_too_large(caller: Caller) -> None:
    refused(caller.call("POST", "/deliveries", " " * (10 * 1024 * 1024 + 1)), 413, "too-large")


def test_a_body_of_another_kind(caller: Caller) -> None:
    headers = {"authorization": f"Bearer {caller.secret}", "accept-language": "en"}
    answer = Client().post(f"{BASE}/deliveries", b"<a/>", content_type="text/xml", headers=headers)
    refused(answer, 415, "not-json")


def test_no_token_a_wrong_one_one_that_is_over(caller: Caller, project: Project) -> None:
    assert refused(Client().get(f"{BASE}/deliveries"), 401, "token-needed")
    refused(Caller("once_wrong", caller.token).get("/deliveries"), 401, "token-needed")
    old = a_caller(project, days=-1)
    answer = old.get("/deliveries")
    refused(answer, 401, "token-needed")
    assert answer["WWW-Authenticate"].startswith("Bearer")
    ApiToken.objects.filter(pk=caller.token.pk).update(revoked_at=timezone.now())
    refused(caller.get("/deliveries"), 401, "token-needed")


def test_a_session_is_no_token(caller: Caller, project: Project) -> None:
    browser = Client()
    browser.force_login(project.default_owner)
    refused(browser.get(f"{BASE}/deliveries"), 401, "token-needed")
    assert "Set-Cookie" not in caller.get("/deliveries").headers


def test_the_last_use_is_noted(caller: Caller) -> None:
    caller.get("/deliveries")
    used = ApiToken.objects.get(pk=caller.token.pk).last_used_at
    assert used is not None
    assert timezone.now() - used < timedelta(minutes=1)


def test_no_such_address_method_or_query(caller: Caller) -> None:
    refused(caller.get("/nothing"), 404, "not-found")
    refused(caller.get("/deliveries/not-a-uuid"), 404, "not-found")
    refused(caller.call("DELETE", "/deliveries"), 405, "method-not-allowed")
    refused(caller.get("/deliveries?colour=red"), 422, "unknown-key")
    refused(caller.get("/deliveries?limit=1000"), 422, "bad-number")
    refused(caller.get("/deliveries?state=lost"), 422, "unknown-value")
    refused(caller.get("/deliveries?locale=%21"), 422, "unknown-locale")
    refused(caller.get("/deliveries?product=a%00b"), 400, "bad-request")
    refused(caller.post("/attempts/x/costs", {"provider": "p"}), 422, "wrong-type")
    refused(caller.post("/attempts/99999999999999999999/costs", {"provider": "p"}), 422, "bad-number")


def test_in_the_callers_language(caller: Caller, project: Project) -> None:
    chinese = a_caller(project, language="zh-CN")
    told = refused(chinese.post("/deliveries", {"items": []}), 422, "empty-value")
    assert told["detail"] == "此处不能为空。"


def test_a_permit_of_another_project_is_not_there(caller: Caller) -> None:
    other = a_project("borealis")
    a_real_target(other)
    stranger = a_caller(other)
    permit = caller.post("/permits", an_ask()).json()
    for verb, said in (("done", {"result_id": "1"}), ("unknown", {}), ("heartbeat", {})):
        refused(stranger.post(f"/permits/{permit['permit']}/{verb}", said), 404, "not-found")
        refused(stranger.post(f"/permits/permit_made-up/{verb}", said), 404, "not-found")
    refused(stranger.post(f"/actions/{permit['action']['id']}/permits", {}), 404, "not-found")
    refused(stranger.post(f"/attempts/{permit['attempt']}/costs", {"provider": "p"}), 404, "not-found")
    assert Action.objects.get(uuid=permit["action"]["id"]).state == "sending"


def test_costs_are_decimal_texts(caller: Caller) -> None:
    permit = caller.post("/permits", an_ask()).json()
    path = f"/attempts/{permit['attempt']}/costs"
    for amount in (0.1, "1e3", "-1", "NaN", "1,5"):
        answer = caller.post(path, {"provider": "p", "amount": amount, "currency": "CNY"})
        assert answer.status_code == 422, amount
    said = {
        "provider": "ark",
        "request_id": "r-1",
        "units": "2",
        "unit": "image",
        "amount": "0.350",
        "currency": "CNY",
    }
    first, again = caller.post(path, said), caller.post(path, said)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["id"] == again.json()["id"]


@pytest.mark.parametrize("currency", ["XXQ", "AAA"])
def test_a_cost_in_a_currency_that_is_none(caller: Caller, currency: str) -> None:
    permit = caller.post("/permits", an_ask()).json()
    cost = {"provider": "p", "amount": "1", "currency": currency}
    told = refused(caller.post(f"/attempts/{permit['attempt']}/costs", cost), 422, "unknown-currency")
    assert currency in told["detail"]
    done = {"result_id": "4711", "cost": cost}
    told = refused(caller.post(f"/permits/{permit['permit']}/done", done), 422, "unknown-currency")
    assert [one["pointer"] for one in told["problems"]] == ["/cost/currency"]
    assert Action.objects.get(uuid=permit["action"]["id"]).state == "sending"


@pytest.mark.parametrize(
    ("result_id", "code"),
    [
        ("   ", "empty-value"),
        ("\n", "empty-value"),
        ("\u3000\u00a0", "empty-value"),
        ("\u200b", "empty-value"),
        ("47\n11", "bad-character"),
        ("47\t11", "bad-character"),
    ],
)
def test_a_result_id_that_cannot_be_read(caller: Caller, result_id: str, code: str) -> None:
    permit = caller.post("/permits", an_ask()).json()
    answer = caller.post(f"/permits/{permit['permit']}/done", {"result_id": result_id})
    refused(answer, 422, code)
    found = {"objects": [{"result_id": result_id}], "method": "looked"}
    refused(caller.post(f"/permits/{permit['permit']}/found", found), 422, code)
    assert Action.objects.get(uuid=permit["action"]["id"]).state == "sending"


def test_no_call_ignores_a_query_that_it_does_not_know(caller: Caller) -> None:
    permit = caller.post("/permits", an_ask()).json()
    secret, action, attempt = permit["permit"], permit["action"]["id"], permit["attempt"]
    batch = Batch.objects.get().uuid
    delivery = Task.objects.get().uuid
    look = {"method": "looked", "complete": True}
    bodies: dict[str, Any] = {
        "ask_for_deliveries": {"items": [an_item()]},
        "ask_for_permit": an_ask(),
        "report_done": {"result_id": "1"},
        "report_found": {"objects": [{"result_id": "1"}], "method": "looked"},
        "report_absent": look,
        "report_cost": {"provider": "p"},
    }
    where = {
        "batch_id": batch, "delivery_id": delivery, "action_id": action, "permit": secret, "attempt": attempt
    }  # fmt: skip
    for path, calls in description()["paths"].items():
        for method, call in calls.items():
            address = path.removeprefix(BASE).format(**where) + "?dry_run=1"
            said = bodies.get(call["operationId"], {}) if method == "post" else None
            told = refused(caller.call(method.upper(), address, said), 422, "unknown-key")
            assert [one["pointer"] for one in told["problems"]] == ["?dry_run"], address
    assert Action.objects.get(uuid=action).state == "sending"


def test_a_body_without_a_length_is_not_taken_for_an_empty_one(caller: Caller) -> None:
    permit = caller.post("/permits", an_ask()).json()
    answer = Client().generic(
        "POST",
        f"{BASE}/permits/{permit['permit']}/heartbeat",
        '{"lease_s": 3600}',
        content_type="application/json",
        headers={"authorization": f"Bearer {caller.secret}", "transfer-encoding": "chunked"},
        CONTENT_LENGTH="",
    )
    told = refused(answer, 411, "length-required")
    assert told["title"] == "Length Required"


def test_what_the_database_cannot_keep_is_no_fault_of_ours(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_long(*_: object) -> None:
        raise DataError("value too long") from StringDataRightTruncation()

    monkeypatch.setattr("once_delivery.api.routes.batches.wake_batch", too_long)
    caller.post("/deliveries", {"items": [an_item()], "batch": "b"})
    refused(caller.post(f"/batches/{Batch.objects.get().uuid}/resume", {}), 400, "not-storable")


def test_too_many_requests(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "RATE", Rate(0.1))
    answers = [caller.get("/nothing") for _ in range(2)]
    told = refused(answers[-1], 429, "too-many-requests")
    assert int(answers[-1]["Retry-After"]) >= 1
    assert told["title"] == "Too Many Requests"
