"""Everything of one kind that our account made, in every status, and with the plugin everything that carries a marker."""

from __future__ import annotations

from collections.abc import Iterator

from once_delivery.targets.base import FoundObject
from once_delivery.targets.wordpress.site import Site


def inventory(site: Site) -> Iterator[FoundObject]:
    """By ascending ID, so that what is added meanwhile comes at the end; raises CutError when it cannot be read to it."""
    author = site.able_account()
    seen = set()
    for post in site.all(author=author, orderby="id", order="asc"):
        found = site.found(post)
        seen.add(found.result_id)
        yield found
    if site.parameters.plugin:
        # an editor may have put another name over it
        yield from (found for found in site.all_marked() if found.result_id not in seen)
