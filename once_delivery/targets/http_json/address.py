"""The address of a target, and the credentials that an operator gave for it."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext_noop

from once_delivery.common import redact
from once_delivery.common.errors import InvalidInputError, Problem
from once_delivery.common.http import HttpError, NotSentError
from once_delivery.common.http.message import parse_url


def base_url_of(given: str) -> str:
    """``given`` as the beginning of every address; raises InvalidInputError."""
    url = given.strip().rstrip("/")
    try:
        if "?" in url or "#" in url:
            raise NotSentError("bad-url", "query")
        parse_url(url)
    except HttpError as error:
        problem = Problem(
            code="bad-address",
            template=gettext_noop("“%(address)s” is not an http(s) address without query and password."),
            params={"address": redact.text(given)[:200], "reason": error.detail},
            pointer="/base_url",
        )
        raise InvalidInputError((problem,)) from None
    return url


def credentials_of(given: Mapping[str, str], *names: str) -> tuple[str, ...]:
    """The credentials of these names; raises InvalidInputError that lists all that are missing."""
    missing = tuple(
        Problem(
            code="credential-missing",
            template=gettext_noop("%(pointer)s: there is no credential named “%(name)s”."),
            params={"pointer": f"/credentials/{name}", "name": name},
            pointer=f"/credentials/{name}",
        )
        for name in names
        if not given.get(name)
    )
    if missing:
        raise InvalidInputError(missing)
    return tuple(given[name] for name in names)
