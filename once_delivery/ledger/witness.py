"""A witness for a lagging look-up: something of ours that was made later and is visible already.

Later than the last moment at which the lost request could still land, or the index might show the witness and not
yet what landed after it.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from once_delivery.ledger.models import Action
from once_delivery.ledger.states import State
from once_delivery.ledger.trust import trusted_look
from once_delivery.targets.base import Connector, Kind, LookUpRequest, Verdict
from once_delivery.targets.profile import Profile

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Witness:
    """Something of ours that was certainly made after a moment."""

    marker: str
    client_id: UUID
    made_at: datetime


def witness_after(moment: datetime, *, target_id: int, kind: Kind) -> Witness | None:
    """The first of this kind that was made after ``moment``, by its first attempt: one that was sent again later may
    have been made by then."""
    row = (
        Action.objects.filter(
            target_id=target_id,
            kind=kind,
            state=State.CONFIRMED,
            object_marker="",  # an updated object is not found by its action's marker
            attempts__number=1,
            attempts__intended_at__gt=moment,
        )
        .order_by("attempts__intended_at")
        .values_list("marker", "client_id", "attempts__intended_at")
        .first()
    )
    return Witness(*row) if row is not None else None


class Witnesses:
    """Asks the target for the newest witness, once a moment; remembers what was visible."""

    def __init__(self, *, target_id: int, connector: Connector, profile: Profile) -> None:
        self._target_id = target_id
        self._connector = connector
        self._profile = profile
        self._visible_since: dict[str, datetime] = {}

    def visible_after(self, moment: datetime, *, kind: Kind) -> bool:
        """Is something of this kind visible that was certainly made after ``moment``?"""
        known = self._visible_since.get(kind)
        if known is not None and known > moment:
            return True
        witness = witness_after(moment, target_id=self._target_id, kind=kind)
        if witness is None:
            return False
        request = LookUpRequest(
            kind=kind,
            marker=witness.marker,
            client_id=str(witness.client_id),
            deadline_s=self._profile.deadline_s,
        )
        if not self._is_found(request):
            return False
        self._visible_since[kind] = witness.made_at
        return True

    def _is_found(self, request: LookUpRequest) -> bool:
        try:
            look = trusted_look(request, self._connector.look_up(request))
        except Exception:
            logger.exception("connector failed")
            return False
        return look.verdict == Verdict.FOUND
