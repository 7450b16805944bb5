"""A secret that the next page shows, once: sealed in the session until then, and gone when it was read."""

from __future__ import annotations

from django.http import HttpRequest

from once_delivery.common.errors import DomainError
from once_delivery.common.secrets import seal, unseal

_KEY = "shown_once"


def keep_once(request: HttpRequest, *, kind: str, secret: str) -> None:
    """For the page that asks for ``kind`` next. A page that is loaded again does not make a second one."""
    request.session[_KEY] = {"kind": kind, "sealed": seal({"secret": secret}).decode("ascii")}


def take_once(request: HttpRequest, *, kind: str) -> str:
    """The secret, which is forgotten now; "" when there is none of this kind."""
    kept = request.session.get(_KEY)
    if not isinstance(kept, dict) or kept.get("kind") != kind:
        return ""
    del request.session[_KEY]
    try:
        return unseal(str(kept["sealed"]).encode("ascii")).get("secret", "")
    except DomainError:  # the key has changed between two pages
        return ""
