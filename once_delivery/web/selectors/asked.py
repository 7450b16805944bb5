"""What waits for a person's answer, of both kinds: proposals for cases, and acceptances that were taken back."""

from __future__ import annotations

from once_delivery.accounts.clients import Answering
from once_delivery.accounts.models import User
from once_delivery.review.revocations import waiting_revocations
from reconciliation.answering import waiting_for


def asked_of(user: User, where: Answering, *, most: int) -> int:
    """How many, counted no further than ``most``. ``where``: where ``user`` answers."""
    cases = waiting_for(user, where).order_by().values("pk")
    taken_back = waiting_revocations(user, where).order_by().values("pk")
    return cases.union(taken_back, all=True)[:most].count()
