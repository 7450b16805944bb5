"""What a connector says is held against the rules before the ledger believes it. Pure.

A connector is written by many hands; "done" without an ID, with another action's marker, or with an ID that cannot
be stored is *unknown*, and only what carries our marker is ours (R3, R6).
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from once_delivery.common.redact import storable
from once_delivery.targets.base import (
    Answer,
    EffectRequest,
    FoundObject,
    Look,
    LookUpRequest,
    Outcome,
    Verdict,
)

ID_LONGEST = 300
VERSION_LONGEST = 200
CONTENT_LONGEST = 100_000
WAIT_LONGEST_S = 86_400.0
_STATUSES = range(100, 1000)
_NAMES_RESULT = frozenset({Outcome.DONE, Outcome.ACCEPTED})
_FOUND = frozenset({Verdict.FOUND, Verdict.FOUND_MANY})


def trusted_answer(request: EffectRequest, answer: Answer) -> Answer:
    """``answer``, or "unknown" where it claims a result that is not certainly this action's."""
    kept = replace(
        answer,
        code=storable(answer.code)[:60],
        result_id=storable(answer.result_id),
        url=storable(answer.url)[:1000],
        marker=storable(answer.marker)[:300] if answer.marker is not None else None,
        detail=storable(answer.detail)[:500],
        excerpt=storable(answer.excerpt)[:2000],
        http_status=_status(answer.http_status),
        retry_after_s=_wait(answer.retry_after_s),
        usage=_storable(answer.usage),
        version=storable(answer.version)[:VERSION_LONGEST],
    )
    if kept.outcome in _NAMES_RESULT:
        fault = _fault(request, answer)
        if fault:
            return replace(kept, outcome=Outcome.UNKNOWN, code=fault, result_id=kept.result_id[:ID_LONGEST])
    return replace(kept, result_id=kept.result_id[:ID_LONGEST])


def _fault(request: EffectRequest, answer: Answer) -> str:
    if not _is_readable(answer.result_id):
        return "no-id"
    if not is_result_id(answer.result_id):
        return "bad-id"
    if answer.marker is not None and answer.marker != marker_at_target(request):
        return "marker-mismatch"
    if request.original is not None and answer.result_id != request.original.result_id:
        return "another-object"
    return ""


def marker_at_target(request: EffectRequest | LookUpRequest) -> str:
    """What the object carries: an update leaves the marker of the action that created it."""
    return request.original.marker if request.original is not None else request.marker


def trusted_look(request: LookUpRequest, look: Look) -> Look:
    """``look`` with only our own objects as ours; what it cannot name for certain means "cannot tell"."""
    kept = replace(
        look,
        method=storable(look.method)[:100],
        code=storable(look.code)[:60],
        detail=storable(look.detail)[:500],
        http_status=_status(look.http_status),
        retry_after_s=_wait(look.retry_after_s),
        candidates=tuple(_clean(one) for one in look.candidates),
    )
    if look.verdict not in _FOUND:
        return replace(kept, objects=())
    if not all(is_result_id(one.result_id) for one in look.objects):
        return replace(kept, verdict=Verdict.CANNOT_TELL, code="bad-id", objects=())
    ours = tuple(_clean(one) for one in look.objects if one.marker in {None, marker_at_target(request)})
    if len(ours) < len(look.objects) or not ours:
        return replace(kept, verdict=Verdict.CANNOT_TELL, code="marker-mismatch", objects=ours)
    distinct = {one.result_id for one in ours}
    return replace(kept, objects=ours, verdict=Verdict.FOUND if len(distinct) == 1 else Verdict.FOUND_MANY)


def is_result_id(value: str) -> bool:
    """Can this be a target's ID, as far as it can be stored, compared, and read by a person?"""
    whole = storable(value) == value and not any(unicodedata.category(one) == "Cc" for one in value)
    return whole and len(value) <= ID_LONGEST and _is_readable(value)


def _is_readable(value: str) -> bool:
    """Blanks, line ends and what has no width name nothing."""
    return any(unicodedata.category(one)[0] not in "CZ" for one in value)


def _clean(found: FoundObject) -> FoundObject:
    return replace(
        found,
        result_id=storable(found.result_id)[:ID_LONGEST],
        marker=storable(found.marker)[:300] if found.marker is not None else None,
        url=storable(found.url)[:1000],
        title=storable(found.title)[:500],
        status=storable(found.status)[:60],
        content_hash=storable(found.content_hash)[:128],
        usage=_storable(found.usage),
        version=storable(found.version)[:VERSION_LONGEST],
        content={
            storable(name)[:100]: storable(text)[:CONTENT_LONGEST] for name, text in found.content.items()
        },
    )


def _storable(data: Mapping[str, Any]) -> dict[str, Any]:
    return {storable(str(key)): _plain(value) for key, value in data.items()}


def _status(value: int | None) -> int | None:
    return value if value is not None and value in _STATUSES else None


def _wait(seconds: float | None) -> float | None:
    """What a target asks to wait, within reason."""
    if seconds is None or not math.isfinite(seconds):
        return None
    return min(max(0.0, seconds), WAIT_LONGEST_S)


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None  # JSON has no word for it
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, Mapping):
        return _storable(value)
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value
