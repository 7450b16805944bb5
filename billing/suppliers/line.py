"""One line of a bill, as every shape of file gives it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from billing.models import Tax
from billing.money import written
from once_delivery.common.sheets.places import NOWHERE, Place

PlaceOf = Callable[[str], Place]


def nowhere(_: str) -> Place:
    """The place of what stands nowhere in a file."""
    return NOWHERE


@dataclass(frozen=True, slots=True)
class ReadLine:
    """``amount`` is without tax and may be below 0 (a credit); ``tax`` stands beside it, ``tax_treatment`` says which.

    ``used_at`` is the moment of one request; with ``used_until`` it is the begin of a span that the line sums up.
    ``place`` finds the cell or pointer of a field by its name.
    """

    row: int
    amount: Decimal
    currency: str
    used_at: datetime | None = None
    used_until: datetime | None = None
    request_id: str = ""
    idempotency_key: str = ""
    model: str = ""
    units: Decimal | None = None
    unit: str = ""
    tax: Decimal = Decimal(0)
    tax_treatment: Tax = Tax.NONE
    sub_bucket: str = ""  # "" that of the supplier
    description: str = ""
    document: str = ""  # the number that the line itself names
    attempt: str = ""  # our attempt, where the supplier was told of it
    credits: str = ""  # the request that a credit is for, or the line's number in the credited document
    is_credit: bool = False
    raw: Mapping[str, Any] = field(default_factory=dict)
    place: PlaceOf = nowhere

    def said(self) -> str:
        """What makes it this line, as canonical text: everything that it says, and not where it stands."""
        return json.dumps(
            [
                written(self.amount),
                self.currency,
                self.used_at.isoformat() if self.used_at else "",
                self.used_until.isoformat() if self.used_until else "",
                self.request_id,
                self.idempotency_key,
                self.model,
                written(self.units) if self.units is not None else "",
                self.unit,
                written(self.tax),
                self.tax_treatment,
                self.sub_bucket,
                self.description,
                self.attempt,
                self.credits,
            ],
            ensure_ascii=False,
        )


def keys_of(lines: list[ReadLine]) -> list[str]:
    """The key of each line: the hash of what it says and of how many said the same before it in this file.

    A true repeat is a line of its own, and the same file again has the same keys.
    """
    times: dict[str, int] = {}
    keys = []
    for line in lines:
        said = line.said()
        times[said] = times.get(said, 0) + 1
        keys.append(hashlib.sha256(f"{times[said]}\x1f{said}".encode()).hexdigest())
    return keys
