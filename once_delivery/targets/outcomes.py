"""What an HTTP status means for a request that could have an effect (DESIGN section 4).

A target's declaration may be stricter than this table, never laxer: it may say "unknown" where the table says
"refused"; it may not claim to know what the table calls unknown.
"""

from __future__ import annotations

from collections.abc import Mapping

from once_delivery.targets.base import Outcome

_TABLE: dict[int, Outcome] = {
    **dict.fromkeys((400, 401, 403, 404, 405, 410, 413, 415, 422), Outcome.REFUSED),
    409: Outcome.EXISTS,
    429: Outcome.NOT_DONE,
}
_OK = range(200, 300)
_ACCEPTED = 202
_UNAVAILABLE = 503

# These claim nothing: both make the ledger look before it does anything else.
_CLAIMS_NOTHING = frozenset({Outcome.UNKNOWN, Outcome.EXISTS})
_NOTHING_WAS_MADE = frozenset({Outcome.REFUSED, Outcome.NOT_DONE})


def by_default(status: int) -> Outcome:
    """The table. 2xx is DONE only for an answer that proves it; 202 also needs to be declared."""
    if status == _ACCEPTED:
        return Outcome.ACCEPTED
    if status in _OK:
        return Outcome.DONE
    return _TABLE.get(status, Outcome.UNKNOWN)


def allowed(status: int) -> frozenset[Outcome]:
    """What a declaration may make of ``status``."""
    default = by_default(status)
    if default in _NOTHING_WAS_MADE:
        return _CLAIMS_NOTHING | _NOTHING_WAS_MADE
    if status == _UNAVAILABLE:
        # a target may document that its 503 with Retry-After comes before any processing
        return _CLAIMS_NOTHING | {Outcome.NOT_DONE}
    return _CLAIMS_NOTHING


def laxer(overrides: Mapping[int, Outcome]) -> list[int]:
    """The statuses for which ``overrides`` claims to know more than the table allows."""
    return [status for status, outcome in overrides.items() if outcome not in allowed(status)]


def outcome_of(
    status: int, *, retry_after: bool = False, overrides: Mapping[int, Outcome] | None = None
) -> Outcome:
    """The outcome of an answer with ``status``, before its body is looked at."""
    outcome = (overrides or {}).get(status, by_default(status))
    if status == _UNAVAILABLE and outcome == Outcome.NOT_DONE and not retry_after:
        return Outcome.UNKNOWN
    return outcome
