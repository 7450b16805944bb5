"""Errors as RFC 9457 has them (``application/problem+json``): a stable code for programs, a sentence in the caller's language."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext, gettext_noop

from once_delivery.common.errors import DomainError, InvalidInputError, Problem

MEDIA_TYPE = "application/problem+json"
_TYPE = "urn:once-delivery:problem:{code}"
_UNSTORABLE = gettext_noop(
    "It holds a value that cannot be kept: a NUL, or one that is too long. Nothing was changed."
)
_LISTED = 200
_CONFLICTS = frozenset(
    {
        "content-changed",
        "input-version-changed",
        "permit-does-not-fit",
        "permit-expired",
        "already-reported",
        "idempotency-in-flight",
    }
)
_PRINTS = ("known", "given", "identity")

# what can be said of a status when nothing else is
TITLES = {
    400: gettext_noop("The request cannot be read."),
    401: gettext_noop("A valid token is needed: “Authorization: Bearer once_…”."),
    403: gettext_noop("The role of this token may not do this."),
    404: gettext_noop("There is no such thing in this project."),
    405: gettext_noop("This address does not know that method."),
    411: gettext_noop("Say how long the body is (Content-Length); a body in chunks is not read."),
    413: gettext_noop("The body is too large."),
    415: gettext_noop("The body must be JSON (Content-Type: application/json)."),
    422: gettext_noop("The request does not fit."),
    429: gettext_noop("Too many requests with this token. Wait, then go on."),
    500: gettext_noop("Something went wrong here. Ask again: the identity protects you from doing it twice."),
}
CODES = {
    400: "bad-request",
    401: "token-needed",
    403: "role-not-allowed",
    404: "not-found",
    405: "method-not-allowed",
    411: "length-required",
    413: "too-large",
    415: "not-json",
    422: "invalid-input",
    429: "too-many-requests",
    500: "internal-error",
}


def problem(
    status: int,
    *,
    code: str = "",
    detail: str = "",
    problems: Sequence[Mapping[str, Any]] = (),
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    """One error. ``problems``: every single thing that is wrong, with a pointer into the body."""
    body: dict[str, Any] = {
        "type": _TYPE.format(code=code or CODES.get(status, "refused")),
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": code or CODES.get(status, "refused"),
        "detail": detail or gettext(TITLES.get(status, TITLES[422])),
    }
    if problems:
        body["problems"] = list(problems[:_LISTED])
    return HttpResponse(
        # half a surrogate pair, in a key that came: as JSON escapes it
        json.dumps(body, ensure_ascii=False).encode(errors="backslashreplace"),
        status=status,
        content_type=MEDIA_TYPE,
        headers=headers,
    )


def not_storable() -> HttpResponse:
    """PostgreSQL cannot keep what was given."""
    return problem(400, code="not-storable", detail=gettext(_UNSTORABLE))


def of_domain(error: DomainError) -> HttpResponse:
    """A refusal of the house: 409 where it is about what is there already, else 422."""
    if isinstance(error, InvalidInputError):
        return of_problems(error.problems)
    return problem(409 if error.code in _CONFLICTS else 422, code=error.code, detail=error.message)


def of_problems(found: Sequence[Problem]) -> HttpResponse:
    """All of them; the first conflict decides, with both fingerprints (R9)."""
    first = next((one for one in found if one.code in _CONFLICTS), None)
    chosen = first or found[0]
    return problem(
        409 if first else 422,
        code=chosen.code if first or len(found) == 1 else "invalid-input",
        detail=chosen.message if len(found) == 1 or first else "",
        problems=[_listed(one) for one in found[:_LISTED]],
    )


def _listed(one: Problem) -> dict[str, Any]:
    row = "" if one.row is None else f"/items/{one.row - 1}"
    listed: dict[str, Any] = {
        "code": one.code,
        "detail": one.message,
        "pointer": f"{row}{one.pointer or ''}",
    }
    if one.code in _CONFLICTS:
        listed |= {name: one.params[name] for name in _PRINTS if name in one.params}
    return listed
