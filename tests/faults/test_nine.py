"""The nine faults: exactly one object each, the original ID, nothing stuck; and the harness catches who does worse."""

from __future__ import annotations

from once_delivery.targets.profile import Guard
from tests.faults import nine, plain
from tests.faults.extent import part
from tests.faults.house import House
from tests.faults.judging import Verdict
from tests.faults.nine import NINE, WITHOUT_ALARM

ITEMS = part(10, 3)


def problems(found: dict[str, Verdict]) -> dict[str, tuple[str, ...]]:
    return {key: one.problems for key, one in found.items() if not one.passed}


def test_each_ends_with_exactly_one_object_and_nothing_stuck(house: House) -> None:
    found = nine.play_all(house, items=ITEMS, at_once=len(NINE))

    assert problems(found) == {}
    assert {key: one.states for key, one in found.items()} == {
        fault.key: {"confirmed": ITEMS} for fault in NINE
    }


def test_on_a_target_that_cannot_be_asked_nothing_is_made_twice_and_a_person_is_told(house: House) -> None:
    faults = part(NINE, NINE[:2] + NINE[-1:])

    found = nine.play_all(house, items=ITEMS, guard=Guard.NONE, faults=faults)

    assert problems(found) == {}
    assert {key: one.owners for key, one in found.items() if one.cases} == {
        key: ("ops",) for key in found if key != "4a"
    }


def test_usual_senders_are_caught(house: House) -> None:
    """Or the harness is worth nothing."""
    counts = plain.play_all(
        house, items=ITEMS, keys=part([fault.key for fault in NINE], ["1", "3", "9"]), at_once=9
    )

    assert plain.not_caught(counts) == []


def test_a_frozen_holder_without_its_alarm_is_caught(house: House) -> None:
    found = nine.play(house, WITHOUT_ALARM, items=ITEMS)

    assert found.duplicates == min(4, ITEMS)
