"""Looking for what carries our marker, and how sure one can be that it is not there.

Three things make Wagtail's "200, nothing found" worthless by itself, each seen on 8.0.1: a token that is no longer
valid is answered as a visitor (published pages only), an account sees only what it may change, and a filter on a
field that the API does not know is left out in silence. So what is found is read again one by one, and before
"absent" counts the account is asked for and the section must be visible to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from once_delivery.targets.base import FoundObject, Kind, Look, LookUpRequest, Verdict
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.wagtail.objects import found_image, found_page, shows_marker
from once_delivery.targets.wagtail.reads import Looker

_MANY = 10  # more pages than that for one marker: the site does not filter


def look(looker: Looker, request: LookUpRequest) -> Look:
    """Everything that can be found out about one action's object."""
    match request.kind:
        case Kind.CREATE_DRAFT:
            return _Search(looker, request).pages()
        case Kind.UPLOAD_FILE if looker.parameters.image_marker_field is not None:
            return _Search(looker, request).images()
        case _:
            return Look(Verdict.CANNOT_TELL, "none", complete=False, code="kind-not-declared")


class _Search:
    """One look-up. What is certain is in ``ours``; the first doubt ends it."""

    def __init__(self, looker: Looker, request: LookUpRequest) -> None:
        self._looker = looker
        self._request = request
        self._ours: dict[str, FoundObject] = {}
        self._alike: dict[str, FoundObject] = {}
        self._methods: list[str] = []

    def pages(self) -> Look:
        doubt: CutError | None = None
        try:
            self._pages()
        except CutError as error:
            doubt = error
        return self._look(doubt)

    def images(self) -> Look:
        doubt: CutError | None = None
        try:
            self._images()
        except CutError as error:
            doubt = error
        return self._look(doubt)

    def _pages(self) -> None:
        field = self._looker.parameters.marker_field
        self._methods.append(field or "slug")
        for number, item in enumerate(self._looker.pages({field or "slug": self._request.marker})):
            if number >= _MANY:
                raise CutError("filter-ignored")
            # a list does not show fields of the page's own type
            page = self._looker.page(str(item["id"])) if field else item
            if page is None:
                raise CutError("changing", detail="gone between list and page")
            self._note(page)
        if not self._ours:
            if not field:
                self._candidates()
            self._looker.prove_sight()

    def _note(self, page: Mapping[str, Any]) -> None:
        parameters = self._looker.parameters
        # the version is not told: an editor may have saved the page since we made it, and an update of ours would be for that
        found = replace(found_page(parameters, page, self._looker.base_url), version="")
        if found.marker == self._request.marker:
            self._ours[found.result_id] = found
        elif not shows_marker(parameters, page):
            self._alike[found.result_id] = found
            raise CutError("marker-unreadable")
        else:
            raise CutError("filter-ignored")

    def _candidates(self) -> None:
        """A renamed slug loses the marker: pages with our title and without a marker are for a person."""
        title = self._request.payload.get("title")
        if not isinstance(title, str) or not title:
            return
        self._methods.append("title")
        for item in self._looker.pages({"title": title}):
            found = found_page(self._looker.parameters, item, self._looker.base_url)
            if found.title == title and not (found.marker or "").startswith("once-"):
                self._alike[found.result_id] = found

    def _images(self) -> None:
        parameters = self._looker.parameters
        field = parameters.image_marker_field or ""
        self._methods.append(field)
        for item in self._looker.images({field: self._request.marker}):
            found = found_image(parameters, item, self._looker.base_url)
            if found.marker == self._request.marker:
                self._ours[found.result_id] = found
            else:
                raise CutError("filter-ignored" if field in item else "marker-unreadable")
        if not self._ours:
            self._looker.prove_account()

    def _look(self, doubt: CutError | None) -> Look:
        ours = tuple(self._ours.values())
        complete = doubt is None
        verdict = {0: Verdict.ABSENT if complete else Verdict.CANNOT_TELL, 1: Verdict.FOUND}.get(
            len(ours), Verdict.FOUND_MANY
        )
        return Look(
            verdict=verdict,
            method="+".join(self._methods),
            complete=complete,
            objects=ours,
            candidates=tuple(self._alike.values()),
            code=doubt.code if doubt else "",
            http_status=doubt.http_status if doubt else None,
            retry_after_s=doubt.retry_after_s if doubt else None,
            detail=doubt.detail if doubt else "",
        )
