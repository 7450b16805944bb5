"""The turns of a probe: its requests count against the same limits as deliveries, over all processes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from django.utils.translation import gettext_noop

from once_delivery.common.errors import DomainError
from once_delivery.ledger import gate
from once_delivery.ledger.alarm import ALARM
from once_delivery.ledger.gate import TakenLane
from once_delivery.targets.models import Target
from once_delivery.targets.profile import Profile

_PATIENCE_S = 120.0
_FULL_S = 5.0  # so long one waits for as many at once as are wanted; then fewer will do
_POLL_S = 0.1


class NoTurnError(DomainError):
    """The target is busy with deliveries, or has asked to be left alone."""

    code = "no-turn"
    template = gettext_noop("The target had no turn for the probe within two minutes; try again later.")


class GateTurns:
    """See :class:`once_delivery.targets.probing.lab.Turns`. One thread at a time."""

    def __init__(self, target: Target, profile: Profile) -> None:
        self._target_id = target.pk
        self._profile = profile

    @contextmanager
    def take(self, wanted: int, *, effect: bool) -> Iterator[int]:
        """Hold lanes for as many requests as are let through. Raises NoTurnError.

        The kernel ends a prober that outlives its lanes before it has sent (R2), as it does a sender.
        """
        begun = time.monotonic()
        while True:
            hold = ALARM.hold(self._profile.lease_s) if effect else None
            lanes: list[TakenLane] = []
            try:
                lanes, allowed = self._claim(self._least(wanted, begun), wanted)
                if allowed:
                    yield allowed
                    return
            finally:
                if hold is not None:
                    ALARM.release(hold)
                for lane in lanes:
                    gate.give_back_lane(holder=lane.holder)
            if time.monotonic() - begun > _PATIENCE_S:
                raise NoTurnError
            time.sleep(_POLL_S)

    def _least(self, wanted: int, begun: float) -> int:
        """How many must be let through now: all that the profile ever allows at once, for a while."""
        if time.monotonic() - begun > _FULL_S:
            return 1
        rate = self._profile.rate_per_s
        burst = wanted if rate is None else int(max(1.0, rate))
        return max(1, min(wanted, self._profile.concurrency, burst))

    def _claim(self, least: int, most: int) -> tuple[list[TakenLane], int]:
        lanes: list[TakenLane] = []
        with transaction.atomic():
            allowed = gate.allowance(
                target_id=self._target_id, profile=self._profile, wanted=most, reads=True
            )
            while sum(lane.threads for lane in lanes) < allowed:
                lane = gate.take_lane(target_id=self._target_id, profile=self._profile)
                if lane is None:
                    break
                lanes.append(lane)
            threads = min(allowed, sum(lane.threads for lane in lanes))
            if threads < least:
                transaction.set_rollback(True)
                return [], 0
            gate.spend(target_id=self._target_id, profile=self._profile, count=threads, reads=True)
        return lanes, threads
