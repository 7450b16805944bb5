"""What a worker does at a target because a person asked: the connection test and the probe."""

from __future__ import annotations

from once_delivery.ledger.probe_turns import GateTurns
from once_delivery.targets.models import ErrandKind
from once_delivery.targets.profile import Profile
from once_delivery.targets.services.check_target import check_target
from once_delivery.targets.services.errands import taken
from once_delivery.targets.services.probe_target import probe_target


def run_errand(*, errand_id: int) -> bool:
    """Afterwards the errand is over; False when somebody else has it or had it."""
    with taken(errand_id) as errand:
        if errand is None:
            return False
        target = errand.target
        if errand.kind == ErrandKind.CHECK:
            errand.result = check_target(target=target)
        else:

            def turns(profile: Profile) -> GateTurns:
                return GateTurns(target, profile)

            confirmed = errand.options.get("confirmed") is True
            probe_target(target=target, user=errand.asked_by, confirmed=confirmed, turns=turns)
    return True
