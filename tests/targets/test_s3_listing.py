"""Listings of a bucket in moto: page by page, from a place, and with the strangest keys of others."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from once_delivery.targets.base import InventoryError, Verdict
from once_delivery.targets.s3.listing import entries
from once_delivery.targets.s3.store import Reads
from tests.targets.s3_store import DRAFT, FILE, MARKER, OTHER, Bucket, draft, running_moto, upload

HARD_KEYS = [
    "a b",
    "a+b",
    "ü/中文 标题",
    "..",
    "a/../b",
    "50%",
    "tail ",
    "?x=1#y",
    "~'(*)!",
]


@pytest.fixture(scope="module")
def moto() -> Iterator[str]:
    with running_moto() as url:
        yield url


@pytest.fixture
def bucket(moto: str) -> Iterator[Bucket]:
    made = Bucket(moto)
    yield made
    made.connector.close()


def test_the_inventory_page_by_page_and_from_a_place(bucket: Bucket, moto: str) -> None:
    for number in range(25):
        bucket.put(f"drafts/{number:02}.txt")
    bucket.connector.perform(draft())
    bucket.connector.perform(upload(OTHER))
    for connector in (bucket.connector, bucket.connected(versions=False)):
        reads = Reads.within(10, connector._store)
        assert [one.key for one in entries(reads, "drafts/", page=4)] == bucket.keys()[:26]
        found = list(connector.inventory(kind=DRAFT, deadline_s=10))
        assert [one.marker for one in found] == [None] * 25 + [MARKER]
        behind = connector.inventory(kind=DRAFT, deadline_s=10, after=found[20].place)
        assert [one.result_id for one in behind] == [one.result_id for one in found[21:]]
        with pytest.raises(InventoryError) as caught:
            list(connector.inventory(kind=DRAFT, deadline_s=10, changed_since=datetime.now(UTC)))
        assert caught.value.code == "cannot-list-changes"
        assert [one.marker for one in connector.inventory(kind=FILE, deadline_s=10)] == [OTHER]


@pytest.mark.parametrize("versions", [True, False])
def test_the_strangest_keys_of_others_disturb_nothing(bucket: Bucket, *, versions: bool) -> None:
    for key in HARD_KEYS:
        bucket.put(f"drafts/{key}")
    connector = bucket.connected(versions=versions)
    found = list(connector.inventory(kind=DRAFT, deadline_s=10))
    assert {one.place for one in found} == {f"drafts/{key}" for key in HARD_KEYS}
    assert len({one.result_id for one in found}) == len(HARD_KEYS)
    for one in found:
        seen = connector.read(kind=FILE, result_id=one.place, deadline_s=5)
        assert (seen.verdict, seen.objects[0].version) == (Verdict.FOUND, one.version), one.place


@pytest.mark.parametrize("versions", [True, False])
def test_a_key_that_xml_cannot_say(bucket: Bucket, *, versions: bool) -> None:
    """moto escapes it, as asked, in plain listings alone; what cannot be read is no end of a list."""
    key = "drafts/\x01&<"
    bucket.put(key)
    found = bucket.connected(versions=versions).inventory(kind=DRAFT, deadline_s=10)
    if versions:
        with pytest.raises(InventoryError) as caught:
            list(found)
        assert caught.value.code == "unreadable-xml"
    else:
        assert [one.place for one in found] == [key]
