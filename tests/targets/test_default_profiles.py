"""What each kind of target begins with."""

from __future__ import annotations

import pytest

from once_delivery.targets.profile import Guard, Profile
from once_delivery.targets.registry import UnknownTargetKindError, default_profiles, kinds

DEFAULTS = [(kind, guard) for kind in kinds() for guard in default_profiles(kind)]


@pytest.mark.parametrize(("kind", "guard"), DEFAULTS)
def test_every_number_fits_and_has_its_reason(kind: str, guard: Guard) -> None:
    default = default_profiles(kind)[guard]
    assert Profile.from_json(default.numbers).guard == guard
    assert sorted(default.why) == sorted(default.numbers)
    assert all(str(reason).strip() for reason in default.why.values())


def test_a_kind_that_is_declared_by_hand_has_none() -> None:
    assert default_profiles("rest") == {}
    assert default_profiles("noop") == {}


def test_an_unknown_kind() -> None:
    with pytest.raises(UnknownTargetKindError):
        default_profiles("fax")
