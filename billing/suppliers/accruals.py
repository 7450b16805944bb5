"""The accruals of requests and of billing events, by the source that each was posted from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from django.db.models import Q

from billing.among import Among
from billing.models import CostEntry, EntryKind, SupplierLine, Tax, Usage


def accrual_key(usage: Usage) -> str:
    """The source of the accrual of ``usage``."""
    return f"accrual:{usage.source_key}"


def accruals_of(
    *, project_id: int, usages: Iterable[Usage] = (), lines: Iterable[SupplierLine] = ()
) -> list[CostEntry]:
    """Every accrual of these, released or not, oldest first."""
    keys = [accrual_key(usage) for usage in usages]
    events = [line.pk for line in lines]
    # what a billing event told was accrued as its line, with tax that cannot be recovered apart
    events += [int(key.rpartition(":")[2]) for key in keys if key.startswith("accrual:line:")]
    if not keys and not events:
        return []
    wanted = Q(Among("supplier_line", events)) | (Q(Among("source_key", keys)) & ~Q(source_key=""))
    return list(CostEntry.objects.filter(wanted, project=project_id, kind=EntryKind.ACCRUAL).order_by("seq"))


def expected_of(*, project_id: int, usages: Sequence[Usage]) -> dict[int, tuple[Decimal, str]]:
    """Usage → what was accrued of it in our currency, released or not, and its grade; the last where there are several."""
    by_key = {accrual_key(usage): usage.pk for usage in usages}
    by_line = {
        int(usage.source_key.rpartition(":")[2]): usage.pk
        for usage in usages
        if usage.source_key.startswith("line:")
    }
    found: dict[int, tuple[Decimal, str]] = {}
    for entry in accruals_of(project_id=project_id, usages=usages):
        pk = by_line.get(entry.supplier_line_id or 0) or by_key.get(entry.source_key)
        if pk is not None and entry.tax_treatment != Tax.NON_RECOVERABLE:
            found[pk] = (entry.amount, entry.grade)
    return found
