"""Share an organisation's document out to projects: the first step of org → project → task → attempt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from django.db import transaction
from django.utils.translation import gettext_noop

from billing.allocation import allocate
from billing.attempts import sends_in
from billing.entry import NewEntry
from billing.exchange import Rate
from billing.fault import bearer_of, bearer_of_fee
from billing.locking import lock_books
from billing.models import (
    AllocationLevel,
    AllocationRun,
    Books,
    Cause,
    EntryKind,
    Grade,
    SubBucket,
    SupplierDocument,
)
from billing.services.post_entries import NoBooksError, Posted, post_entries
from billing.terms_on import all_terms, terms_on
from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError

METHOD = "sends/1"


class NothingToShareByError(DomainError):
    """With no weight at all the amount belongs to nobody."""

    code = "nothing-to-share-by"
    template = gettext_noop("No project has a share in this: name the weights.")


class CurrenciesDifferError(DomainError):
    """A document is converted once; it cannot be shared by accounts in several currencies."""

    code = "currencies-differ"
    template = gettext_noop("A document can be shared only by projects whose accounts are in one currency.")


class NotAnOrganisationsError(DomainError):
    """A project's own document is not shared by projects."""

    code = "not-an-organisations"
    template = gettext_noop("This document belongs to one project.")


def share_document(
    *,
    document: SupplierDocument,
    projects: Sequence[Project],
    actor: str,
    weights: Mapping[int, Decimal] | None = None,
) -> Posted:
    """Afterwards each project has its share of the document in its ledger; shared again, nothing is added.

    ``weights``: by the project's ID; by default its sends in the document's month. Raises NotAnOrganisationsError,
    NothingToShareByError, CurrenciesDifferError, NoBooksError and what ``post_entries`` raises.
    """
    if document.project_id is not None:
        raise NotAnOrganisationsError
    with transaction.atomic():
        SupplierDocument.objects.select_for_update().get(pk=document.pk)
        lock_books(project.pk for project in projects)
        if AllocationRun.objects.filter(document=document, level=AllocationLevel.PROJECTS).exists():
            return Posted(skipped=len(projects))
        driver = weights or {one.pk: Decimal(sends_in(one, document.period).count()) for one in projects}
        shares = allocate(
            total=document.functional_total, weights=driver, quantum=_quantum([one.pk for one in projects])
        )
        if shares.unallocated:
            raise NothingToShareByError
        run = AllocationRun.objects.create(
            period=document.period,
            level=AllocationLevel.PROJECTS,
            method=METHOD if weights is None else "given/1",
            document=document,
            total=document.functional_total,
            weights={str(key): str(weight) for key, weight in driver.items()},
            made_by=actor,
        )
        whole = sum(driver.values())
        entries = [
            _entry(document, run, project_id, share, driver[project_id] / whole)
            for project_id, share in sorted(shares.shares.items())
        ]
        return post_entries(entries=entries, actor=actor)


def _quantum(project_ids: list[int]) -> Decimal:
    books = list(Books.objects.filter(project__in=project_ids))
    if len(books) != len(project_ids):
        raise NoBooksError
    if len({one.currency for one in books}) > 1:
        raise CurrenciesDifferError
    return max(one.quantum for one in books)


def _entry(
    document: SupplierDocument, run: AllocationRun, project_id: int, share: Decimal, portion: Decimal
) -> NewEntry:
    sub_bucket = SubBucket(document.supplier.sub_bucket)
    terms = terms_on(all_terms(project_id), document.dated)
    foreign = document.fx_rate is not None
    native = share / document.fx_rate if document.fx_rate else share
    return NewEntry(
        project_id=project_id,
        incurred_on=document.dated,
        origin=document.period,
        kind=EntryKind.ALLOCATION_IN,
        sub_bucket=sub_bucket,
        cause=Cause.NORMAL,
        bearer=bearer_of_fee(terms) if sub_bucket is SubBucket.PLATFORM else bearer_of(Cause.NORMAL, terms),
        grade=Grade.INVOICE,
        amount=share,
        native_amount=native.quantize(Decimal("1e-12")),
        native_currency=document.currency,
        exchange=Rate(
            document.fx_rate or Decimal(1), document.fx_date if foreign else None, document.fx_source
        ),
        document_id=document.pk,
        allocation_run_id=run.pk,
        description=document.supplier.name,
        # a project sees its own share of the driver, never another's weight
        details={"driver_share_percent": str((portion * 100).quantize(Decimal("0.01")))},
    )
