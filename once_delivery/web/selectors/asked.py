"""What waits for a person's answer, of both kinds: proposals for cases, and acceptances that were taken back."""

from __future__ import annotations

from collections.abc import Mapping

from once_delivery.accounts.clients import answering
from once_delivery.accounts.models import User
from once_delivery.review.revocations import waiting_revocations
from reconciliation.answering import waiting_for


def asked_of(user: User, roles: Mapping[int, str], *, most: int) -> int:
    """How many, counted no further than ``most``. ``roles``: those of ``user``, by project ID."""
    where = answering(user, roles)
    cases = waiting_for(user, where).order_by().values("pk")
    taken_back = waiting_revocations(user, where).order_by().values("pk")
    return cases.union(taken_back, all=True)[:most].count()
