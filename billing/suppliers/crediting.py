"""Which billed line a credit gives back, and what of it still stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
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
from billing.suppliers.entries import FINEST, exchange_of
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
        if self.document is not None and line.credits.isdecimal():
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


def standing_of(line: SupplierLine) -> dict[Standing, Decimal]:
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


@dataclass(slots=True)
class Crediting:
    """Makes the entries of the credits of one document; what one took is gone for the next."""

    document: SupplierDocument
    quantum: Decimal
    _standing: dict[int, dict[Standing, Decimal]] = field(default_factory=dict)

    def entries(self, line: SupplierLine, billed: SupplierLine) -> Iterator[NewEntry]:
        """What ``billed`` came to in our currency goes back, from where it stands; the rest is a difference of rates.

        ``line`` is below 0. What is posted sums to its functional amount.
        """
        if billed.pk not in self._standing:
            self._standing[billed.pk] = standing_of(billed)
        standing = self._standing[billed.pk]
        given = self._given(line, billed, sum(standing.values(), Decimal(0)))
        weights = dict(enumerate(standing.values()))
        shares = allocate(total=-given, weights=weights, quantum=self.quantum).shares
        natives = allocate(total=line.amount, weights=weights, quantum=FINEST).shares
        for index, place in enumerate(list(standing)):
            if shares[index]:
                standing[place] += shares[index]
                yield self._credit(line, place, shares[index], natives[index])
        difference = line.functional_amount + given
        if difference or not given:
            yield self._difference(line, difference, line.amount if not given else Decimal(0))

    def _given(self, line: SupplierLine, billed: SupplierLine, left: Decimal) -> Decimal:
        before = billed.credited_by.filter(pk__lt=line.pk).aggregate(native=Sum("amount"))["native"]
        if billed.amount + (before or Decimal(0)) + line.amount == 0:
            return left
        share = rounded(billed.functional_amount * -line.amount / billed.amount, self.quantum)
        return min(share, left)

    def _credit(self, line: SupplierLine, place: Standing, amount: Decimal, native: Decimal) -> NewEntry:
        return NewEntry(
            project_id=self.document.project_id or 0,
            incurred_on=line.used_on,
            origin=place.origin,
            kind=EntryKind.SUPPLIER_CREDIT,
            sub_bucket=SubBucket(place.sub_bucket),
            cause=Cause(place.cause),
            bearer=Bearer(place.bearer),
            grade=Grade.INVOICE,
            amount=amount,
            native_amount=native,
            native_currency=self.document.currency,
            exchange=exchange_of(self.document),
            task_id=place.task_id,
            attempt_id=place.attempt_id,
            document_id=self.document.pk,
            supplier_line_id=line.pk,
            description=line.description,
        )

    def _difference(self, line: SupplierLine, amount: Decimal, native: Decimal) -> NewEntry:
        return NewEntry(
            project_id=self.document.project_id or 0,
            incurred_on=line.used_on,
            origin=self.document.period,
            kind=EntryKind.FX_DIFF,
            sub_bucket=SubBucket(line.sub_bucket),
            cause=Cause.NORMAL,
            bearer=Bearer.VENDOR,  # what a rate moved between two documents is no cost of an asset
            grade=Grade.INVOICE,
            amount=amount,
            native_amount=native,
            native_currency=self.document.currency,
            exchange=exchange_of(self.document),
            document_id=self.document.pk,
            supplier_line_id=line.pk,
        )
