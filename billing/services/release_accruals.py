"""Release accruals in full, once, when something better has come."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from billing.entry import NewEntry, like
from billing.models import CostEntry, EntryKind, SupplierLine, Usage
from billing.services.post_entries import post_entries
from once_delivery.accounts.models import Project


def accrual_key(usage: Usage) -> str:
    """The source of the accrual of ``usage``."""
    return f"accrual:{usage.source_key}"


def line_accrual_key(line: SupplierLine) -> str:
    """The source of the accrual of a billing event."""
    return f"accrual:line:{line.pk}"


def open_accruals(project: Project, keys: Collection[str]) -> list[CostEntry]:
    """Of the accruals of these sources those that were not released."""
    return list(
        CostEntry.objects.filter(project=project, kind=EntryKind.ACCRUAL, source_key__in=keys)
        .exclude(source_key="")
        .exclude(pk__in=CostEntry.objects.filter(
            project=project, kind=EntryKind.ACCRUAL_RELEASE, reverses__source_key__in=keys
        ).values("reverses"))
        .order_by("seq")
    )  # fmt: skip


def releases(
    *, project: Project, usages: Iterable[Usage] = (), lines: Iterable[SupplierLine] = ()
) -> list[NewEntry]:
    """The entries that release what is open of ``usages`` and of these billing events."""
    keys = [*map(accrual_key, usages), *map(line_accrual_key, lines)]
    return [
        like(
            one,
            kind=EntryKind.ACCRUAL_RELEASE,
            amount=-one.amount,
            reverses_id=one.pk,
            source_key=f"release:{one.pk}",
        )
        for one in (open_accruals(project, keys) if keys else ())
    ]


def release_accruals(*, project: Project, usages: Iterable[Usage], actor: str) -> int:
    """Afterwards no accrual of ``usages`` is open; returns how many were released.

    Each is released in the month that it belongs to, or in the first open one after it. Raises what ``post_entries`` raises.
    """
    return post_entries(entries=releases(project=project, usages=usages), actor=actor).posted
