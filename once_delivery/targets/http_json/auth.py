"""How a request proves who it comes from."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext_noop

from once_delivery.common.errors import InvalidInputError, Problem

_CREDENTIALS = ("credential", "username", "password")


@dataclass(frozen=True, slots=True)
class Auth:
    """Headers and query parameters of every request; ``secrets`` must never be stored or shown."""

    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    query: Mapping[str, str] = field(default_factory=dict, repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)


def read_auth(declared: Mapping[str, Any], credentials: Mapping[str, str]) -> Auth:
    """From a declaration that fits the schema; raises InvalidInputError for a credential that is not there."""
    missing = tuple(
        Problem(
            code="credential-missing",
            template=gettext_noop("%(pointer)s: there is no credential named “%(name)s”."),
            params={"pointer": f"/auth/{part}", "name": declared[part]},
            pointer=f"/auth/{part}",
        )
        for part in _CREDENTIALS
        if part in declared and not credentials.get(declared[part])
    )
    if missing:
        raise InvalidInputError(missing)
    secrets = [value for value in credentials.values() if value]
    headers, query = _headers_and_query(declared, credentials)
    secrets += [value.partition(" ")[2] or value for value in headers.values()]
    return Auth(headers, query, tuple(dict.fromkeys(secrets)))


def _headers_and_query(
    declared: Mapping[str, Any], credentials: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, str]]:
    match declared.get("scheme", "none"):
        case "bearer":
            return {"Authorization": f"Bearer {credentials[declared['credential']]}"}, {}
        case "basic":
            pair = f"{credentials[declared['username']]}:{credentials[declared['password']]}"
            return {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}, {}
        case "header":
            return {declared["name"]: declared.get("prefix", "") + credentials[declared["credential"]]}, {}
        case "query":
            return {}, {declared["name"]: credentials[declared["credential"]]}
        case _:
            return {}, {}
