"""Files in parts: nothing is there before the last request, and what an earlier attempt left is cleared away."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from once_delivery.targets.base import Answer, Connection, Outcome, Verdict
from once_delivery.targets.s3.connector import connect
from tests.fakes.scripted_server import Received, hangs_up, serving
from tests.targets.s3_store import (
    CREDENTIALS,
    FILE,
    MARKER,
    Bucket,
    look,
    running_moto,
    said,
    upload,
    xml_error,
)

LEAST = 5 * 1024 * 1024  # of a part, and of what may be declared
DATA = b"x" * (LEAST + 10)
KEY = f"files/{MARKER}/kettle.png"
PARTS = {"above": LEAST, "part_size": LEAST}


@pytest.fixture
def bucket() -> Iterator[Bucket]:
    with running_moto() as url:
        made = Bucket(url, multipart=PARTS)
        yield made
        made.connector.close()


def unfinished(bucket: Bucket) -> list[str]:
    found = bucket.client.list_multipart_uploads(Bucket=bucket.name).get("Uploads", [])
    return [one["Key"] for one in found]


def test_a_large_file_goes_up_in_parts(bucket: Bucket) -> None:
    answer = bucket.connector.perform(upload(data=DATA))
    assert (answer.outcome, answer.result_id, answer.marker) == (Outcome.DONE, KEY, MARKER)
    stored = bucket.client.get_object(Bucket=bucket.name, Key=KEY)
    assert stored["Body"].read() == DATA
    assert stored["ETag"].endswith('-2"')
    assert (stored["Metadata"]["once-marker"], stored["ContentType"]) == (MARKER, "image/png")
    assert look(bucket.connector, FILE).verdict == Verdict.FOUND


def test_a_second_one_is_told_and_leaves_no_parts(bucket: Bucket) -> None:
    first = bucket.connector.perform(upload(data=DATA))
    second = bucket.connector.perform(upload(data=b"y" * len(DATA)))
    assert (second.outcome, second.code) == (Outcome.EXISTS, "already-exists")
    assert bucket.client.head_object(Bucket=bucket.name, Key=KEY)["ETag"].strip('"') == first.version
    assert unfinished(bucket) == []


def test_what_an_earlier_attempt_left_is_cleared_away(bucket: Bucket) -> None:
    bucket.client.create_multipart_upload(Bucket=bucket.name, Key=KEY)
    bucket.client.create_multipart_upload(Bucket=bucket.name, Key="files/somebodys.png")
    assert bucket.connector.perform(upload(data=DATA)).outcome == Outcome.DONE
    assert unfinished(bucket) == ["files/somebodys.png"]


def test_a_small_file_goes_up_at_once(bucket: Bucket) -> None:
    answer = bucket.connector.perform(upload(data=DATA[:LEAST]))
    assert answer.outcome == Outcome.DONE
    assert "-" not in answer.version


NONE = said("<ListMultipartUploadsResult/>")
BEGUN = said("<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>")
PART = said(headers={"ETag": '"p"'})
COMPLETED = "<CompleteMultipartUploadResult><Key>{}</Key><ETag>{}</ETag></CompleteMultipartUploadResult>"
FINE = said(COMPLETED.format(KEY, f"{'0' * 32}-2"))
GONE = said("", 204)


def through(*answers: Any) -> tuple[Answer, list[str]]:
    """The answer, and what was asked of the store."""
    with serving(*answers) as server:
        connector = connect(
            Connection(server.url, {"bucket": "content", "multipart": PARTS}, CREDENTIALS, allow_inside=True)
        )
        answer = connector.perform(upload(data=DATA))
        connector.close()
        asked = [f"{one.method} {one.target.partition('?')[2].partition('=')[0]}" for one in server.requests]
    return answer, asked


@pytest.mark.parametrize(
    ("_case", "answers", "outcome", "code"),
    [
        ("may not list uploads", [xml_error("AccessDenied", 403), BEGUN, PART, PART, FINE], Outcome.DONE, "http-200"),
        ("lost before the parts", [NONE, hangs_up(), GONE], Outcome.NOT_DONE, "parts-closed"),
        ("no upload", [NONE, said("<x/>")], Outcome.NOT_DONE, "parts-no-upload-id"),
        ("a part is lost", [NONE, BEGUN, PART, hangs_up(), GONE], Outcome.NOT_DONE, "parts-closed"),
        ("a part without ETag", [NONE, BEGUN, said(), GONE], Outcome.NOT_DONE, "parts-no-etag"),
        ("busy", [NONE, BEGUN, xml_error("SlowDown", 503), GONE], Outcome.NOT_DONE, "parts-slow-down"),
        ("no rights", [NONE, xml_error("AccessDenied", 403)], Outcome.REFUSED, "forbidden"),
        ("lost at the end", [NONE, BEGUN, PART, PART, hangs_up()], Outcome.UNKNOWN, "closed"),
        ("error after 200", [NONE, BEGUN, PART, PART, said("<Error><Code>InternalError</Code></Error>")], Outcome.UNKNOWN, "http-200"),
        ("there, after 200", [NONE, BEGUN, PART, PART, said("<Error><Code>PreconditionFailed</Code></Error>"), GONE], Outcome.EXISTS, "already-exists"),
        ("in flight", [NONE, BEGUN, PART, PART, xml_error("ConditionalRequestConflict", 409)], Outcome.UNKNOWN, "conflict-in-flight"),
        ("gone", [NONE, BEGUN, PART, PART, xml_error("NoSuchUpload", 404)], Outcome.UNKNOWN, "http-404"),
        ("a page", [NONE, BEGUN, PART, PART, said("<html>")], Outcome.UNKNOWN, "unreadable-xml"),
        ("Ceph 16", [NONE, BEGUN, PART, PART, said(COMPLETED.format(KEY, ""))], Outcome.DONE, "http-200"),
        ("another's", [NONE, BEGUN, PART, PART, said(COMPLETED.format("x", ""))], Outcome.UNKNOWN, "no-key"),
    ],
)  # fmt: skip
def test_what_the_answers_prove(_case: str, answers: list[Any], outcome: Outcome, code: str) -> None:
    answer, asked = through(*answers)
    assert (answer.outcome, answer.code) == (outcome, code), (answer, asked)
    completions = asked.count("POST uploadId")
    assert completions == (0 if code.startswith("parts-") or code == "forbidden" else 1)
    begun = BEGUN in answers
    cleared = "DELETE uploadId" in asked
    assert cleared == (begun and outcome in {Outcome.NOT_DONE, Outcome.EXISTS})


def test_all_parts_end_within_one_deadline() -> None:
    def slow(answer: bytes) -> Any:
        def say(connection: socket.socket, _: Received) -> None:
            time.sleep(0.3)
            connection.sendall(answer)

        return say

    with serving(NONE, slow(BEGUN), slow(PART), slow(PART), slow(FINE)) as server:
        connector = connect(
            Connection(server.url, {"bucket": "content", "multipart": PARTS}, CREDENTIALS, allow_inside=True)
        )
        begun = time.monotonic()
        answer = connector.perform(replace(upload(data=DATA), deadline_s=0.7))
        connector.close()
        assert time.monotonic() - begun < 1.2
    assert (answer.outcome, answer.code) == (Outcome.NOT_DONE, "parts-deadline")
