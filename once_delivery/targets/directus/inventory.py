"""Everything of one kind that the project holds, in every status: by date of creation, the oldest first.

Each page begins at the date where the one before it ended, and not at a number: what is added or deleted meanwhile
moves nothing out of sight.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from once_delivery.targets.base import FoundObject
from once_delivery.targets.directus.site import Condition, Site, id_of
from once_delivery.targets.http_json.paging import CutError


def inventory(site: Site, *, changed_since: datetime | None, after: str) -> Iterator[FoundObject]:
    """Raises CutError when it cannot be read to its end, or when the account does not see everything."""
    changed: list[Condition] = [] if changed_since is None else [_changed(site, changed_since)]
    begin, _, last = after.partition(" ")
    if after and not (begin and last):
        raise CutError("cannot-go-on", detail=after[:60])
    dateless = {site.created_field: {"_null": True}}
    yield from _walk(site, [*changed, dateless], "", "")
    yield from _walk(site, changed, begin, last)
    site.prove_sight()


def _walk(site: Site, conditions: list[Condition], begin: str, last: str) -> Iterator[FoundObject]:
    """``begin``: the date to begin at; what is of that very date and has an ID up to ``last`` was seen before."""
    seen: set[str] = set()
    date, offset = begin, 0
    while True:
        from_date = [{site.created_field: {"_gte": date}}] if date else []
        items = site.page(*conditions, *from_date, offset=offset)
        for item in items:
            result_id = id_of(item)
            before = item.get(site.created_field) == begin and _up_to(result_id, last)
            if result_id not in seen and not before:
                seen.add(result_id)
                yield site.found(item)
        if not items:
            return
        reached = items[-1].get(site.created_field)
        if isinstance(reached, str) and reached > date:
            date, offset = reached, 0
        else:
            offset += len(items)


def _up_to(result_id: str, last: str) -> bool:
    if result_id.isdecimal() and last.isdecimal():
        return int(result_id) <= int(last)
    return bool(last) and result_id <= last


def _changed(site: Site, since: datetime) -> dict[str, Any]:
    moment = since.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    either = [{field: {"_gte": moment}} for field in (site.updated_field, site.created_field)]
    dateless = [{field: {"_null": True}} for field in (site.updated_field, site.created_field)]
    return {"_or": [*either, {"_and": dateless}]}
