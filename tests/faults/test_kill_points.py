"""Every place where a process may die, for every guard: the acceptance list of FAULTS holds afterwards."""

from __future__ import annotations

import sys

import pytest

from once_delivery.targets.profile import Guard
from tests.faults import kill_points
from tests.faults.extent import FULL
from tests.faults.house import House
from tests.faults.kill_points import POINTS, Case, matrix

SOME = frozenset(
    {
        *(Case(point, Guard.LOOKUP, "kill") for point in POINTS),
        Case("K1", Guard.LOOKUP, "freeze"),
        Case("K4", Guard.IDEMPOTENCY_KEY, "kill"),
        Case("K5", Guard.NONE, "freeze"),
        Case("K5", Guard.CLIENT_ID, "freeze"),
        Case("K6", Guard.LOOKUP, "reset"),
        Case("K7", Guard.LOOKUP, "freeze"),
        Case("K7", Guard.NONE, "database"),
    }
)
HALVES = {"before the write": ("K1", "K2", "K3", "K4"), "after the write": ("K5", "K6", "K7", "K8")}


@pytest.mark.parametrize("points", HALVES.values(), ids=HALVES)
def test_whatever_happens_there_one_object_comes_of_it(house: House, points: tuple[str, ...]) -> None:
    cases = [case for case in matrix() if case.point in points and (FULL or case in SOME)]

    found = kill_points.play_all(house, cases)

    if FULL:
        sys.stdout.write("\n".join(kill_points.lines(found)) + "\n")
    assert {str(case): one.problems for case, one in found.items() if not one.passed} == {}


def test_the_whole_matrix_is_known() -> None:
    """8 points x 4 guards x 4 ways, less the 16 where no connection is open that could be reset."""
    assert len(matrix()) == 8 * 4 * 4 - 4 * 4
    assert set(matrix()) >= SOME
