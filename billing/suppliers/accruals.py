"""The accruals of requests and of billing events, by the source that each was posted from."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q

from billing.models import CostEntry, EntryKind, SupplierLine, Usage
from once_delivery.accounts.models import Project


def accrual_key(usage: Usage) -> str:
    """The source of the accrual of ``usage``."""
    return f"accrual:{usage.source_key}"


def line_accrual_keys(line: SupplierLine) -> tuple[str, str]:
    """The sources of the accruals of a billing event: of its amount, and of tax that cannot be recovered."""
    return f"accrual:line:{line.pk}", f"accrual:line:{line.pk}:tax"


def accruals_of(
    *, project: Project, usages: Iterable[Usage] = (), lines: Iterable[SupplierLine] = ()
) -> list[CostEntry]:
    """Every accrual of these, released or not, oldest first."""
    keys = [accrual_key(usage) for usage in usages]
    keys += [f"{key}:tax" for key in keys if key.startswith("accrual:line:")]
    keys += [key for line in lines for key in line_accrual_keys(line)]
    rows = CostEntry.objects.filter(~Q(source_key=""), project=project, kind=EntryKind.ACCRUAL)
    return list(rows.filter(source_key__in=keys).order_by("seq")) if keys else []
