"""Reading what a target holds, as rows of evidence."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from once_delivery.common.errors import DomainError
from once_delivery.common.redact import storable
from once_delivery.targets.base import Connector, FoundObject, InventoryError, Kind, Verdict
from once_delivery.targets.connecting import connected
from once_delivery.vendor_drill.errors import CannotBeCountedError, NotListedError
from once_delivery.vendor_drill.models import InventoryRow, Moment, VendorDrill

logger = logging.getLogger(__name__)

INVENTORY_S = 600.0
READ_S = 20.0
READ_MOST = 60  # objects that are opened: those that nothing else explains, and those that the list lacks
# what a look says of something that is there, but not for this account
_HIDDEN = frozenset({"forbidden", "total-mismatch"})
WORDS_MOST, WORD_LONGEST = 20, 500


def count(
    drill: VendorDrill,
    moment: Moment,
    *,
    known: frozenset[str] = frozenset(),
    made: Sequence[Sequence[str]] = (),
) -> list[InventoryRow]:
    """Everything of the drill's kind that the target holds, not saved yet; raises CannotBeCountedError.

    ``known``: result IDs that need not be opened, since something else already tells what they are. ``made``: what
    answers have called the objects that they made; each must be listed, or be gone for sure.
    """
    kind = Kind(drill.kind)
    try:
        with connected(drill.target) as connector:
            found = {one.result_id: one for one in connector.inventory(kind=kind, deadline_s=INVENTORY_S)}
            rows = {key: _row(drill, moment, one) for key, one in found.items()}
            _check_sight(connector, kind, [names for names in made if not rows.keys() & set(names)])
            unknown = [key for key in rows if moment == Moment.AFTER and key not in known]
            for key in unknown[:READ_MOST]:
                look = connector.read(kind=kind, result_id=key, deadline_s=READ_S)
                if look.verdict == Verdict.FOUND and look.objects:
                    rows[key].words = _words(look.objects[0])
    except InventoryError as error:
        raise CannotBeCountedError(code=f"{error.code}: {error.detail}".rstrip(": ")) from error
    except DomainError:
        raise
    except Exception as error:  # a fault in a connector tells nothing about the target
        logger.exception("connector failed", extra={"target": drill.target_id})
        raise CannotBeCountedError(code="connector-error") from error
    return list(rows.values())


def _check_sight(connector: Connector, kind: Kind, missing: Sequence[Sequence[str]]) -> None:
    """What is not in the list and can be read, or may not be, is hidden and not gone; raises NotListedError."""
    for names in missing[:READ_MOST]:
        for name in names:
            look = connector.read(kind=kind, result_id=name, deadline_s=READ_S)
            if look.verdict == Verdict.ABSENT:
                break  # under its own name
            if look.verdict == Verdict.FOUND or look.code in _HIDDEN:
                raise NotListedError(name=name)


def _row(drill: VendorDrill, moment: Moment, one: FoundObject) -> InventoryRow:
    return InventoryRow(
        drill=drill,
        moment=moment,
        result_id=storable(one.result_id)[:300],
        title=storable(one.title)[:500],
        marker=storable(one.marker or "")[:300],
        status=storable(one.status)[:60],
        url=storable(one.url)[:1000],
        made_at=one.created_at,
        trashed=one.trashed,
    )


def _words(one: FoundObject) -> dict[str, str]:
    """The short texts in it: what stands in a long body is no identity."""
    short = {
        storable(name)[:100]: storable(text)
        for name, text in one.content.items()
        if len(text) <= WORD_LONGEST
    }
    return dict(list(short.items())[:WORDS_MOST])
