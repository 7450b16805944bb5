"""One cell as what its column holds. A cell that is something else is a problem of its place, never a guess."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, cast

from django.utils.translation import gettext_noop

from once_delivery.common import canonical
from once_delivery.common.errors import DomainError
from once_delivery.common.sheets.cells import DIGITS_LOST, CellError, text_of
from once_delivery.common.sheets.limits import Limits
from once_delivery.common.sheets.sheet import Cell
from once_delivery.common.sheets.strict_json import TOO_DEEP, TooDeepError, strict_json

_WHOLE = re.compile(r"\+?(\d{1,10})(?:\.0+)?")
_MOST = 2**31 - 1
_SCIENTIFIC = re.compile(r"\d+(?:[.,]\d+)?E\+\d+", re.IGNORECASE)

WHOLE = gettext_noop("“%(value)s” is no whole number from 1.")
BRIEF = gettext_noop("The brief begins like JSON but is not: line %(line)s, column %(column)s.")
EMPTY_BRIEF = gettext_noop("The brief is an empty object.")


def code_of(cell: Cell, name: str) -> str:
    """A part of an identity in canonical form."""
    text = text_of(cell)
    if _SCIENTIFIC.fullmatch(text.strip()):
        raise CellError("digits-lost", DIGITS_LOST, value=text)
    try:
        return _code(text, name)
    except DomainError as error:
        raise CellError(error.code, str(error.template), **error.params) from None


def locale_of(cell: Cell) -> str:
    """A language tag in canonical form."""
    try:
        return _locale(text_of(cell))
    except DomainError as error:
        raise CellError(error.code, str(error.template), **error.params) from None


def whole_number_of(cell: Cell) -> int:
    """“2”, “2.0” and 2.0 are 2; “2.5” is nothing."""
    text = "" if isinstance(cell, bool) else text_of(cell).strip()
    match = _WHOLE.fullmatch(text)
    if match is None or not 1 <= int(match[1]) <= _MOST:
        raise CellError("bad-number", WHOLE, value=str(cell)[:40])
    return int(match[1])


def brief_of(cell: Cell) -> Mapping[str, Any]:
    """A brief: a JSON object, or plain text as ``{"text": …}``."""
    if isinstance(cell, Mapping):
        if not cell:
            raise CellError("bad-brief", EMPTY_BRIEF)
        return cell
    text = text_of(cell)
    if not text.lstrip().startswith("{"):
        return {"text": text}
    return _brief(text)


@lru_cache(maxsize=256)
def _brief(text: str) -> Mapping[str, Any]:
    try:
        found, flaws = strict_json(text, depth=Limits().depth)
    except json.JSONDecodeError as error:
        raise CellError("bad-brief", BRIEF, line=error.lineno, column=error.colno) from None
    except TooDeepError:
        raise CellError("too-deep", TOO_DEEP, most=Limits().depth) from None
    for flaw in flaws:
        raise CellError(flaw.code, flaw.template, **flaw.params)
    if not found:
        raise CellError("bad-brief", EMPTY_BRIEF)
    return cast("dict[str, Any]", found)


@lru_cache(maxsize=4096)
def _code(text: str, name: str) -> str:
    return canonical.code(text, name=name)


@lru_cache(maxsize=4096)
def _locale(text: str) -> str:
    return canonical.locale(text)
