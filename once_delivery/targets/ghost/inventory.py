"""Every post of the site, in every status and whoever wrote it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from once_delivery.targets.base import FoundObject
from once_delivery.targets.ghost import filters
from once_delivery.targets.ghost.site import Site


def inventory(site: Site, changed_since: datetime | None, after: str) -> Iterator[FoundObject]:
    """By ascending ID, so that what is added meanwhile comes at the end; raises CutError when it cannot be read to it."""
    condition = filters.changed_since(changed_since) if changed_since is not None else ""
    for post in site.posts(condition, after=after):
        yield site.found(post)
