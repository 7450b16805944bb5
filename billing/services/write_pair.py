"""Write what holds of a pair of assets: the only writer of pairs."""

from __future__ import annotations

from typing import Any

from billing.models import Cause, Duplicate, DuplicateStatus, Reopened
from billing.pairs import in_order, pair_of
from once_delivery.ledger.clock import database_now
from once_delivery.review.models import Asset

_NOTHING: dict[str, Any] = {
    "certain_by": "",
    "cause": Cause.UNDETERMINED,
    "approval": None,
    "record": "",
    "decided_by": None,
    "second": None,
    "decided_at": None,
}


def write_pair(*, asset: Asset, survivor: Asset, status: DuplicateStatus, **said: Any) -> Duplicate:
    """Afterwards this is what holds of the two, with the texts that they are given with; the caller holds the project's lock.

    What was said before stays on record (``DuplicateDecision``), and so does what ``said`` does not name.
    """
    row = pair_of(asset, survivor)
    if row is None:
        later, earlier = in_order(asset, survivor)
        row = Duplicate(project_id=later.project_id, asset=later, survivor=earlier, found_at=database_now())
    for name, value in {"reopened": "", "status": status, **said}.items():
        setattr(row, name, value)
    texts = {one.pk: one.draft_id for one in (asset, survivor)}
    row.asset_draft_id, row.survivor_draft_id = texts[row.asset_id], texts[row.survivor_id]
    row.save()
    return row


def reopen_pair(*, asset: Asset, survivor: Asset, why: Reopened, **said: Any) -> Duplicate:
    """Afterwards the two wait for a decision again, and nothing of the last one holds of them."""
    return write_pair(
        asset=asset,
        survivor=survivor,
        status=DuplicateStatus.SUGGESTED,
        **{**_NOTHING, "reopened": why, **said},
    )
