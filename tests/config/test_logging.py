from __future__ import annotations

import json
import logging

import pytest
from django.test import Client

from once_delivery.config.logging import (
    JsonFormatter,
    PlainFormatter,
    RefusalFilter,
    belonging_to,
    logging_settings,
    without_secrets,
)


def record(message: str, *args: object, **extra: object) -> logging.LogRecord:
    made = logging.LogRecord("once", logging.INFO, __file__, 1, message, args, None)
    for name, value in extra.items():
        setattr(made, name, value)
    return made


def test_a_line_is_json_with_what_it_belongs_to() -> None:
    with belonging_to(request="r1"), belonging_to(action="a1"):
        line = json.loads(JsonFormatter().format(record("sent %s", "标题")))
    assert {name: line[name] for name in ("level", "logger", "message", "request", "action")} == {
        "level": "INFO",
        "logger": "once",
        "message": "sent 标题",
        "request": "r1",
        "action": "a1",
    }


def test_what_it_belongs_to_ends_with_the_block() -> None:
    with belonging_to(request="r1"):
        pass
    assert "request" not in json.loads(JsonFormatter().format(record("later")))


def test_only_known_extra_fields_are_written() -> None:
    line = json.loads(
        JsonFormatter().format(record("x", code="refused", body="<p>secret</p>", headers={"a": "b"}))
    )
    assert line["code"] == "refused"
    assert not {"body", "headers"} & line.keys()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("postgresql://me:hunter2@db/once", "postgresql://me:***@db/once"),
        ("host=db password=hunter2 user=me", "host=db password=*** user=me"),
        ("password='hunter 2' user=me", "password=*** user=me"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer ***"),
        ("Not Found: /invitation/s3cr-et_x/", "Not Found: /invitation/***/"),
        ("Not Found: /approve/s3cret/image/?u=1", "Not Found: /approve/***/?u=1"),
        ("Not Found: /account/email/eyJ1c2VyIjox:1v:zz/ (a)", "Not Found: /account/email/***/ (a)"),
        ("Not Found: /password/reset/MQ/d1-abc/ (a)", "Not Found: /password/reset/***/ (a)"),
        ("nothing secret: a@b", "nothing secret: a@b"),
        (
            "Conflict: /api/v1/permits/permit_nb8nulYb3Wc1x2kZ4P31swJbwWqWDgqa4MLfW65H1PU/done",
            "Conflict: /api/v1/permits/permit_***/done",
        ),
        (
            "once-a3gh7kxq2mnd5p once_delivery.ledger.permit_x",
            "once-a3gh7kxq2mnd5p once_delivery.ledger.permit_x",
        ),
    ],
)
def test_secrets_are_hidden(text: str, expected: str) -> None:
    assert without_secrets(text) == expected
    assert expected in PlainFormatter("%(message)s").format(record(text))


def test_an_error_keeps_its_trace_without_secrets() -> None:
    try:
        int("postgresql://me:hunter2@db/once")
    except ValueError as error:
        made = logging.LogRecord(
            "once", logging.ERROR, __file__, 1, "failed", (), (ValueError, error, error.__traceback__)
        )
    line = json.loads(JsonFormatter().format(made))
    assert line["error"] == "ValueError"
    assert "hunter2" not in json.dumps(line)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("given", "kept"), [("abc-1.2", True), ("a b", False), ("x" * 65, False), ("", False)]
)
def test_a_request_id_is_given_or_kept(client: Client, given: str, kept: bool) -> None:
    response = client.get("/healthz", headers={"X-Request-ID": given})
    assert response.status_code == 200
    assert (response["X-Request-ID"] == given) is kept
    assert len(response["X-Request-ID"]) == (len(given) if kept else 32)


@pytest.mark.parametrize(("status", "traced"), [(403, False), (404, False), (500, True)])
def test_only_faults_have_a_trace(status: int, traced: bool, capsys: pytest.CaptureFixture[str]) -> None:
    stream = logging_settings(level="INFO", form="plain")["handlers"]["stream"]
    assert stream["filters"] == ["refusals"]
    handler = logging.StreamHandler()
    handler.setFormatter(PlainFormatter())
    handler.addFilter(RefusalFilter())
    said = record("Refused", status_code=status, exc_info=(ValueError, ValueError("inside"), None))
    handler.handle(said)
    assert ("ValueError: inside" in capsys.readouterr().err) is traced
