"""A witness for a lagging look-up: something of ours that was made later and is visible already."""

from __future__ import annotations

from datetime import datetime

from once_delivery.ledger.models import Action
from once_delivery.ledger.states import State
from once_delivery.targets.base import Connector, Kind, LookUpRequest, Verdict
from once_delivery.targets.profile import Profile


class Witnesses:
    """Asks the target for the newest witness, once a moment; remembers what was visible."""

    def __init__(self, *, target_id: int, connector: Connector, profile: Profile) -> None:
        self._target_id = target_id
        self._connector = connector
        self._profile = profile
        self._visible_since: dict[str, datetime] = {}

    def visible_after(self, moment: datetime, *, kind: Kind) -> bool:
        """Is something of this kind visible whose attempt was made after ``moment``?"""
        known = self._visible_since.get(kind)
        if known is not None and known > moment:
            return True
        witness = (
            Action.objects.filter(
                target_id=self._target_id, kind=kind, state=State.CONFIRMED, attempts__intended_at__gt=moment
            )
            .order_by("attempts__intended_at")
            .values_list("marker", "client_id", "attempts__intended_at")
            .first()
        )
        if witness is None:
            return False
        marker, client_id, made_at = witness
        look = self._connector.look_up(
            LookUpRequest(
                kind=kind, marker=marker, client_id=str(client_id), deadline_s=self._profile.deadline_s
            )
        )
        if look.verdict != Verdict.FOUND:
            return False
        self._visible_since[kind] = made_at
        return True
