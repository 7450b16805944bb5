"""Reading: by ID and by list, with the lag and the lies a space is set to."""

from __future__ import annotations

from urllib.parse import urlencode

from once_delivery.sandbox import clock
from once_delivery.sandbox.answers import HTML, Answer, json_answer
from once_delivery.sandbox.app import App
from once_delivery.sandbox.content import Wish, content_of
from once_delivery.sandbox.errors import ApiError
from once_delivery.sandbox.objects import Page, Stored
from once_delivery.sandbox.rendering import etag
from once_delivery.sandbox.settings import Settings

_DIGITS = 9
_PROXY_PAGE = (
    "<!doctype html><html><head><title>Gateway</title></head><body><h1>Please wait</h1></body></html>"
)


def proxy_page(status: int) -> Answer:
    """What a proxy in between says instead of the target."""
    return Answer(status, _PROXY_PAGE.encode(), HTML)


def set_answer(settings: Settings) -> Answer | None:
    """The answer that every look-up of this space gets, if its settings say so."""
    if settings.look_up_body == "html":
        return proxy_page(settings.look_up_status or 200)
    status = settings.look_up_status
    if status is None:
        return None
    headers = [("Retry-After", "30")] if status in (429, 503) else []
    error = {"error": {"code": f"look_up_{status}", "message": "look-ups answer this by setting"}}
    return json_answer(error, status=status, headers=headers)


def get(app: App, wish: Wish) -> Answer:
    """One object by its ID, trash included."""
    settings = wish.space.settings
    stored = app.objects.get(wish.space.name, wish.kind, wish.object_id or "")
    if stored is None or (settings.lag_by_id and not _visible(stored, settings)):
        raise ApiError(404, "not_found", "there is no such object")
    return json_answer(content_of(app, wish.space, stored), headers=[etag(stored)])


def _visible(stored: Stored, settings: Settings) -> bool:
    return stored.created_at + settings.visibility_lag_s <= clock.now()


def listing(app: App, wish: Wish) -> Answer:
    """One page of a kind in the order of creation, newest last."""
    settings, query = wish.space.settings, wish.request.query
    if settings.lookup == "none":
        raise ApiError(501, "not_supported", "this space cannot be searched")
    number = _whole(query, "page", 1, most=1_000_000)
    per_page = min(_whole(query, "per_page", 20, most=1_000_000), settings.page_size_max)
    hidden_first = settings.look_up_body == "empty_first_page_with_next"
    part = number - 1 - int(hidden_first)
    page = Page(
        marker=query.get("marker"),
        status=query.get("status") or None,
        updated_after=clock.parse_iso(query["updated_after"]) if query.get("updated_after") else None,
        after=_whole(query, "after", 1, most=999_999_999) if query.get("after") else None,
        visible_before=clock.now() - settings.visibility_lag_s if settings.visibility_lag_s else None,
        limit=per_page if part >= 0 else 0,
        offset=max(0, part) * per_page,
    )
    items, total = app.objects.listing(wish.space.name, wish.kind, page)
    pages = max(1, -(-total // per_page)) + int(hidden_first)
    document = {
        "items": [content_of(app, wish.space, item) for item in items],
        "page": number,
        "pages": pages,
        "total": total,
    }
    return json_answer(document, headers=_next_link(app, wish, number) if number < pages else [])


def _next_link(app: App, wish: Wish, number: int) -> list[tuple[str, str]]:
    query = urlencode({**wish.request.query, "page": str(number + 1)})
    return [("Link", f'<{app.base_url}/spaces/{wish.space.name}/{wish.kind}?{query}>; rel="next"')]


def _whole(query: dict[str, str], name: str, default: int, *, most: int) -> int:
    text = query.get(name, str(default))
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS and 1 <= int(text) <= most):
        raise ApiError(400, "bad_query", f"{name} is a whole number from 1", field=name)
    return int(text)
