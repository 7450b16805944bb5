"""Looking for what carries our marker, and reading one post: a list that shows nothing proves that nothing is there.

Whoever has a valid key sees every post; a key that is not valid (any more), or whose person was suspended, is told so.
"""

from __future__ import annotations

from dataclasses import replace

from once_delivery.targets.base import FoundObject, Look, LookUpRequest, Verdict
from once_delivery.targets.ghost import filters
from once_delivery.targets.ghost.objects import content_of
from once_delivery.targets.ghost.site import Site
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.reading import cannot_tell

_MANY = 50  # more than that for one marker: the site does not filter


def look(site: Site, request: LookUpRequest) -> Look:
    """Everything that can be found out about one draft."""
    search = _Search(site, request)
    doubt: CutError | None = None
    try:
        search.run()
    except CutError as error:
        doubt = error
    return search.look(doubt)


def read(site: Site, result_id: str) -> Look:
    """One post with its content. Asked as a list, which tells a missing post from a key that is not heard."""
    try:
        found = [
            replace(site.found(post), content=content_of(site.parameters, post))
            for post in site.posts(f"id:{filters.text(result_id)}")
        ]
    except CutError as error:
        return cannot_tell("id", error)
    if not found:
        return Look(Verdict.ABSENT, "id", complete=True)
    if len(found) > 1 or found[0].result_id != result_id:
        return cannot_tell("id", CutError("filter-ignored"))
    return Look(Verdict.FOUND, "id", complete=True, objects=tuple(found))


class _Search:
    """One look-up. What is certain is in ``_ours``; the first doubt ends it."""

    def __init__(self, site: Site, request: LookUpRequest) -> None:
        self._site = site
        self._request = request
        self._ours: dict[str, FoundObject] = {}
        self._alike: dict[str, FoundObject] = {}
        self._method = "canonical_url+slug"

    def run(self) -> None:
        marker = self._request.marker
        for number, post in enumerate(self._site.posts(filters.carrying(marker))):
            found = self._site.found(post)
            if number >= _MANY:
                raise CutError("filter-ignored")
            if found.marker != marker:
                self._alike[found.result_id] = found
                raise CutError("marker-mismatch")
            self._ours[found.result_id] = found
        if not self._ours:
            self._by_title()

    def _by_title(self) -> None:
        """An editor may have taken both away: a person sees what has our title and no marker."""
        title = self._request.payload.get("title")
        asked = filters.titled(title) if isinstance(title, str) else ""
        if not asked:
            return
        self._method += "+title"
        for number, post in enumerate(self._site.posts(asked)):
            found = self._site.found(post)
            if number >= _MANY:
                return  # as many as a person can look through
            if found.marker is None and _letters(found.title) == _letters(str(title)):
                self._alike[found.result_id] = found

    def look(self, doubt: CutError | None) -> Look:
        ours = tuple(self._ours.values())
        absent = Verdict.ABSENT if doubt is None else Verdict.CANNOT_TELL
        verdict = {0: absent, 1: Verdict.FOUND}.get(len(ours), Verdict.FOUND_MANY)
        shown = (
            Look(verdict, self._method, complete=True, objects=ours)
            if doubt is None
            else cannot_tell(self._method, doubt)
        )
        return replace(
            shown, verdict=verdict, objects=ours, candidates=() if ours else tuple(self._alike.values())
        )


def _letters(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())
