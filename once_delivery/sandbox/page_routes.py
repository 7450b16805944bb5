"""Addresses for people, and the files of uploads."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from once_delivery.sandbox.answers import HTML, Answer
from once_delivery.sandbox.app import App
from once_delivery.sandbox.errors import ApiError
from once_delivery.sandbox.objects import KINDS
from once_delivery.sandbox.pages import Pages
from once_delivery.sandbox.wire import Request
from once_delivery.sandbox.words import choose

_POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_GUARD = (("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"))
_PAGE = (("Content-Security-Policy", _POLICY), ("Vary", "Accept-Language"), *_GUARD)
# what others uploaded is never run as part of this site
_FILE = (("Content-Security-Policy", "sandbox; default-src 'none'"), *_GUARD)


def answer(app: App, request: Request) -> Answer:
    """A page, the style sheet or a file. Raises ApiError 404 for machines' paths."""
    pages = Pages(app, choose(request.query, request.headers))
    match request.segments:
        case ("",):
            return _page(pages.spaces())
        case ("static", "sandbox.css"):
            return Answer(200, _style_sheet(), "text/css; charset=utf-8", _GUARD)
        case ("spaces", name):
            return Answer(308, headers=(("Location", f"/spaces/{app.spaces.get(name).name}/"),))
        case ("spaces", name, "files", file_id):
            return _file(app, name, file_id)
        case ("spaces", name, ""):
            return _space(app, pages, name)
        case ("spaces", name, "view", kind, object_id) if kind in KINDS:
            return _one(app, pages, name, kind, object_id)
    raise ApiError(404, "not_found", "there is nothing at this path")


def _page(html: str, *, status: int = 200) -> Answer:
    return Answer(status, html.encode(), HTML, _PAGE)


def _space(app: App, pages: Pages, name: str) -> Answer:
    try:
        return _page(pages.space(app.spaces.get(name)))
    except ApiError as error:
        return _page(pages.missing(), status=error.status)


def _one(app: App, pages: Pages, name: str, kind: str, object_id: str) -> Answer:
    stored = app.objects.get(name, kind, object_id)
    if stored is None:
        return _page(pages.missing(), status=404)
    return _page(pages.one(app.spaces.get(name), stored))


def _file(app: App, name: str, file_id: str) -> Answer:
    stored = app.objects.get(app.spaces.get(name).name, "uploads", file_id)
    if stored is None or stored.status == "trash":
        raise ApiError(404, "not_found", "there is no such file")
    media_type = str(stored.doc.get("media_type", "application/octet-stream"))
    return Answer(200, app.objects.file(stored.serial), media_type, _FILE)


@cache
def _style_sheet() -> bytes:
    return (Path(__file__).parent / "static" / "sandbox.css").read_bytes()
