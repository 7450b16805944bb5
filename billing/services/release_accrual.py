"""Release an estimate in full, once, when the actual cost arrives or when it is known that none will."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from billing.among import Among
from billing.entry import NewEntry, like
from billing.locking import lock_books
from billing.models import Bearer, Cause, CostEntry, EntryKind
from billing.services.post_entries import Posted, post_entries
from billing.standing import Stand, transferred, with_transfers


def releases(accruals: Iterable[CostEntry]) -> list[NewEntry]:
    """The entries that release ``accruals``; who posts the actual posts them with it. Those released are left out."""
    listed = [one for one in accruals if one.kind == EntryKind.ACCRUAL]
    done = set(
        CostEntry.objects.filter(Among("reverses", [one.pk for one in listed])).values_list(
            "reverses_id", flat=True
        )
    )
    entries: list[NewEntry] = []
    for standing in with_transfers(one for one in listed if one.pk not in done):
        accrual = standing.entry
        own = Stand(Cause(accrual.cause), Bearer(accrual.bearer))
        if standing.now != own:
            entries += transferred(standing, own)
        entries.append(
            like(accrual, kind=EntryKind.ACCRUAL_RELEASE, amount=-accrual.amount, reverses_id=accrual.pk)
        )
    return entries


def release_accrual(*, accruals: Iterable[CostEntry], actor: str) -> Posted:
    """Afterwards none of ``accruals`` counts any more, each in the month that takes it now; again, nothing is posted.

    Raises what ``post_entries`` raises.
    """
    listed = list(accruals)
    with transaction.atomic():
        lock_books(one.project_id for one in listed)
        return post_entries(entries=releases(listed), actor=actor)
