"""What does not fit a schema, in our words and with a pointer; pydantic's own sentences are for programmers, in English."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_noop

from billing.money import UnknownCurrencyError
from once_delivery.api.schemas.rules import BAD_CHARACTER, UNKNOWN_CURRENCY
from once_delivery.common.errors import Problem
from once_delivery.common.sheets.places import pointer
from once_delivery.common.sheets.strict_json import BAD_CHARACTER as CHARACTER
from once_delivery.intake.schema import MISSING, ONE_OF, OTHER, TOO_FEW, TOO_MUCH, TYPE

UNKNOWN = gettext_noop("“%(key)s” is not known here.")
NO_MOMENT = gettext_noop(
    "“%(value)s” is no moment. Write it as a text with its offset, as in 2026-10-20T09:30:00+08:00; "
    "years from 1970 to 2199 are known."
)
RANGE = gettext_noop("%(value)s is out of range (%(limit)s).")

BAD_TIME = "bad_time"
_RANGES = {
    "greater_than": "gt",
    "greater_than_equal": "ge",
    "less_than": "lt",
    "less_than_equal": "le",
}
_SHORT = frozenset({"string_too_short", "too_short"})
_LONG = frozenset({"string_too_long", "too_long"})


def misfit(error: Mapping[str, Any]) -> Problem:
    """One error of pydantic's list as a problem."""
    where, path = _place(error["loc"])
    code, template, params = _said(str(error["type"]), path, dict(error.get("ctx") or {}), error.get("input"))
    return Problem(
        code=code,
        template=template,
        params=params,
        pointer=pointer(path) if where == "body" else f"?{'.'.join(map(str, path))}",
    )


def _place(loc: tuple[str | int, ...]) -> tuple[str, list[str | int]]:
    """Where, without the names that are the program's own: (body, item, identity, product) is /identity/product."""
    where = str(loc[0]) if loc else "body"
    if where == "body":
        return where, [part for part in loc[2:] if part != "__root__"]
    return where, list(loc[1:])


def _said(
    kind: str, path: list[str | int], ctx: dict[str, Any], value: object
) -> tuple[str, str, dict[str, Any]]:
    key = {"key": str(path[-1])[:80] if path else ""}
    fixed = {
        "missing": ("missing-key", MISSING, key),
        "extra_forbidden": ("unknown-key", UNKNOWN, key),
        UNKNOWN_CURRENCY: (UNKNOWN_CURRENCY, str(UnknownCurrencyError.template), ctx),
        BAD_CHARACTER: (BAD_CHARACTER, CHARACTER, ctx),
        **dict.fromkeys(_SHORT, ("empty-value", TOO_FEW, {})),
        **dict.fromkeys(_LONG, ("too-long", TOO_MUCH, {"most": ctx.get("max_length", "")})),
    }
    if kind in fixed:
        return fixed[kind]
    if kind == BAD_TIME:
        return "bad-time", NO_MOMENT, {"value": str(value)[:40]}
    if kind in {"literal_error", "enum"}:
        return "unknown-value", ONE_OF, {"value": str(value)[:80], "known": str(ctx.get("expected", ""))}
    if kind in _RANGES:
        limit = f"{_RANGES[kind]} {ctx.get(_RANGES[kind])}"
        return "bad-number", RANGE, {"value": str(value)[:40], "limit": limit}
    if kind.endswith(("_type", "_parsing", "_from_float")):
        return "wrong-type", TYPE, {"wanted": kind.rpartition("_")[0].replace("_from", "")}
    return "schema", OTHER, {"rule": kind}
