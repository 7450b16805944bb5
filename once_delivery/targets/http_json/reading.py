"""An answer to a read: whole, readable JSON, or the reason why it proves nothing (R5)."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

from once_delivery.common.http import HttpResult
from once_delivery.common.moments import mail_time_of
from once_delivery.targets.base import Look, Verdict
from once_delivery.targets.http_json.documents import UnreadableError, parse_json
from once_delivery.targets.http_json.paging import CutError

_CODES = {401: "unauthorized", 403: "forbidden", 404: "not-found", 429: "rate-limited"}
_REDIRECTS = range(300, 400)
_OK = range(200, 300)
_LONGEST_WAIT_S = 86_400.0


def fine(result: HttpResult) -> HttpResult:
    """``result`` when it is a whole 2xx; raises CutError."""
    if result.status in _REDIRECTS:
        raise CutError("redirect", http_status=result.status)
    if result.status not in _OK:
        code = _CODES.get(result.status, f"http-{result.status}")
        raise CutError(code, http_status=result.status, retry_after_s=retry_after(result))
    if result.cut:
        raise CutError(result.cut, http_status=result.status)
    return result


def document_of(result: HttpResult) -> Any:
    """The JSON of an answer, whatever its status; raises CutError."""
    try:
        return parse_json(result.body, result.headers.get("content-type", ""))
    except UnreadableError as error:
        raise CutError(error.code, http_status=result.status) from None


def cannot_tell(method: str, doubt: CutError) -> Look:
    """What a look that was cut shows: nothing, and why."""
    return Look(
        verdict=Verdict.CANNOT_TELL,
        method=method,
        complete=False,
        code=doubt.code,
        http_status=doubt.http_status,
        retry_after_s=doubt.retry_after_s,
        detail=doubt.detail,
    )


def retry_after(result: HttpResult) -> float | None:
    """Seconds that the target asks to wait, at most a day; None when it does not say."""
    given = result.headers.get("retry-after", "").strip()
    try:
        seconds = float(given)
    except ValueError:
        until = mail_time_of(given)
        if until is None:
            return None
        seconds = (until - datetime.now(UTC)).total_seconds()
    return min(max(seconds, 0.0), _LONGEST_WAIT_S) if math.isfinite(seconds) else None
