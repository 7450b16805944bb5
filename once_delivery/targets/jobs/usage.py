"""What a service tells about a job's cost and output, in one shape for all of them.

``provider``, ``request_id``, ``job_id``; ``units`` and ``amount`` as decimal texts with ``unit`` and ``currency``, each
None where the service does not tell; ``outputs`` (addresses) with ``outputs_expire_at``; ``error``; ``raw``, the
service's own words; ``proven`` ("simulator" or "service"): on what this reading of its fields was proven.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from once_delivery.common import redact
from once_delivery.common.moments import meant

OUTPUTS_MOST = 100
_ADDRESS_LONGEST = 4000
_DIGITS_MOST = 40
_DEEPEST = 8


def usage_of(
    *,
    provider: str,
    proven: str,
    job_id: str,
    request_id: str = "",
    units: Any = None,
    unit: str = "",
    amount: Any = None,
    currency: str = "",
    outputs: tuple[str, ...] = (),
    outputs_expire_at: datetime | None = None,
    error: str = "",
    raw: Any = None,
) -> dict[str, Any]:
    """One job's usage. ``amount`` without ``currency`` is no amount."""
    counted, paid = decimal_text(units), decimal_text(amount) if currency else None
    return {
        "provider": provider,
        "proven": proven,
        "request_id": request_id,
        "job_id": job_id,
        "units": counted,
        "unit": unit if counted is not None else None,
        "amount": paid,
        "currency": currency if paid is not None else None,
        "outputs": list(outputs),
        "outputs_expire_at": outputs_expire_at.isoformat() if outputs_expire_at else None,
        "error": redact.text(error)[:500],
        "raw": redact.data(raw) if isinstance(raw, Mapping) else {},
    }


def decimal_text(value: Any) -> str | None:
    """A number as a decimal text without exponent; None for what is no number of a cost."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        return None
    if not number.is_finite() or number < 0 or abs(number.adjusted()) > _DIGITS_MOST:
        return None
    return format(number, "f")


def addresses_in(value: Any) -> tuple[str, ...]:
    """Every web address in an output, whatever its shape, each once."""
    found = dict.fromkeys(_addresses(value, 0))
    return tuple(found)[:OUTPUTS_MOST]


def _addresses(value: Any, depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        return
    if isinstance(value, str):
        if _is_address(value):
            yield value
        return
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    for part in parts:
        yield from _addresses(part, depth + 1)


def _is_address(text: str) -> bool:
    if len(text) > _ADDRESS_LONGEST or not text.isprintable() or " " in text:
        return False
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname)


def expiry(
    outputs: tuple[str, ...], made_at: datetime | None, keep_s: float | None, told: datetime | None
) -> datetime | None:
    """When the first output goes: as the service or a signed address tells, or as long after ``made_at`` as documented."""
    if not outputs:
        return None
    signed = [until for until in map(signed_until, outputs) if until is not None]
    if told is not None or signed:
        return told or min(signed)
    return made_at + timedelta(seconds=keep_s) if made_at is not None and keep_s else None


def signed_until(address: str) -> datetime | None:
    """Until when a signed address can be used: ``Expires=<seconds since 1970>``, or a date and seconds after it."""
    query = {name.lower(): value for name, value in parse_qsl(urlsplit(address).query)}
    try:
        if "expires" in query:
            return meant(datetime.fromtimestamp(int(query["expires"]), tz=UTC))
        for kind in ("x-amz", "x-tos", "x-goog"):
            if f"{kind}-expires" in query:
                signed = datetime.strptime(query[f"{kind}-date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
                return meant(signed + timedelta(seconds=int(query[f"{kind}-expires"])))
    except (ValueError, KeyError, OverflowError, OSError):
        return None
    return None
