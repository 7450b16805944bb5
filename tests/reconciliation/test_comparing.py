"""What follows from what a list shows of one confirmed action."""

from __future__ import annotations

import pytest

from once_delivery.targets.base import Presence
from reconciliation.comparing import Compared, Expected, Held, compare

OURS = Expected(1, "create_draft", "7", "once-m", "once-m", version="v1")


def shown(*held: Held, everything: bool = True, by_id: Held | None = None, **changes: object) -> Compared:
    expected = Expected(**{**{name: getattr(OURS, name) for name in OURS.__slots__}, **changes})
    return compare(expected, carrying=held, by_id=by_id, everything=everything)


ONE = Held("7", "once-m", version="v1")


def test_it_is_there() -> None:
    assert shown(ONE) == Compared(Presence.PRESENT)
    assert shown(Held("7", "once-m")) == Compared(Presence.PRESENT)  # a list need not tell versions
    assert shown(Held("7", "once-m", version="v2"), version="") == Compared(Presence.PRESENT)


def test_somebody_changed_it() -> None:
    changed = shown(Held("7", "once-m", version="v2"))
    assert (changed.presence, changed.evidence["what"]) == (Presence.CHANGED, "content")
    assert shown(Held("7", "once-m", version="v2"), overtaken=True) == Compared(Presence.PRESENT)


def test_the_marker_is_gone() -> None:
    lost = shown(by_id=Held("7"))
    assert (lost.presence, lost.evidence["what"]) == (Presence.CHANGED, "marker")
    assert shown(by_id=Held("7"), everything=False).presence == Presence.CHANGED


@pytest.mark.parametrize("everything", [True, False])
def test_two_of_ours(*, everything: bool) -> None:
    assert shown(ONE, Held("8", "once-m"), everything=everything).presence == Presence.DUPLICATE


def test_only_another_one_of_ours() -> None:
    assert shown(Held("8", "once-m")).presence == Presence.DUPLICATE
    # of a list of changes nothing follows but that it must be counted
    assert shown(Held("8", "once-m"), everything=False) == Compared(count_again=True)


def test_nothing_is_there() -> None:
    assert shown().presence == Presence.MISSING
    assert shown(everything=False) == Compared()


def test_the_trash() -> None:
    assert shown(Held("7", "once-m", trashed=True, version="v2")).presence == Presence.TRASHED
