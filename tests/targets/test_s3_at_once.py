"""Eight at once with one key, on moto: what its conditional write is worth. Its proof is on the real store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from once_delivery.targets.base import Answer, Outcome, Verdict
from tests.targets.s3_store import Bucket, draft, look, running_moto

AT_ONCE, ROUNDS = 8, 5


@pytest.fixture(scope="module")
def moto() -> Iterator[str]:
    with running_moto() as url:
        yield url


@pytest.mark.parametrize("versioned", [True, False])
def test_one_object_and_seven_that_are_told(moto: str, *, versioned: bool) -> None:
    for _round in range(ROUNDS):
        bucket = Bucket(moto, versioned=versioned)
        barrier = Barrier(AT_ONCE)

        def create(_: int, bucket: Bucket = bucket, barrier: Barrier = barrier) -> Answer:
            barrier.wait()
            return bucket.connector.perform(draft())

        with ThreadPoolExecutor(AT_ONCE) as pool:
            outcomes = Counter(answer.outcome for answer in pool.map(create, range(AT_ONCE)))
        assert outcomes == {Outcome.DONE: 1, Outcome.EXISTS: AT_ONCE - 1}
        versions = bucket.client.list_object_versions(Bucket=bucket.name)["Versions"]
        assert (len(versions), look(bucket.connector).verdict) == (1, Verdict.FOUND)
        bucket.connector.close()
