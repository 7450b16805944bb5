"""How each CMS wants to be asked for a draft, and how it is found again by a marker. As any vendor would write it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Made:
    """One draft. ``marker``: what it bears of it, "" when nothing."""

    result_id: str
    marker: str


@dataclass(frozen=True, slots=True)
class Dialect:
    """``field``: where in the body the title stands (JSON pointer). ``created``, ``listed``: keys on the way to the draft in an answer, and to the list."""

    creates_at: str
    field: str
    body: Callable[[str, str], Any]  # of title and marker; without a marker ""
    search: Callable[[str], Mapping[str, str]]  # by marker, drafts too
    marker: str  # the field that holds it
    created: Sequence[str | int] = ()
    listed: Sequence[str | int] = ()
    result_id: str = "id"
    finds_at: str = ""  # "": where it creates

    @property
    def looked_for_at(self) -> str:
        return self.finds_at or self.creates_at

    def one_of(self, answer: Any) -> Mapping[str, Any]:
        found: Mapping[str, Any] = _at(answer, self.created)
        return found

    def list_of(self, answer: Any) -> list[Mapping[str, Any]]:
        return list(_at(answer, self.listed))

    def made(self, draft: Mapping[str, Any]) -> Made:
        return Made(str(draft[self.result_id]), str(draft.get(self.marker) or ""))


def _at(answer: Any, way: Sequence[str | int]) -> Any:
    for step in way:
        answer = answer[step]
    return answer


def _sandbox(title: str, marker: str) -> Any:
    return {"title": title, "body": f"<p>{title}</p>"} | ({"marker": marker} if marker else {})


def _wordpress(title: str, marker: str) -> Any:
    draft = {"title": title, "content": f"<p>{title}</p>", "status": "draft"}
    return draft | ({"slug": marker} if marker else {})


def _wordpress_search(marker: str) -> Mapping[str, str]:
    # as thrifty as a list can be asked for: without the title
    return {"slug": marker, "status": "draft,pending,publish,future,private", "_fields": "id,slug"}


def _directus(title: str, marker: str) -> Any:
    draft = {"title": title, "body": f"<p>{title}</p>", "status": "draft"}
    return draft | ({"external_ref": marker} if marker else {})


def _strapi(title: str, marker: str) -> Any:
    return {"data": {"title": title} | ({"external_ref": marker} if marker else {})}


def _ghost(title: str, marker: str) -> Any:
    post = {"title": title, "html": f"<p>{title}</p>", "status": "draft"}
    return {"posts": [post | ({"slug": marker} if marker else {})]}


_POSTS = "/wp-json/wp/v2/posts"
_PLAIN_POSTS = "/index.php?rest_route=/wp/v2/posts"

DIALECTS: Mapping[str, Dialect] = {
    "sandbox": Dialect(
        "/drafts",
        "/title",
        _sandbox,
        lambda marker: {"marker": marker, "status": "any"},
        "marker",
        listed=["items"],
    ),
    "wordpress": Dialect(_POSTS, "/title", _wordpress, _wordpress_search, "slug"),
    "wordpress-plain-addresses": Dialect(_PLAIN_POSTS, "/title", _wordpress, _wordpress_search, "slug"),
    "directus": Dialect(
        "/items/notes",
        "/title",
        _directus,
        lambda marker: {"filter[external_ref][_eq]": marker, "fields": "id,external_ref"},
        "external_ref",
        created=["data"],
        listed=["data"],
    ),
    "strapi": Dialect(
        "/api/stories?status=draft",
        "/data/title",
        _strapi,
        lambda marker: {"filters[external_ref][$eq]": marker, "status": "draft"},
        "external_ref",
        created=["data"],
        listed=["data"],
        result_id="documentId",
    ),
    "ghost": Dialect(
        "/ghost/api/admin/posts/?source=html",
        "/posts/0/title",
        _ghost,
        lambda marker: {"filter": f"slug:{marker}", "fields": "id,slug"},
        "slug",
        created=["posts", 0],
        listed=["posts"],
        finds_at="/ghost/api/admin/posts/",
    ),
}
