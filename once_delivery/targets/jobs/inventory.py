"""Everything that a service still lists, and what that cannot say."""

from __future__ import annotations

from collections.abc import Iterator

from once_delivery.targets.base import FoundObject, InventoryError, Kind
from once_delivery.targets.jobs.looks import Looker
from once_delivery.targets.jobs.objects import Sought
from once_delivery.targets.jobs.spec import Listing


def inventory(looker: Looker, kind: Kind) -> Iterator[FoundObject]:
    """Raises CutError; InventoryError where an audit would compare with something else than everything of ours."""
    service = looker.declaration.service
    listing = _auditable(looker, kind)
    for item in looker.items(listing, {"payload": {}}):
        found = listing.job.find(item, Sought())
        if found is not None:
            yield found
    if service.window_s is not None:
        raise InventoryError("list-forgets", f"{service.window_s:.0f} s")


def _auditable(looker: Looker, kind: Kind) -> Listing:
    service = looker.declaration.service
    if kind != Kind.START_JOB or service.list is None:
        raise InventoryError("no-list", kind)
    if not service.list.job.has_marker:
        # nothing in it says whose a job is: it compares with nothing
        raise InventoryError("no-marker-in-list", service.title)
    return service.list
