"""The judge of a target that is not the sandbox: its own inventory, and the proxy's record of what was sent to it."""

from __future__ import annotations

from once_delivery.drill.errors import DrillBrokenError
from once_delivery.drill.judge import Call, Held
from once_delivery.drill.losing_proxy import LosingProxy
from once_delivery.drill.passing import Loss
from once_delivery.targets.base import Connector, InventoryError, Kind

INVENTORY_S = 120.0


class ConnectorJudge:
    """Reads the target directly, not through the proxy. What it has seen and sees no more counts as deleted."""

    def __init__(self, connector: Connector, proxy: LosingProxy, *, page: str, kind: Kind) -> None:
        self._connector = connector
        self._proxy = proxy
        self._page = page
        self._kind = kind
        self._seen: dict[str, Held] = {}

    def held(self) -> list[Held]:
        try:
            found = list(self._connector.inventory(kind=self._kind, deadline_s=INVENTORY_S))
        except InventoryError as error:
            raise DrillBrokenError(
                "cannot-be-counted", code=f"{error.code}: {error.detail}".rstrip(": ")
            ) from error
        now = {
            one.result_id: Held(
                result_id=one.result_id,
                marker=one.marker or "",
                title=one.title,
                created_at=one.created_at.isoformat() if one.created_at else "",
                deleted=one.trashed,
            )
            for one in found
        }
        gone = [
            Held(one.result_id, one.marker, one.title, one.created_at, deleted=True)
            for one in self._seen.values()
            if one.result_id not in now
        ]
        self._seen |= now
        return [*now.values(), *gone]

    def holds(self, marker: str) -> bool:
        # the record says when it is worth asking: an inventory of a large site takes a while
        made = any(call.created for call in self._proxy.calls() if call.marker == marker)
        return made and any(one.marker == marker for one in self.held())

    def calls(self) -> list[Call]:
        return [
            Call(
                number=call.number,
                marker=call.marker,
                created=call.created,
                status=call.status if call.answered else None,
            )
            for call in self._proxy.calls()
        ]

    def lose_answer(self, marker: str, *, keep_open: bool) -> None:
        self._proxy.lose(marker, Loss.HANG if keep_open else Loss.CUT)

    def page_url(self) -> str:
        return self._page
