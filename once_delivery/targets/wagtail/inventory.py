"""Everything of one kind that the account can see; from a place on; or what was saved lately."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from once_delivery.targets.base import FoundObject, Kind
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.places import numbered
from once_delivery.targets.wagtail.objects import SAVED, found_image, found_page
from once_delivery.targets.wagtail.reads import Looker

_MARKER = re.compile(r"once-[a-z2-7]{26}")
_UNKNOWN_FIELD = frozenset({400, 422})


def inventory(
    looker: Looker, kind: Kind, *, changed_since: datetime | None = None, after: str = ""
) -> Iterator[FoundObject]:
    """Drafts and published pages, or images; raises CutError when it cannot be read to its end."""
    if kind == Kind.CREATE_DRAFT:
        yield from _pages(looker, after) if changed_since is None else _saved(looker, changed_since, after)
        looker.prove_sight()
    elif kind == Kind.UPLOAD_FILE and looker.parameters.image_marker_field is not None:
        if changed_since is not None:
            raise CutError("cannot-list-changes")  # an image tells no date
        for place, item in numbered(lambda skipped: looker.images(skipped=skipped), after):
            yield replace(found_image(looker.parameters, item, looker.base_url), place=place)
        looker.prove_account()
    else:
        raise CutError("kind-not-declared", detail=kind)


def _pages(looker: Looker, after: str) -> Iterator[FoundObject]:
    """A list shows the slug and not the site's own fields: only pages whose slug is no marker are read one by one."""
    parameters = looker.parameters
    for place, item in numbered(lambda skipped: looker.pages(skipped=skipped), after):
        meta = item.get("meta")
        slug = meta.get("slug") if isinstance(meta, dict) else None
        ours = isinstance(slug, str) and _MARKER.fullmatch(slug) is not None
        page: Mapping[str, Any] | None = item
        if parameters.marker_field is not None:
            page = {**item, parameters.marker_field: slug} if ours else looker.page(str(item["id"]))
        if page is not None:  # else it has gone since the list was read
            yield replace(found_page(parameters, page, looker.base_url), place=place)


def _saved(looker: Looker, since: datetime, after: str) -> Iterator[FoundObject]:
    """Newest first, until one is older. A page that is saved meanwhile moves to the front: the next reading has it."""
    if after:
        raise CutError("cannot-go-on")  # by date, places do not last
    for item in _newest_first(looker):
        page = looker.page(str(item["id"]))
        if page is None:
            continue
        found = found_page(looker.parameters, page, looker.base_url)
        # a page that a program made without a revision tells no date: better once too often
        if found.updated_at is not None and found.updated_at <= since:
            return
        yield found


def _newest_first(looker: Looker) -> Iterator[Mapping[str, Any]]:
    try:
        yield from looker.pages({"order": f"-{SAVED}"})
    except CutError as error:
        # the site does not expose the field
        raise (CutError("cannot-list-changes") if error.http_status in _UNKNOWN_FIELD else error) from None
