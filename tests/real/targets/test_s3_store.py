"""What else Ceph's gateway 16 was seen to do: names, rights, wrong settings, parts and versions."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import botocore.auth
import pytest

from once_delivery.common.http import HttpClient, HttpRequest
from once_delivery.targets.base import (
    Connection,
    EffectRequest,
    FileBytes,
    Kind,
    LookUpRequest,
    Original,
    Outcome,
    Verdict,
)
from once_delivery.targets.s3.connector import S3Connector, connect
from tests.real.systems.ceph import CephServer
from tests.real.targets.asking import Asker, a_marker, at_once
from tests.real.targets.s3_system import S3System, make_bucket

pytestmark = pytest.mark.real
DRAFT, FILE, UPDATE = Kind.CREATE_DRAFT, Kind.UPLOAD_FILE, Kind.UPDATE_DRAFT
HARD_KEYS = (
    "a b", "a+b", "ü/中文 标题", "..", "a/../b", "50%", "a&b<c>", "\x01", "tail ", "?x=1#y", "~'(*)!", "e\u0301", "é",
)  # fmt: skip
PART = 5 * 1024 * 1024


@pytest.fixture(scope="module")
def bucket(ceph: CephServer) -> str:
    return make_bucket(ceph, versioned=False)


@pytest.fixture
def system(ceph: CephServer, bucket: str) -> S3System:
    return S3System(ceph, bucket)


@pytest.fixture
def connected(ceph: CephServer, system: S3System) -> Iterator[Any]:
    """Connectors with another declaration or account."""
    made = []

    def make(*, user: str = "delivery", secret: str = "", **changes: Any) -> S3Connector:
        credentials = {"access_key": user, "secret_key": secret or ceph.secrets.get(user, "nobody's")}
        declaration = {**system.declaration, **changes}
        made.append(connect(Connection(ceph.base_url, declaration, credentials, allow_inside=True)))
        return made[-1]

    yield make
    for one in made:
        one.close()


def draft(marker: str, title: str = "Kessel") -> EffectRequest:
    return EffectRequest(DRAFT, marker, "", "", {"title": title, "body": ""}, 20)


def upload(marker: str, data: bytes) -> EffectRequest:
    file = FileBytes("film.mp4", "video/mp4", "s", data)
    return EffectRequest(FILE, marker, "", "", {"file": {"sha256": "s"}}, 60, {"s": file})


@pytest.mark.parametrize("versions", [True, False])
def test_the_strangest_keys(ceph: CephServer, connected: Any, *, versions: bool) -> None:
    name = make_bucket(ceph, versioned=versions)
    owner = ceph.client("owner")
    for key in HARD_KEYS:
        owner.put_object(Bucket=name, Key=f"files/{key}", Body=b"x")
    connector = connected(bucket=name, versions=versions)
    found = list(connector.inventory(kind=FILE, deadline_s=20))
    assert {one.place for one in found} == {f"files/{key}" for key in HARD_KEYS}
    assert len({one.result_id for one in found}) == len(HARD_KEYS)
    for one in found:
        seen = connector.read(kind=FILE, result_id=one.place, deadline_s=20)
        assert (seen.verdict, seen.objects[0].version) == (Verdict.FOUND, one.version), one.place
        assert connector.remove(kind=FILE, result_id=one.place, deadline_s=20).outcome == Outcome.DONE
    assert list(connector.inventory(kind=FILE, deadline_s=20)) == []


def test_an_inventory_asks_once_for_a_thousand_objects(
    ceph: CephServer, connected: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = make_bucket(ceph, versioned=False)
    owner = ceph.client("owner")
    with ThreadPoolExecutor(8) as pool:
        keys = [f"drafts/{number:05}.txt" for number in range(2100)]
        list(pool.map(lambda key: owner.put_object(Bucket=name, Key=key, Body=b"x"), keys))
    asked: list[str] = []

    def count(step: str, request: HttpRequest) -> None:
        if step == "connected":
            asked.append(request.method)

    monkeypatch.setattr(HttpClient, "step", staticmethod(count))
    connector = connected(bucket=name)
    found = list(connector.inventory(kind=DRAFT, deadline_s=60))
    assert ([one.result_id for one in found], asked) == (keys, ["GET"] * 3)
    behind = connector.inventory(kind=DRAFT, deadline_s=60, after=found[2000].place)
    assert [one.result_id for one in behind] == keys[2001:]


def test_large_bodies_at_once(asker: Asker) -> None:
    """Where a check before the write and the write are two things, large bodies show it."""
    for _round in range(3):
        marker = a_marker()
        answers = at_once(4, lambda number, marker=marker: asker.connector.perform(upload(marker, bytes([number]) * 6_000_000)))  # type: ignore[misc]  # fmt: skip
        assert Counter(one.outcome for one in answers) == {Outcome.DONE: 1, Outcome.EXISTS: 3}
        (won,) = [one for one in answers if one.outcome == Outcome.DONE]
        (found,) = asker.look(FILE, marker).objects
        assert found.version == won.version


def test_what_an_account_that_may_not_list_can_tell(connected: Any) -> None:
    writer, marker = connected(user="writer"), a_marker()
    assert writer.perform(draft(marker)).outcome == Outcome.DONE
    there = writer.look_up(LookUpRequest(DRAFT, marker, "", 20))
    gone = writer.look_up(LookUpRequest(DRAFT, a_marker(), "", 20))
    assert (there.verdict, there.complete, there.code) == (Verdict.FOUND, False, "forbidden")
    assert (gone.verdict, gone.code) == (Verdict.CANNOT_TELL, "forbidden")
    read = writer.read(kind=DRAFT, result_id=f"drafts/{a_marker()}.json", deadline_s=20)
    assert (read.verdict, read.code) == (Verdict.CANNOT_TELL, "forbidden")
    assert [line.code for line in writer.check()] == ["forbidden"]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"bucket": "no-such-bucket"}, "no-bucket"),
        ({"user": "nobody"}, "unknown-access-key"),
        ({"secret": "wrong"}, "wrong-secret"),
        ({"user": "outsider"}, "forbidden"),
        ({"signed_host": "elsewhere.example"}, "wrong-secret"),
    ],
    ids=str,
)
def test_what_is_set_up_wrongly_is_refused_and_never_absent(
    connected: Any, changes: dict[str, Any], code: str
) -> None:
    connector, marker = connected(**changes), a_marker()
    made = connector.perform(draft(marker))
    seen = connector.look_up(LookUpRequest(DRAFT, marker, "", 20))
    assert (made.outcome, made.code) == (Outcome.REFUSED, code), made
    assert (seen.verdict, seen.code) == (Verdict.CANNOT_TELL, code)
    assert [line.code for line in connector.check()] == [code]


def test_a_clock_that_is_wrong(connected: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    early = datetime.now(UTC).replace(tzinfo=None) - timedelta(hours=1)
    monkeypatch.setattr(botocore.auth, "get_current_datetime", lambda *_, **__: early)
    made = connected().perform(draft(a_marker()))
    assert (made.outcome, made.code) == (Outcome.REFUSED, "clock-skewed")


@pytest.mark.parametrize("how", ["acl", "object", "policy"])
def test_a_bucket_that_everybody_can_read_is_found_out(ceph: CephServer, connected: Any, how: str) -> None:
    name = make_bucket(ceph, versioned=False)
    owner = ceph.client("owner")
    assert [line for line in connected(bucket=name).check() if not line.ok] == []
    owner.delete_public_access_block(Bucket=name)
    if how == "acl":
        owner.put_bucket_acl(Bucket=name, ACL="public-read")
    elif how == "object":
        owner.put_object(Bucket=name, Key="drafts/x.json", Body=b"{}", ACL="public-read")
    else:
        policy = json.loads(owner.get_bucket_policy(Bucket=name)["Policy"])
        everybody = {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject"}
        policy["Statement"].append({**everybody, "Resource": f"arn:aws:s3:::{name}/*"})
        owner.put_bucket_policy(Bucket=name, Policy=json.dumps(policy))
        connected(bucket=name).perform(draft(a_marker()))
    bad = [line.code for line in connected(bucket=name).check() if not line.ok]
    assert bad == ["bucket-is-public"]


def test_parts_are_stored_but_the_condition_is_not_heard(
    ceph: CephServer, connected: Any, bucket: str
) -> None:
    """Ceph 16: a second completion replaces the first. So no parts are declared where the guard is ``client_id``."""
    connector = connected(multipart={"above": PART, "part_size": PART})
    marker = a_marker()
    first = connector.perform(upload(marker, b"x" * (PART + 1)))
    second = connector.perform(upload(marker, b"y" * (PART + 1)))
    assert [first.outcome, second.outcome] == [Outcome.DONE, Outcome.DONE], (first, second)
    (found,) = connector.look_up(LookUpRequest(FILE, marker, "", 20)).objects
    assert found.result_id == first.result_id
    read = ceph.client("owner").get_object(Bucket=bucket, Key=found.result_id)["Body"].read(1)
    assert read == b"y"
    uploads = ceph.client("owner").list_multipart_uploads(Bucket=bucket).get("Uploads", [])
    assert uploads == []


def test_conditions_are_not_heard_where_versions_are_kept(ceph: CephServer, connected: Any) -> None:
    """Ceph 16: the second write becomes the newest version, and If-Match never fits. So the guard there is ``lookup``."""
    connector = connected(bucket=make_bucket(ceph, versioned=True), versions=True)
    marker = a_marker()
    first, second = connector.perform(draft(marker)), connector.perform(draft(marker, "Other"))
    assert [first.outcome, second.outcome] == [Outcome.DONE, Outcome.DONE]
    original = Original(second.result_id, marker, second.version)
    update = dataclasses.replace(draft(a_marker()), kind=UPDATE, original=original)
    assert connector.perform(update).code == "changed-meanwhile"


def test_a_bucket_that_is_part_of_the_name(ceph: CephServer, bucket: str) -> None:
    """Virtual-host style, as AWS wants it: the name is signed, and so it must be the one that is called."""
    port = ceph.base_url.rpartition(":")[2]
    declaration = {"bucket": bucket, "style": "virtual", "versions": False, "etag_quotes": False}
    credentials = {"access_key": "delivery", "secret_key": ceph.secrets["delivery"]}
    connector = S3Connector(
        Connection(f"http://{bucket}.rgw.test:{port}", declaration, credentials, allow_inside=True),
        HttpClient(allow_inside=True, resolver=lambda *_: ["127.0.0.1"]),
    )
    marker = a_marker()
    made = connector.perform(draft(marker))
    seen = connector.look_up(LookUpRequest(DRAFT, marker, "", 20))
    assert (made.outcome, seen.verdict) == (Outcome.DONE, Verdict.FOUND)
    assert [line for line in connector.check() if not line.ok] == []
    connector.close()
