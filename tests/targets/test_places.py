"""Going on in a list by ascending number, when some of it has gone meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.places import numbered


class Numbers:
    """A list, and the offsets from which it was read."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = list(numbers)
        self.offsets: list[int] = []

    def read(self, offset: int) -> Iterator[Mapping[str, Any]]:
        self.offsets.append(offset)
        return iter([{"id": number} for number in self.numbers[offset:]])


def test_from_the_beginning() -> None:
    assert [place for place, _ in numbered(Numbers(3, 5, 9).read)] == ["1:3", "2:5", "3:9"]
    assert list(numbered(Numbers().read)) == []


@pytest.mark.parametrize(
    "gone", [(), (1,), (1, 2, 3), (3,), tuple(range(1, 61)), tuple(range(1, 101))], ids=str
)
def test_behind_a_place(gone: tuple[int, ...]) -> None:
    target = Numbers(*range(1, 101))
    places = {item["id"]: place for place, item in numbered(target.read)}
    target.numbers = [number for number in target.numbers if number not in gone] + [101]
    expected = [number for number in target.numbers if number > 60]
    assert [item["id"] for _, item in numbered(target.read, places[60])] == expected


def test_only_the_end_is_read_again() -> None:
    target = Numbers(*range(1, 1001))
    list(numbered(target.read, "990:990"))
    assert target.offsets == [989]


@pytest.mark.parametrize("place", ["x", "1", "1:", ":1", "-1:2", "1:2:3", "1: 2"])
def test_what_is_no_place(place: str) -> None:
    with pytest.raises(CutError) as cut:
        list(numbered(Numbers(1).read, place))
    assert cut.value.code == "bad-place"
