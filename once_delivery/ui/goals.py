"""Where a form leads next: an address of this house and no other."""

from __future__ import annotations

from urllib.parse import unquote_plus, urlsplit

from django.http import HttpRequest
from django.shortcuts import resolve_url
from django.utils.http import escape_leading_slashes, url_has_allowed_host_and_scheme

ANSWER = "answer"  # in a page's address: the kept page that is shown in its place


def safe_goal(request: HttpRequest, *, otherwise: str) -> str:
    """The form's or the address's ``next`` when it is of this house, else ``otherwise``."""
    goal = request.POST.get("next") or request.GET.get("next") or ""
    return goal if _is_ours(request, goal) else resolve_url(otherwise)


def page_of(request: HttpRequest) -> str:
    """Where a person goes on: the page that is asked for, or the one from which a form was sent; a form's own address
    is no page. "/" where the browser does not say which.
    """
    if request.method in {"GET", "HEAD"}:
        return own_address(request)
    return without_answer(came_from(request)) or "/"


def own_address(request: HttpRequest) -> str:
    """The address that is asked for, so that one may be led to it: a path of two slashes would be another house's."""
    return escape_leading_slashes(request.get_full_path())


def came_from(request: HttpRequest) -> str:
    """The page from which a form was sent, as the browser has its address; "" where it does not say, or another house's."""
    said = request.headers.get("Referer", "")
    if not _is_ours(request, said):
        return ""
    parts = urlsplit(said)
    path = escape_leading_slashes(
        parts.path or "/"
    )  # as Django has its own address: two would begin another house's
    return f"{path}?{parts.query}" if parts.query else path


def shows_answer(address: str) -> bool:
    """Whether a kept page is shown at this address."""
    return any(_is_answer(part) for part in address.partition("?")[2].split("&"))


def without_answer(address: str) -> str:
    """The address of the page itself."""
    path, _mark, query = address.partition("?")
    rest = "&".join(part for part in query.split("&") if not _is_answer(part))
    return f"{path}?{rest}" if rest else path


def _is_answer(part: str) -> bool:
    return unquote_plus(part.partition("=")[0]) == ANSWER  # whatever way it is written


def _is_ours(request: HttpRequest, address: str) -> bool:
    return url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
