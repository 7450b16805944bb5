"""JSON files: what they say, or where they are broken."""

from __future__ import annotations

import json
from typing import Any

from django.utils.translation import gettext_noop

from once_delivery.common.sheets.encoding import decoded
from once_delivery.common.sheets.limits import Limits
from once_delivery.common.sheets.places import Place, pointer
from once_delivery.common.sheets.problems import Problems
from once_delivery.common.sheets.strict_json import TOO_DEEP, TooDeepError, strict_json

BROKEN = gettext_noop("This is not JSON: line %(line)s, column %(column)s.")


def read_json(data: bytes, limits: Limits, problems: Problems, *, exact: bool = False) -> Any:
    """What ``data`` says; raises ImportRefusedError with every problem that lies in the JSON itself.

    ``exact``: fractions are ``Decimal``, digit by digit as they are written, and whole numbers may be long: money.
    """
    text = decoded(data, problems)
    try:
        document, flaws = strict_json(text, depth=limits.depth, exact=exact)
    except json.JSONDecodeError as error:
        problems.add("broken-json", BROKEN, line=error.lineno, column=error.colno)
        raise problems.refusal() from None
    except TooDeepError:
        problems.add("too-deep", TOO_DEEP, most=limits.depth)
        raise problems.refusal() from None
    for flaw in flaws:
        problems.add(flaw.code, flaw.template, place=Place(pointer=pointer(flaw.path)), **flaw.params)
    problems.stop_if_any()
    return document
