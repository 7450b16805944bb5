"""The accruals of requests and of billing events, by the source that each was posted from."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q

from billing.models import CostEntry, EntryKind, SupplierLine, Usage


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
    wanted = Q(supplier_line__in=events) | (Q(source_key__in=keys) & ~Q(source_key=""))
    return list(CostEntry.objects.filter(wanted, project=project_id, kind=EntryKind.ACCRUAL).order_by("seq"))
