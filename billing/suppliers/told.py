"""What a provider told of one request, as receipts, observations and reports keep it (``targets/jobs/usage.py``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
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
    def worth(self) -> tuple[int, bool]:
        """What it is worth beside what else is told of its request, whenever that was: an amount is more than units,
        and the supplier's own record more than what others say of it."""
        said = 2 if self.amount is not None else 1 if self.units is not None else 0
        return said, self.source_key.startswith("line:")

    def says_another(self, other: Told) -> bool:
        """Whether it says another amount, or other units where there is none, or an ID that ``other`` lacks."""
        if self.amount is not None or other.amount is not None:
            another = (self.amount, self.currency) != (other.amount, other.currency)
        else:
            another = (self.units, self.unit) != (other.units, other.unit)
        names = (self.job_id and not other.job_id) or (self.request_id and not other.request_id)
        return another or bool(names)

    def named_as(self, other: Told) -> bool | None:
        """Whether both are of one request, by job or else by request; None where no ID of theirs can be compared."""
        if self.job_id and other.job_id:
            return self.job_id == other.job_id
        if self.request_id and other.request_id:
            return self.request_id == other.request_id
        return None

    def told_alike(self, other: Told) -> bool:
        """Whether both say the same as far as both say anything: without an ID that is the same told twice."""
        pairs = [
            ((self.units, self.unit), (other.units, other.unit)),
            ((self.amount, self.currency), (other.amount, other.currency)),
        ]
        both = [(mine, its) for mine, its in pairs if mine[0] is not None and its[0] is not None]
        silent = not self.worth[0] or not other.worth[0]
        return all(mine == its for mine, its in both) and (bool(both) or silent)

    def with_names_of(self, other: Told) -> Told:
        """The same, under the IDs of both."""
        return replace(
            self, job_id=self.job_id or other.job_id, request_id=self.request_id or other.request_id
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
