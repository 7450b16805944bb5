"""What a target answered to a drill's items that it did not take: the reason that a person can act on."""

from __future__ import annotations

from collections.abc import Mapping

from once_delivery.drill.scenario import Item
from once_delivery.ledger.models import Receipt
from once_delivery.targets.base import Outcome

_FINE = (Outcome.DONE, Outcome.ACCEPTED, Outcome.EXISTS, Outcome.UNKNOWN)
_SHOWN = 3
_LONGEST = 160


def refusals(items: Mapping[int, Item]) -> str:
    """``A kettle de-DE: http-422, no such locale; …`` of the latest answers, "" when none was a no."""
    latest = {
        one.action_id: one
        for one in Receipt.objects.filter(action__in=list(items)).order_by("received_at", "pk")
    }
    said = [_said(items[pk], one) for pk, one in sorted(latest.items()) if one.outcome not in _FINE]
    more = f" (+{len(said) - _SHOWN})" if len(said) > _SHOWN else ""
    return "; ".join(said[:_SHOWN]) + more


def _said(item: Item, receipt: Receipt) -> str:
    words = " ".join((receipt.detail or receipt.excerpt).split())[:_LONGEST]
    return f"{item.letter} {item.product} {item.locale}: {receipt.code}{f', {words}' if words else ''}"
