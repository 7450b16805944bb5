"""What a provider told of one request, as receipts, observations and reports keep it (``targets/jobs/usage.py``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from billing.suppliers.values import amount_of, currency_of
from once_delivery.common.sheets.cells import CellError


@dataclass(frozen=True, slots=True)
class Told:
    """One request of one attempt. ``grade`` is that of ``amount``; "" where there is none."""

    source_key: str
    attempt_id: int
    task_id: int
    provider: str
    used_at: datetime
    model: str = ""
    request_id: str = ""
    job_id: str = ""
    idempotency_key: str = ""
    units: Decimal | None = None
    unit: str = ""
    amount: Decimal | None = None
    currency: str = ""

    @property
    def identity(self) -> tuple[int, str, str]:
        """Which request it is: what is told of it again is the same one."""
        return (self.attempt_id, self.provider, self.job_id or self.request_id)

    def says_more_than(self, other: Told) -> bool:
        """Whether this was worth telling after ``other``: an amount or units that it lacks, or other ones."""
        if self.amount is not None and (self.amount, self.currency) != (other.amount, other.currency):
            return True
        return (
            other.amount is None
            and self.units is not None
            and (self.units, self.unit)
            != (
                other.units,
                other.unit,
            )
        )


def told(usage: Mapping[str, Any], **known: Any) -> Told | None:
    """What ``usage`` says; None when it tells of no request: nothing that could be billed."""
    provider = _word(usage, "provider", 50)
    units, amount = _number(usage.get("units")), _number(usage.get("amount"))
    currency = _currency(usage.get("currency"))
    if amount is None or not currency:
        amount, currency = None, ""
    request_id, job_id = _word(usage, "request_id", 300), _word(usage, "job_id", 300)
    if not provider or not (request_id or job_id or units is not None or amount is not None):
        return None
    raw = usage.get("raw")
    model = _word(usage, "model", 200) or (_word(raw, "model", 200) if isinstance(raw, Mapping) else "")
    return Told(
        provider=provider,
        request_id=request_id,
        job_id=job_id,
        units=units,
        unit=_word(usage, "unit", 60) if units is not None else "",
        amount=amount,
        currency=currency,
        **known | ({"model": model} if model else {}),
    )


def _word(usage: Mapping[str, Any], name: str, longest: int) -> str:
    found = usage.get(name)
    return found.replace("\x00", "").strip()[:longest] if isinstance(found, str) else ""


def _number(value: Any) -> Decimal | None:
    """A number from 0 on; whatever else a provider writes is no number of a cost."""
    if value is None:
        return None
    try:
        found = amount_of(value, round_finer=True)
    except CellError:
        return None
    return found if found >= 0 else None


def _currency(value: Any) -> str:
    try:
        return currency_of(value) if isinstance(value, str) else ""
    except CellError:
        return ""
