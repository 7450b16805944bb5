"""Everything of one kind in the bucket: by its keys alone, a thousand a request."""

from __future__ import annotations

from collections.abc import Iterator

from once_delivery.targets.base import FoundObject, Kind
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.s3.listing import PAGE, entries
from once_delivery.targets.s3.objects import found_entry
from once_delivery.targets.s3.store import Reads


def inventory(reads: Reads, kind: Kind, *, after: str = "", page: int = PAGE) -> Iterator[FoundObject]:
    """The objects of the kind's folder, deleted ones too where versions are listed; raises CutError."""
    store = reads.store
    template = store.parameters.keys.get(kind)
    if template is None:
        raise CutError("kind-not-declared", detail=kind)
    for entry in entries(reads, template.prefix, after=after, page=page):
        if not entry.is_folder:
            yield found_entry(template, entry, store.url(entry.key))
