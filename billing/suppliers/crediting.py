"""Which billed line a credit gives back, and what of it still stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db.models import Q, QuerySet, Sum
from django.utils.translation import gettext_noop

from billing.allocation import allocate, rounded
from billing.entry import NewEntry
from billing.models import (
    Bearer,
    Cause,
    CostEntry,
    DocumentKind,
    EntryKind,
    Grade,
    LineStatus,
    SubBucket,
    Supplier,
    SupplierDocument,
    SupplierLine,
)
from billing.suppliers.entries import exchange_of
from billing.suppliers.line import ReadLine
from once_delivery.accounts.models import Project
from once_delivery.common.sheets.problems import Problems

NO_LINE = gettext_noop("There is no billed line “%(said)s” that could be credited.")
TOO_MUCH = gettext_noop("%(amount)s is credited, but only %(left)s of that line is left.")


@dataclass(slots=True)
class Credits:
    """Finds the line of each credit; what one credit took, the next does not find."""

    project: Project
    supplier: Supplier
    document: SupplierDocument | None  # that the credit note names
    problems: Problems

    def find(self, lines: Sequence[ReadLine]) -> dict[int, SupplierLine]:
        """Index of a credit → the line that it credits; problems are added at their places."""
        found: dict[int, SupplierLine] = {}
        credited: dict[int, Decimal] = defaultdict(Decimal)
        for index, line in enumerate(lines):
            if line.amount >= 0 or not (line.credits or line.request_id):
                continue
            wanted = list(self._candidates(line))
            left = {one.pk: left_of(one) - credited[one.pk] for one in wanted}
            chosen = next((one for one in wanted if left[one.pk] >= -line.amount), None)
            if chosen is not None:
                credited[chosen.pk] -= line.amount
                found[index] = chosen
            elif line.credits or wanted:
                self._refuse(line, max(left.values(), default=None))
        return found

    def _candidates(self, line: ReadLine) -> Iterator[SupplierLine]:
        """What was billed twice comes first: that is what a supplier gives back."""
        billed = self._billed().filter(document__currency=line.currency, amount__gt=0)
        name = line.credits or line.request_id
        if self.document is not None and line.credits.isdigit():
            billed = billed.filter(number=int(line.credits[:9]))
        else:
            billed = billed.filter(request_id=name)
        ordered = sorted(billed, key=lambda one: (one.match.status != LineStatus.DOUBLE, -one.pk))
        yield from ordered

    def _billed(self) -> QuerySet[SupplierLine]:
        documents = (
            Q(document__number=self.document.number)
            if self.document is not None
            else Q(document__supplier=self.supplier)
        )
        return SupplierLine.objects.filter(
            documents,
            document__supplier=self.supplier,
            document__project=self.project,
            document__kind=DocumentKind.INVOICE,
        ).select_related("match", "document")

    def _refuse(self, line: ReadLine, left: Decimal | None) -> None:
        field = "credits" if line.credits else "request_id"
        if left is None:
            self.problems.add(
                "unknown-credited-line",
                NO_LINE,
                place=line.place(field),
                said=line.credits or line.request_id,
            )
        else:
            self.problems.add(
                "credit-too-large", TOO_MUCH, place=line.place("amount"), amount=-line.amount, left=left
            )


def left_of(line: SupplierLine) -> Decimal:
    """What of the line's own amount was not given back yet."""
    given = line.credited_by.aggregate(total=Sum("amount"))["total"] or Decimal(0)
    return Decimal(line.amount + given)


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands of a billed line in the ledger, by where it stands and who bears it."""

    task_id: int | None
    attempt_id: int | None
    sub_bucket: str
    cause: str
    bearer: str
    origin: date


def standing_of(line: SupplierLine) -> Mapping[Standing, Decimal]:
    """The sums that are above 0, after reversals, changes of bearer, allocations and earlier credits."""
    names = ("task_id", "attempt_id", "sub_bucket", "cause", "bearer", "origin_period")
    rows = (
        CostEntry.objects.filter(Q(supplier_line=line) | Q(supplier_line__credits_line=line))
        .exclude(kind=EntryKind.FX_DIFF)
        .values_list(*names)
        .annotate(total=Sum("amount"))
        .filter(total__gt=0)
        .order_by(*names)
    )
    return {Standing(*row[:-1]): row[-1] for row in rows}


def credit_entries(
    document: SupplierDocument, line: SupplierLine, billed: SupplierLine, quantum: Decimal
) -> Iterator[NewEntry]:
    """The credit gives back what ``billed`` came to in our currency, where it stands; the rest is a difference of rates.

    ``line`` is below 0. What is posted sums to its functional amount.
    """
    before = billed.credited_by.exclude(pk=line.pk).aggregate(native=Sum("amount"))["native"] or Decimal(0)
    whole = billed.amount + before + line.amount == 0
    standing = standing_of(billed)
    left = sum(standing.values(), Decimal(0))
    share = rounded(billed.functional_amount * -line.amount / billed.amount, quantum)
    given = left if whole else min(share, left)
    weights = dict(enumerate(standing.values()))
    shares = allocate(total=-given, weights=weights, quantum=quantum).shares
    natives = allocate(total=line.amount, weights=weights, quantum=Decimal("1e-12")).shares
    for index, place in enumerate(standing):
        if shares[index]:
            yield _entry(document, line, place, shares[index], natives[index])
    difference = line.functional_amount + given
    if difference or not given:
        yield _difference(document, line, difference, line.amount if not given else Decimal(0))


def _entry(
    document: SupplierDocument, line: SupplierLine, place: Standing, amount: Decimal, native: Decimal
) -> NewEntry:
    return NewEntry(
        project_id=document.project_id or 0,
        incurred_on=line.used_on,
        origin=place.origin,
        kind=EntryKind.SUPPLIER_CREDIT,
        sub_bucket=SubBucket(place.sub_bucket),
        cause=Cause(place.cause),
        bearer=Bearer(place.bearer),
        grade=Grade.INVOICE,
        amount=amount,
        native_amount=native,
        native_currency=document.currency,
        exchange=exchange_of(document),
        task_id=place.task_id,
        attempt_id=place.attempt_id,
        document_id=document.pk,
        supplier_line_id=line.pk,
        description=line.description,
    )


def _difference(document: SupplierDocument, line: SupplierLine, amount: Decimal, native: Decimal) -> NewEntry:
    return NewEntry(
        project_id=document.project_id or 0,
        incurred_on=line.used_on,
        origin=document.period,
        kind=EntryKind.FX_DIFF,
        sub_bucket=SubBucket(line.sub_bucket),
        cause=Cause.NORMAL,
        bearer=Bearer.VENDOR,  # what a rate moved between two documents is no cost of an asset
        grade=Grade.INVOICE,
        amount=amount,
        native_amount=native,
        native_currency=document.currency,
        exchange=exchange_of(document),
        document_id=document.pk,
        supplier_line_id=line.pk,
        source_key=f"fx:{line.pk}",
    )


def free_credit(document: SupplierDocument, line: SupplierLine, *, general: bool) -> NewEntry:
    """A credit that names no line: a discount on all (``general``), or one that a person must place."""
    return NewEntry(
        project_id=document.project_id or 0,
        incurred_on=line.used_on,
        origin=document.period,
        kind=EntryKind.SUPPLIER_CREDIT,
        sub_bucket=SubBucket(line.sub_bucket),
        cause=Cause.NORMAL if general else Cause.UNDETERMINED,
        bearer=Bearer.CLIENT if general else Bearer.UNDETERMINED,
        grade=Grade.INVOICE,
        amount=line.functional_amount,
        native_amount=line.amount,
        native_currency=document.currency,
        exchange=exchange_of(document),
        document_id=document.pk,
        supplier_line_id=line.pk,
        source_key=f"line:{line.pk}:0:credit",
        description=line.description,
    )
