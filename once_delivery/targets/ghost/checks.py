"""The connection test of a Ghost site. Reads only."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from typing import Any

from once_delivery.common.http import HttpResult
from once_delivery.targets.base import CheckResult
from once_delivery.targets.ghost import filters
from once_delivery.targets.ghost.site import Site, error_of
from once_delivery.targets.ghost.token import LIFE_S
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.reading import document_of, fine

DEADLINE_S = 20.0
OLDEST = 5
# a token older than its life is refused: a clock of ours that is as slow as this will soon be too slow
_SLOW_S = LIFE_S * 0.4
_NOBODYS = "once-nobodys-check"
_DRAFTS_ONLY = "Contributor"
_REDIRECTS = range(300, 400)
_UNAUTHORIZED, _NOT_FOUND = 401, 404
# how "there is no Ghost here" looks: a page for people, a log-in, somebody else's 404
_NO_API = frozenset({"html", "not-found", "unreadable-json", "empty-body", "unreadable-page"})


def run_checks(site: Site) -> list[CheckResult]:
    """One line a question; the later ones are asked only where the earlier ones allow an answer."""
    said: dict[str, Any] = {}
    connection = _attempt("connection", lambda: said.update(_site_of(site)))
    if not connection.ok:
        return [connection]
    results = [
        connection,
        _attempt("version", lambda: _version(said)),
        _attempt("clock", lambda: _clock(site)),
        _attempt("site-url", lambda: _site_url(site, said)),
    ]
    whose: dict[str, Any] = {}
    account = _attempt("account", lambda: whose.update(_account(site)))
    results.append(account)
    if account.ok:
        results += [
            _attempt("cannot-publish", lambda: _cannot_publish(whose)),
            _attempt("look_up:create_draft", lambda: _finds_nothing(site)),
        ]
    return results


def _attempt(name: str, read: Callable[[], None]) -> CheckResult:
    try:
        read()
    except CutError as error:
        return CheckResult(name, ok=False, code=error.code, detail=error.detail)
    return CheckResult(name, ok=True)


def _site_of(site: Site) -> Mapping[str, Any]:
    result = site.result("/site/")
    if result.status in _REDIRECTS:
        # Ghost sends everybody who comes by another name, or without TLS, to the address in its settings
        raise CutError("redirect", detail=result.headers.get("location", "")[:200])
    try:
        document = document_of(fine(result))
    except CutError as error:
        if error.code in _NO_API:
            raise CutError("no-api", detail=error.code) from None
        raise
    found = document.get("site") if isinstance(document, Mapping) else None
    if not isinstance(found, Mapping) or not isinstance(found.get("version"), str):
        raise CutError("no-api", detail="site")
    return found


def _version(said: Mapping[str, Any]) -> None:
    match = re.match(r"(\d{1,4})\.", f"{said['version']}.")
    if match is None or int(match[1]) < OLDEST:
        raise CutError("version-too-old", detail=str(said["version"])[:40])


def _clock(site: Site) -> None:
    """Ours may be fast; where it is slow, a token looks older than it is."""
    if site.said_at is None:
        return
    slow = site.said_at.timestamp() - time.time()
    if slow > _SLOW_S:
        raise CutError("clock-slow", detail=f"{slow:.0f} s")


def _site_url(site: Site, said: Mapping[str, Any]) -> None:
    """Our canonical addresses must be the site's own."""
    told = str(said.get("url", "")).rstrip("/")
    if told != site.parameters.site_url:
        raise CutError("site-url-differs", detail=told[:200])


def _account(site: Site) -> Mapping[str, Any]:
    try:
        return site.account()
    except CutError as error:
        raise _explained(error, site) from None


def _explained(error: CutError, site: Site) -> CutError:
    """A key that is not heard: which of the reasons is it?"""
    if error.http_status not in {_UNAUTHORIZED, _NOT_FOUND}:
        return error
    if error.http_status == _NOT_FOUND:
        return CutError("account-suspended")
    result = site.result("/users/me/")
    told = _words(result)
    if "UNKNOWN_ADMIN_API_KEY" in told:
        return CutError("key-unknown", detail=told)
    if "expired" in told or "maxAge" in told:
        return CutError("token-expired", detail=told)
    return CutError("unauthorized", detail=told)


def _words(result: HttpResult) -> str:
    error = error_of(result)
    return ": ".join(str(error[name]) for name in ("code", "message") if error.get(name))[:300]


def _cannot_publish(account: Mapping[str, Any]) -> None:
    if not account:
        raise CutError("may-publish", detail="integration")
    roles = account.get("roles")
    names = (
        [str(role.get("name")) for role in roles if isinstance(role, Mapping)]
        if isinstance(roles, list)
        else []
    )
    if names != [_DRAFTS_ONLY]:
        raise CutError("may-publish", detail=", ".join(names)[:100])


def _finds_nothing(site: Site) -> None:
    if next(site.posts(filters.carrying(_NOBODYS)), None) is not None:
        raise CutError("filter-ignored")
