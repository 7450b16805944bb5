"""The S3 connector on moto: what is stored, found, changed and listed. Rights and races: tests/real."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from once_delivery.targets import updating
from once_delivery.targets.base import (
    Answer,
    EffectRequest,
    LookUpRequest,
    Original,
    Outcome,
    Verdict,
)
from tests.targets.s3_store import (
    DRAFT,
    DRAFT_KEY,
    MARKER,
    OTHER,
    UPDATE,
    Bucket,
    draft,
    look,
    running_moto,
    update,
    upload,
)


@pytest.fixture(scope="module")
def moto() -> Iterator[str]:
    with running_moto() as url:
        yield url


@pytest.fixture
def bucket(moto: str) -> Iterator[Bucket]:
    made = Bucket(moto)
    yield made
    made.connector.close()


def test_a_draft_is_stored_with_its_marker_and_nothing_undeclared(bucket: Bucket) -> None:
    answer = bucket.connector.perform(draft(locale="de-DE", status="published", acl="public-read"))
    assert (answer.outcome, answer.result_id, answer.marker) == (Outcome.DONE, DRAFT_KEY, MARKER)
    stored = bucket.client.get_object(Bucket=bucket.name, Key=DRAFT_KEY)
    assert json.loads(stored["Body"].read()) == {"title": "Kessel", "body": "<p>x</p>", "locale": "de-DE"}
    assert stored["ContentType"] == "application/json"
    assert stored["Metadata"]["once-marker"] == MARKER
    assert len(stored["Metadata"]["once-sha256"]) == 64
    assert answer.version == stored["ETag"].strip('"')


def test_a_draft_as_a_page(moto: str) -> None:
    bucket = Bucket(moto, draft="html")
    answer = bucket.connector.perform(draft(title="1 < 2 & 标题", body="<p>a</p>\n<p>b</p>", locale='"de'))
    assert answer.result_id == f"drafts/{MARKER}.html"
    page = bucket.data(answer.result_id).decode()
    assert "<title>1 &lt; 2 &amp; 标题</title>" in page
    assert '<html lang="&quot;de">' in page
    (found,) = bucket.connector.read(kind=DRAFT, result_id=answer.result_id, deadline_s=5).objects
    assert found.content == {"title": "1 < 2 & 标题", "body": "<p>a</p>\n<p>b</p>"}


def test_a_file_keeps_a_readable_name(bucket: Bucket) -> None:
    answer = bucket.connector.perform(upload(name="../Kessel rot+größer 50%.PNG"))
    assert answer.result_id == f"files/{MARKER}/Kessel-rot-größer-50.PNG"
    stored = bucket.client.get_object(Bucket=bucket.name, Key=answer.result_id)
    assert (stored["Body"].read(), stored["ContentType"]) == (b"picture", "image/png")
    assert stored["ContentDisposition"].endswith("gr%C3%B6%C3%9Fer%2050%25.PNG")


def test_an_empty_file_and_one_of_a_kind_with_a_charset(bucket: Bucket) -> None:
    request = upload(name="leer.txt", data=b"")
    request = replace(
        request, files={"s": replace(request.files["s"], media_type="text/plain; charset=utf-8")}
    )
    answer = bucket.connector.perform(request)
    assert (answer.outcome, bucket.data(answer.result_id)) == (Outcome.DONE, b"")
    head = bucket.client.head_object(Bucket=bucket.name, Key=answer.result_id)
    assert head["ContentType"] == "text/plain; charset=utf-8"


def test_a_key_that_is_too_long(moto: str) -> None:
    folder = "a" * 125
    bucket = Bucket(moto, keys={"upload_file": folder + "/{marker}/{sha256}/{name}"})
    answer = bucket.connector.perform(upload(name="n" * 200))
    assert (answer.outcome, answer.code, bucket.keys()) == (Outcome.REFUSED, "key-too-long", [])


@pytest.mark.parametrize("request_", [draft(), upload()], ids=["draft", "file"])
def test_a_second_create_is_told_and_changes_nothing(bucket: Bucket, request_: EffectRequest) -> None:
    first = bucket.connector.perform(request_)
    second = bucket.connector.perform(request_)
    assert (first.outcome, second.outcome, second.code) == (Outcome.DONE, Outcome.EXISTS, "already-exists")
    assert bucket.keys() == [first.result_id]


def test_without_conditions_other_content_gets_another_key(moto: str) -> None:
    bucket = Bucket(moto, conditional=False, keys={"create_draft": "drafts/{marker}/{sha256}.json"})
    one = bucket.connector.perform(draft())
    two = bucket.connector.perform(draft(title="Other"))
    same = bucket.connector.perform(draft())
    assert [one.outcome, two.outcome, same.outcome] == [Outcome.DONE] * 3
    assert (one.result_id == same.result_id, len(bucket.keys())) == (True, 2)
    assert look(bucket.connector).verdict == Verdict.FOUND_MANY


def test_found_absent_and_somebody_elses(bucket: Bucket) -> None:
    assert look(bucket.connector).verdict == Verdict.ABSENT
    bucket.put(f"drafts/{MARKER}/", b"")  # a console's empty folder
    assert look(bucket.connector).verdict == Verdict.ABSENT
    bucket.put(f"drafts/{MARKER}-notes.txt")
    seen = look(bucket.connector)
    assert (seen.verdict, len(seen.candidates)) == (Verdict.ABSENT, 1)
    bucket.connector.perform(draft())
    seen = look(bucket.connector)
    assert (seen.verdict, seen.complete, [one.result_id for one in seen.objects]) == (
        Verdict.FOUND,
        True,
        [DRAFT_KEY],
    )


def test_an_object_that_speaks_against_its_key_is_for_a_person(bucket: Bucket) -> None:
    bucket.put(DRAFT_KEY, Metadata={"once-marker": OTHER})
    seen = look(bucket.connector)
    assert (seen.verdict, seen.code, seen.objects) == (Verdict.CANNOT_TELL, "marker-mismatch", ())
    assert [one.result_id for one in seen.candidates] == [DRAFT_KEY]


def test_what_was_deleted_in_a_bucket_with_versions_is_in_its_trash(moto: str) -> None:
    bucket = Bucket(moto, versioned=True)
    bucket.connector.perform(draft())
    bucket.client.delete_object(Bucket=bucket.name, Key=DRAFT_KEY)
    (found,) = look(bucket.connector).objects
    (read,) = bucket.connector.read(kind=DRAFT, result_id=DRAFT_KEY, deadline_s=5).objects
    (listed,) = bucket.connector.inventory(kind=DRAFT, deadline_s=5)
    assert [found.trashed, read.trashed, listed.trashed] == [True, True, True]
    plain = bucket.connected(versions=False)
    assert "bucket-has-versions" in [line.code for line in plain.check()]


@pytest.mark.parametrize("versioned", [True, False])
def test_removed_for_good(moto: str, *, versioned: bool) -> None:
    """Of a key with versions, the one below would come to light."""
    bucket = Bucket(moto, versioned=versioned, conditional=False)
    for title in ("one", "two", "three"):
        bucket.connector.perform(draft(title=title))
    bucket.put(f"{DRAFT_KEY}.bak")
    answer = bucket.connector.remove(kind=DRAFT, result_id=DRAFT_KEY, deadline_s=5)
    assert (answer.outcome, look(bucket.connector).verdict) == (Outcome.DONE, Verdict.ABSENT)
    again = bucket.connector.remove(kind=DRAFT, result_id=DRAFT_KEY, deadline_s=5)
    assert (again.outcome, again.code) == (Outcome.REFUSED, "not-found")
    assert bucket.keys() == [f"{DRAFT_KEY}.bak"]


def updated(bucket: Bucket, original: Original, **payload: Any) -> Answer:
    return bucket.connector.perform(update(original, **payload))


def test_an_update_is_for_one_state(bucket: Bucket) -> None:
    made = bucket.connector.perform(draft())
    original = Original(made.result_id, MARKER, made.version)
    done = updated(bucket, original)
    assert (done.outcome, done.result_id, done.marker) == (Outcome.DONE, DRAFT_KEY, MARKER)
    again = updated(bucket, original, title="Kessel 3")
    assert (again.outcome, again.code) == (Outcome.EXISTS, "changed-meanwhile")
    (found,) = look(bucket.connector).objects
    assert (found.version, bucket.data(DRAFT_KEY)) == (
        done.version,
        b'{"body": "<p>y</p>", "title": "Kessel 2"}',
    )
    content = update(original).payload
    asked = bucket.connector.look_up(LookUpRequest(UPDATE, OTHER, "", 5, payload=content, original=original))
    assert asked.verdict == Verdict.FOUND


@pytest.mark.parametrize(
    ("original", "code"),
    [
        (Original(DRAFT_KEY, OTHER, "v"), updating.FOREIGN),
        (Original("drafts/somebodys.json", MARKER, "v"), updating.FOREIGN),
        (Original(DRAFT_KEY, MARKER, ""), "version-unknown"),
        (Original(DRAFT_KEY, MARKER, "0" * 32), "original-gone"),
    ],
)
def test_an_update_of_what_is_not_ours_or_not_there(bucket: Bucket, original: Original, code: str) -> None:
    answer = updated(bucket, original)
    assert (answer.outcome, answer.code) == (Outcome.REFUSED, code)
    assert bucket.keys() == []


def test_the_connection_test(bucket: Bucket) -> None:
    """moto answers strangers too, and says so."""
    bad = [(line.name, line.code) for line in bucket.connector.check() if not line.ok]
    assert bad == [("not-public", "bucket-is-public")]
