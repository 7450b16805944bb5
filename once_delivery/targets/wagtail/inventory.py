"""Everything of one kind that the account can see."""

from __future__ import annotations

import re
from collections.abc import Iterator

from once_delivery.targets.base import FoundObject, Kind
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.wagtail.looks import Looker
from once_delivery.targets.wagtail.objects import found_image, found_page

_MARKER = re.compile(r"once-[a-z2-7]{26}")


def inventory(looker: Looker, kind: Kind) -> Iterator[FoundObject]:
    """Drafts and published pages, or images; raises CutError when it cannot be read to its end."""
    if kind == Kind.CREATE_DRAFT:
        yield from _pages(looker)
        looker.prove_sight()
    elif kind == Kind.UPLOAD_FILE and looker.parameters.image_marker_field is not None:
        for item in looker.images():
            yield found_image(looker.parameters, item, looker.base_url)
        looker.prove_account()
    else:
        raise CutError("kind-not-declared", detail=kind)


def _pages(looker: Looker) -> Iterator[FoundObject]:
    """A list shows the slug and not the site's own fields: only pages whose slug is no marker are read one by one."""
    parameters = looker.parameters
    for item in looker.pages():
        meta = item.get("meta")
        slug = meta.get("slug") if isinstance(meta, dict) else None
        ours = isinstance(slug, str) and _MARKER.fullmatch(slug) is not None
        if parameters.marker_field is None:
            yield found_page(parameters, item, looker.base_url)
        elif ours:
            yield found_page(parameters, {**item, parameters.marker_field: slug}, looker.base_url)
        else:
            page = looker.page(str(item["id"]))
            if page is not None:  # else it has gone since the list was read
                yield found_page(parameters, page, looker.base_url)
