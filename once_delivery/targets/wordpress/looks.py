"""Looking for what carries our marker, and how sure one can be that it is not there."""

from __future__ import annotations

from once_delivery.targets.base import FoundObject, Look, LookUpRequest, Verdict
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.wordpress.objects import alike, slugs_of
from once_delivery.targets.wordpress.site import Site

_MANY = 50  # more than that for one marker: the site does not filter


def look(site: Site, request: LookUpRequest) -> Look:
    """Everything that can be found out about one action's object."""
    search = _Search(site, request)
    doubt: CutError | None = None
    try:
        search.run()
    except CutError as error:
        doubt = error
    return search.look(doubt)


class _Search:
    """One look-up. What is certain is in ``_ours``; the first doubt ends it."""

    def __init__(self, site: Site, request: LookUpRequest) -> None:
        self._site = site
        self._request = request
        self._ours: dict[str, FoundObject] = {}
        self._alike: dict[str, FoundObject] = {}
        self._methods: list[str] = []

    def run(self) -> None:
        author = self._site.able_account()
        if self._site.parameters.plugin:
            self._methods.append("plugin")
            self._ours = {found.result_id: found for found in self._site.marked(self._request.marker)}
            if self._ours:
                return
        # with the plugin too: a draft may be older than the plugin
        self._by_slug()
        if not self._ours and not self._site.parameters.plugin:
            self._among_the_newest(author=author)

    def _by_slug(self) -> None:
        self._methods.append("slug")
        for number, post in enumerate(self._site.all(slug=slugs_of(self._request.marker))):
            found = self._site.found(post)
            if number >= _MANY:
                raise CutError("filter-ignored")
            if found.marker != self._request.marker:
                self._alike[found.result_id] = found
                raise CutError("marker-mismatch")
            self._ours[found.result_id] = found

    def _among_the_newest(self, author: str) -> None:
        """An editor may have changed the slug: the registered field still tells, or else a person sees the title."""
        self._methods.append("newest")
        title = self._request.payload.get("title")
        for post in self._site.newest(author=author):
            found = self._site.found(post)
            if found.marker == self._request.marker:
                self._ours[found.result_id] = found
            elif found.marker is None and isinstance(title, str) and alike(found.title, title):
                self._alike[found.result_id] = found

    def look(self, doubt: CutError | None) -> Look:
        ours = tuple(self._ours.values())
        absent = Verdict.ABSENT if doubt is None else Verdict.CANNOT_TELL
        verdict = {0: absent, 1: Verdict.FOUND}.get(len(ours), Verdict.FOUND_MANY)
        return Look(
            verdict=verdict,
            method="+".join(self._methods) or "account",
            complete=doubt is None,
            objects=ours,
            candidates=() if ours else tuple(self._alike.values()),
            code=doubt.code if doubt else "",
            http_status=doubt.http_status if doubt else None,
            retry_after_s=doubt.retry_after_s if doubt else None,
            detail=doubt.detail if doubt else "",
        )
