"""What an answer has named and the inventory leaves out: gone, or only hidden from the target's account."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest

from once_delivery.targets.base import Connector, FoundObject, Kind, Look, Verdict
from once_delivery.targets.models import Target
from once_delivery.vendor_drill import counting
from once_delivery.vendor_drill.errors import NotListedError
from once_delivery.vendor_drill.models import Moment, VendorDrill
from tests.vendor_drill.given import Vendor

Made = Callable[..., Vendor]


class Listing:
    """A target that lists object 1, and says of all others what it is told."""

    def __init__(self, verdict: Verdict, code: str = "") -> None:
        self.look = Look(verdict, "id", complete=not code, code=code)
        self.read_ids: list[str] = []

    def inventory(self, *, kind: Kind, deadline_s: float) -> Iterator[FoundObject]:
        yield FoundObject("1", None, title="Kettle")

    def read(self, *, kind: Kind, result_id: str, deadline_s: float) -> Look:
        self.read_ids.append(result_id)
        return self.look


def counted(drill: VendorDrill, listing: Listing, made: Sequence[Sequence[str]]) -> list[str]:
    @contextmanager
    def connected(target: Target) -> Iterator[Connector]:
        yield listing  # type: ignore[misc]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "connected", connected)
        rows = counting.count(drill, Moment.AFTER, known=frozenset({"1"}), made=made)
    return [row.result_id for row in rows]


@pytest.mark.parametrize(
    ("verdict", "code"),
    [(Verdict.FOUND, ""), (Verdict.CANNOT_TELL, "forbidden"), (Verdict.CANNOT_TELL, "total-mismatch")],
)
def test_what_is_hidden_is_not_taken_for_gone(vendor: Made, verdict: Verdict, code: str) -> None:
    listing = Listing(verdict, code)
    with pytest.raises(NotListedError) as refused:
        counted(vendor().drill, listing, [("1",), ("7", "uuid-7")])
    assert refused.value.params == {"name": "7"}


@pytest.mark.parametrize(
    ("verdict", "code", "asked"),
    [
        (Verdict.ABSENT, "", ["7"]),
        (Verdict.CANNOT_TELL, "bad-id", ["7", "uuid-7"]),  # a name that the target does not take
        (Verdict.CANNOT_TELL, "kind-not-declared", ["7", "uuid-7"]),  # it cannot be asked by ID
    ],
)
def test_what_is_gone_is_counted_as_gone(vendor: Made, verdict: Verdict, code: str, asked: list[str]) -> None:
    listing = Listing(verdict, code)
    assert counted(vendor().drill, listing, [("1",), ("7", "uuid-7")]) == ["1"]
    assert listing.read_ids == asked
