"""What an address names: its steps, and whether it begins as another one does. Pure.

An address may carry its route in the query (``/index.php?rest_route=/wp/v2/posts/7``): that of a site whose server
rewrites no paths.
"""

from __future__ import annotations

from urllib.parse import parse_qsl, unquote, urlsplit

IDS = ("id", "documentId", "_id", "uuid")  # what an object's own ID is called


def steps_of(path: str) -> frozenset[str]:
    """Every step of the path and of a route in the query, and what the query calls an ID."""
    route, query = _parts(path)
    steps = set(route.split("/"))
    for name, value in query:
        if value.startswith("/"):
            steps.update(value.split("/"))
        elif name in IDS:
            steps.add(value)
    return frozenset(steps - {""})


def begins(path: str, creates_at: str) -> bool:
    """Whether a request to ``path`` is to the agreed place: its path begins so, and so does each value of the query."""
    route, query = _parts(path)
    wanted_route, wanted = _parts(creates_at)
    return route.startswith(wanted_route) and _has(query, wanted)


def is_near(path: str, creates_at: str) -> bool:
    """Whether it is about what is made there: the same route, whatever else the query says, with a slash at its end or without."""
    route, query = _parts(path)
    wanted_route, wanted = _parts(creates_at)
    routes = [(name, value.rstrip("/")) for name, value in wanted if value.startswith("/")]
    return bool(creates_at) and route.startswith(wanted_route.rstrip("/")) and _has(query, routes)


def last_step(address: str) -> str:
    """What an address ends with, "" when it has no path."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    route, query = _parts(f"{parts.path}?{parts.query}")
    last = route.rstrip("/").rsplit("/", 1)[-1]
    if last and not last.endswith(".php"):
        return last
    routed = next((value for _, value in query if value.startswith("/")), route)
    return routed.rstrip("/").rsplit("/", 1)[-1]


def _parts(path: str) -> tuple[str, list[tuple[str, str]]]:
    route, _, query = path.partition("?")
    return unquote(route), parse_qsl(query, keep_blank_values=True)


def _has(query: list[tuple[str, str]], wanted: list[tuple[str, str]]) -> bool:
    return all(any(key == name and value.startswith(start) for key, value in query) for name, start in wanted)
