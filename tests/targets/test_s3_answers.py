"""What a store's answers prove, byte by byte: those of AWS that no local store gives, and what stands between it and us."""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Iterator
from typing import Any

import pytest

from once_delivery.common.errors import InvalidInputError
from once_delivery.targets.base import Answer, Connection, Look, Outcome, Verdict
from once_delivery.targets.s3.connector import S3Connector, behind_proxy, connect
from tests.fakes.scripted_server import ScriptedServer, hangs_up, serving, silent
from tests.targets.s3_store import (
    CREDENTIALS,
    DRAFT,
    DRAFT_KEY,
    MARKER,
    OTHER,
    SECRET_KEY,
    draft,
    look,
    said,
    xml_error,
)

BODY = b'{"body": "<p>x</p>", "title": "Kessel"}'
ETAG = hashlib.md5(BODY, usedforsecurity=False).hexdigest()
WRONG = "0" * 32
ELSEWHERE = xml_error("PermanentRedirect", 301, **{"x-amz-bucket-region": "eu-west-1"})
HTML = said("<!doctype html><title>502</title>", 502, headers={"Content-Type": "text/html"})


def stored(etag: str = ETAG, *, status: int = 200, body: str = "", **headers: str) -> bytes:
    given = {"ETag": f'"{etag}"', **{name.replace("_", "-"): value for name, value in headers.items()}}
    return said(body, status, headers=given)


@contextlib.contextmanager
def store(*answers: Any, **declaration: Any) -> Iterator[tuple[S3Connector, ScriptedServer]]:
    with serving(*answers) as server:
        connection = Connection(
            server.url, {"bucket": "content", **declaration}, CREDENTIALS, allow_inside=True
        )
        connector = connect(connection)
        try:
            yield connector, server
        finally:
            connector.close()


def create(answer: Any) -> Answer:
    with store(answer) as (connector, server):
        made = connector.perform(draft())
        assert len(server.requests) == 1
    return made


@pytest.mark.parametrize(
    ("_case", "answer", "outcome", "code"),
    [
        ("stored", stored(), Outcome.DONE, "http-200"),
        ("encrypted", stored(WRONG, x_amz_server_side_encryption="aws:kms"), Outcome.DONE, "http-200"),
        ("another's bytes", stored(WRONG), Outcome.UNKNOWN, "etag-mismatch"),
        ("another's bytes", stored(x_amz_checksum_sha256="AAAA"), Outcome.UNKNOWN, "checksum-mismatch"),
        ("no ETag", said(), Outcome.UNKNOWN, "no-etag"),
        ("a page", stored(body="<html>welcome</html>"), Outcome.UNKNOWN, "unexpected-body"),
        ("201", stored(status=201), Outcome.UNKNOWN, "http-201"),
        ("there", xml_error("PreconditionFailed", 412), Outcome.EXISTS, "already-exists"),
        ("412 of a proxy", said("", 412), Outcome.UNKNOWN, "http-412"),
        ("in flight", xml_error("ConditionalRequestConflict", 409), Outcome.UNKNOWN, "conflict-in-flight"),
        ("in flight", xml_error("OperationAborted", 409), Outcome.UNKNOWN, "conflict-in-flight"),
        ("secret", xml_error("SignatureDoesNotMatch", 403), Outcome.REFUSED, "wrong-secret"),
        ("clock", xml_error("RequestTimeTooSkewed", 403), Outcome.REFUSED, "clock-skewed"),
        ("rights", xml_error("AccessDenied", 403), Outcome.REFUSED, "forbidden"),
        ("bucket", xml_error("NoSuchBucket", 404), Outcome.REFUSED, "no-bucket"),
        ("region", xml_error("AuthorizationHeaderMalformed", 400), Outcome.REFUSED, "wrong-region"),
        ("region", ELSEWHERE, Outcome.UNKNOWN, "wrong-region"),
        ("slow body", xml_error("RequestTimeout", 400), Outcome.NOT_DONE, "body-too-slow"),
        ("too many", xml_error("SlowDown", 503), Outcome.UNKNOWN, "slow-down"),
        ("error", xml_error("InternalError", 500), Outcome.UNKNOWN, "http-500"),
        ("proxy", HTML, Outcome.UNKNOWN, "http-502"),
        ("403 of a proxy", said("<html>no</html>", 403), Outcome.UNKNOWN, "http-403"),
        ("closed", hangs_up(), Outcome.UNKNOWN, "closed"),
        ("cut headers", hangs_up(b'HTTP/1.1 200 OK\r\nETag: "x"\r\n'), Outcome.UNKNOWN, "closed"),
    ],
)
def test_what_an_answer_proves(_case: str, answer: Any, outcome: Outcome, code: str) -> None:
    made = create(answer)
    assert (made.outcome, made.code) == (outcome, code)
    assert (made.result_id == DRAFT_KEY) == (outcome == Outcome.DONE)
    assert SECRET_KEY not in repr(made)
    assert ("eu-west-1" in made.detail) == (answer == ELSEWHERE)


def test_not_sent_and_unknown_are_told_apart() -> None:
    nobody = connect(Connection("http://127.0.0.1:1", {"bucket": "content"}, CREDENTIALS, allow_inside=True))
    assert (nobody.perform(draft()).outcome, look(nobody).code) == (Outcome.NOT_SENT, "connect-refused")
    with store(silent()) as (connector, _):
        begun = time.monotonic()
        request = draft()
        late = connector.perform(type(request)(DRAFT, MARKER, "", "", request.payload, 0.3))
        assert time.monotonic() - begun < 1
    assert (late.outcome, late.code) == (Outcome.UNKNOWN, "deadline")
    inside = connect(Connection("http://127.0.0.1:1", {"bucket": "content"}, CREDENTIALS))
    assert inside.perform(draft()).code == "address-refused"


def test_what_is_sent() -> None:
    with store(stored(), headers={"x-amz-storage-class": "STANDARD_IA"}) as (connector, server):
        connector.perform(draft())
        (sent,) = server.requests
    assert (sent.method, sent.target, sent.body) == ("PUT", f"/content/{DRAFT_KEY}", BODY)
    assert sent.headers["if-none-match"] == "*"
    assert sent.headers["x-amz-content-sha256"] == hashlib.sha256(BODY).hexdigest()
    assert sent.headers["x-amz-storage-class"] == "STANDARD_IA"
    assert not [name for name in sent.headers if "acl" in name or "grant" in name]
    signed = sent.headers["authorization"].partition("SignedHeaders=")[2].partition(",")[0].split(";")
    assert {"host", "if-none-match", "x-amz-content-sha256", "x-amz-meta-once-marker"} <= set(signed)


def test_a_session_token_goes_along_and_is_not_shown() -> None:
    token = "very-secret-token"
    with serving(xml_error("AccessDenied", 403, x=token)) as server:
        credentials = {**CREDENTIALS, "session_token": token}
        connector = connect(Connection(server.url, {"bucket": "content"}, credentials, allow_inside=True))
        answer = connector.perform(draft())
        connector.close()
        assert server.requests[0].headers["x-amz-security-token"] == token
    assert token not in repr(answer) + repr(connector.__dict__)


def test_another_name_is_signed_behind_a_proxy() -> None:
    """The signature is of the store's own name; of everything else it is the same."""
    assert behind_proxy({"bucket": "b"}, "https://s3.example")["signed_host"] == "s3.example"
    assert behind_proxy({"signed_host": "x"}, "https://s3.example")["signed_host"] == "x"
    signatures = set()
    for host in ("one.example", "two.example"):
        with store(stored(), signed_host=host) as (connector, server):
            connector.perform(draft())
            (sent,) = server.requests
        assert sent.headers["host"] == f"127.0.0.1:{server.port}"
        signatures.add(sent.headers["authorization"].partition("Signature=")[2])
    assert len(signatures) == 2


def test_a_bucket_that_is_part_of_the_address() -> None:
    with store(stored(), style="virtual") as (connector, server):
        answer = connector.perform(draft())
        assert server.requests[0].target == f"/{DRAFT_KEY}"
    assert answer.url.endswith(f"/{DRAFT_KEY}")


def listed(*keys: str, prefix: str = f"drafts/{MARKER}", name: str = "content", more: str = "") -> bytes:
    items = "".join(f"<Contents><Key>{key}</Key><ETag>&quot;e&quot;</ETag></Contents>" for key in keys)
    ends = more or "<IsTruncated>false</IsTruncated>"
    xml = f"<ListBucketResult><Name>{name}</Name><Prefix>{prefix}</Prefix>{ends}{items}</ListBucketResult>"
    return said(xml, headers={"Content-Type": "application/xml"})


def seen_in(*answers: Any, **more: Any) -> Look:
    with store(*answers, versions=False) as (connector, _):
        return look(connector, **more)


ON = "<IsTruncated>true</IsTruncated><NextContinuationToken>n</NextContinuationToken>"


@pytest.mark.parametrize(
    ("code", "answers"),
    [
        ("no-bucket", [xml_error("NoSuchBucket", 404)]),
        ("not-found", [xml_error("NoSuchKey", 404)]),
        ("http-404", [said("", 404)]),
        ("wrong-secret", [xml_error("SignatureDoesNotMatch", 403)]),
        ("unknown-access-key", [xml_error("InvalidAccessKeyId", 403)]),
        ("clock-skewed", [xml_error("RequestTimeTooSkewed", 403)]),
        ("wrong-region", [xml_error("PermanentRedirect", 301)]),
        ("not-implemented", [xml_error("NotImplemented", 501)]),
        ("slow-down", [xml_error("SlowDown", 503)]),
        ("http-502", [HTML]),
        ("html", [said("<html>", headers={"Content-Type": "text/html"})]),
        ("html", [said("<!DOCTYPE x [<!ENTITY a 'b'>]><ListBucketResult/>")]),
        ("empty-body", [said()]),
        ("unreadable-xml", [said("<ListBucketResult>")]),
        ("unreadable-page", [listed(name="another")]),
        ("unreadable-page", [listed(prefix="")]),
        ("unreadable-page", [listed(more="<IsTruncated/>")]),
        ("unreadable-page", [listed(more="<IsTruncated>true</IsTruncated>")]),
        ("unreadable-item", [listed("")]),
        ("paging-loops", [listed(more=ON), listed(more=ON)]),
        ("changing", [listed(DRAFT_KEY), said("", 404)]),
        ("http-500", [listed(DRAFT_KEY), said("", 500)]),
        ("forbidden", [xml_error("AccessDenied", 403), said("", 403)]),
        ("forbidden", [xml_error("AccessDenied", 403), said("", 404)]),
        ("closed", [hangs_up()]),
    ],
)
def test_what_proves_nothing(code: str, answers: list[Any]) -> None:
    seen = seen_in(*answers)
    assert (seen.verdict, seen.complete, seen.code) == (Verdict.CANNOT_TELL, False, code)


def test_absent_and_found() -> None:
    assert (seen_in(listed()).verdict, seen_in(listed()).complete) == (Verdict.ABSENT, True)
    head = said(headers={"x-amz-meta-once-marker": MARKER, "ETag": '"e"'})
    for answers in ([listed(DRAFT_KEY), head], [listed(DRAFT_KEY), said("", 403)], [listed(more=ON), listed(DRAFT_KEY), head]):  # fmt: skip
        seen = seen_in(*answers)
        assert (seen.verdict, seen.complete, seen.objects[0].result_id) == (Verdict.FOUND, True, DRAFT_KEY)


def test_who_may_not_list_sees_what_is_there_and_never_what_is_not() -> None:
    denied = xml_error("AccessDenied", 403)
    seen = seen_in(denied, said(headers={"x-amz-meta-once-marker": MARKER, "ETag": '"e"'}))
    assert (seen.verdict, seen.complete, seen.code) == (Verdict.FOUND, False, "forbidden")
    foreign = seen_in(denied, said(headers={"x-amz-meta-once-marker": OTHER}))
    assert (foreign.verdict, foreign.objects) == (Verdict.CANNOT_TELL, ())


@pytest.mark.parametrize(
    ("declaration", "pointer"),
    [
        ({}, "/"),
        ({"bucket": "../x"}, "/bucket"),
        ({"bucket": "b1x", "acl": "public-read"}, "/"),
        ({"bucket": "b1x", "headers": {"x-amz-acl": "public-read"}}, "/headers"),
        ({"bucket": "b1x", "headers": {"cache-control": "a\r\nx-amz-acl: public-read"}}, "/headers/cache-control"),
        ({"bucket": "b1x", "keys": {"create_draft": "{marker}.json"}}, "/keys/create_draft"),
        ({"bucket": "b1x", "keys": {"create_draft": "drafts/fixed.json"}}, "/keys/create_draft"),
        ({"bucket": "b1x", "keys": {"create_draft": "a/../{marker}"}}, "/keys/create_draft"),
        ({"bucket": "b1x", "keys": {"create_draft": "a/{name}/{marker}"}}, "/keys/create_draft"),
        ({"bucket": "b1x", "keys": {"upload_file": "drafts/files/{marker}"}}, "/keys"),
        ({"bucket": "b1x", "multipart": {"above": 1}}, "/multipart/above"),
    ],
    ids=str,
)  # fmt: skip
def test_a_declaration_that_does_not_fit(declaration: dict[str, Any], pointer: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        connect(Connection("http://s3.example", declaration, CREDENTIALS))
    assert pointer in [problem.pointer for problem in caught.value.problems]


def test_keys_are_needed() -> None:
    with pytest.raises(InvalidInputError) as caught:
        connect(Connection("http://s3.example", {"bucket": "b1x"}))
    pointers = [problem.pointer for problem in caught.value.problems]
    assert pointers == ["/credentials/access_key", "/credentials/secret_key"]
