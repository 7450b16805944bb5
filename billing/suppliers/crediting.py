"""Which billed line a credit gives back, and what of it still stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import InitVar, dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import Q, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_noop

from billing.allocation import allocate, rounded
from billing.among import Among
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
        asking = {
            index: line
            for index, line in enumerate(lines)
            if line.amount < 0 and (line.credits or line.request_id)
        }
        if not asking:
            return found
        billed = self._billed(asking.values())
        left = {one.pk: one.amount + (one.given or 0) for those in billed.values() for one in those}
        for index, line in asking.items():
            wanted = [one for one in billed[self._name(line)] if one.document.currency == line.currency]
            chosen = next((one for one in wanted if left[one.pk] >= -line.amount), None)
            if chosen is not None:
                left[chosen.pk] += line.amount
                found[index] = chosen
            elif line.credits or wanted:
                self._refuse(line, max((left[one.pk] for one in wanted), default=None))
        return found

    def _name(self, line: ReadLine) -> int | str:
        """By which the billed line is found: its number in the document that is named, else its request."""
        if self.document is not None and line.credits.isdecimal():
            return int(line.credits[:9])
        return line.credits or line.request_id

    def _billed(self, asking: Iterable[ReadLine]) -> dict[int | str, list[Any]]:
        """Name → the lines that it may mean, with what of each was ``given`` back; what was billed twice comes first.

        That is what a supplier gives back.
        """
        names = {self._name(line) for line in asking}
        documents = (
            Q(document__number=self.document.number)
            if self.document is not None
            else Q(document__supplier=self.supplier)
        )
        rows = (
            SupplierLine.objects.filter(
                documents,
                Q(Among("request_id", [name for name in names if isinstance(name, str)]))
                | Q(Among("number", [name for name in names if isinstance(name, int)])),
                document__supplier=self.supplier,
                document__project=self.project,
                document__kind=DocumentKind.INVOICE,
                amount__gt=0,
            )
            .select_related("match", "document")
            .defer("raw", "document__raw")
            .annotate(given=Sum("credited_by__amount"))
        )
        found: dict[int | str, list[Any]] = defaultdict(list)
        for one in sorted(rows, key=lambda one: (one.match.status != LineStatus.DOUBLE, -one.pk)):
            called: set[int | str] = {one.number, one.request_id}
            for name in called & names:
                found[name].append(one)
        return found

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


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands of a billed line in the ledger, by where it stands and who bears it."""

    task_id: int | None
    attempt_id: int | None
    sub_bucket: str
    cause: str
    bearer: str
    origin: date


def standing_of(lines: Iterable[SupplierLine]) -> dict[int, dict[Standing, Decimal]]:
    """Line → the sums that are above 0, after reversals, changes of bearer, allocations and earlier credits."""
    listed = [line.pk for line in lines]
    names = ("task_id", "attempt_id", "sub_bucket", "cause", "bearer", "origin_period")
    rows = (
        CostEntry.objects.filter(
            Q(Among("supplier_line", listed)) | Q(Among("supplier_line__credits_line", listed))
        )
        .exclude(kind=EntryKind.FX_DIFF)
        .annotate(billed=Coalesce("supplier_line__credits_line", "supplier_line"))
        .values_list("billed", *names)
        .annotate(total=Sum("amount"))
        .filter(total__gt=0)
        .order_by("billed", *names)
    )
    found: dict[int, dict[Standing, Decimal]] = {pk: {} for pk in listed}
    for billed, *where, total in rows:
        found[billed][Standing(*where)] = total
    return found


@dataclass(slots=True)
class Crediting:
    """Makes the entries of the credits of one document; what one took is gone for the next."""

    document: SupplierDocument
    quantum: Decimal
    lines: InitVar[Sequence[SupplierLine]]  # of which some are credits
    _standing: dict[int, dict[Standing, Decimal]] = field(init=False)
    _given: dict[int, Decimal] = field(init=False)  # of each billed line, before the credit that is at hand

    def __post_init__(self, lines: Sequence[SupplierLine]) -> None:
        billed = {line.credits_line.pk: line.credits_line for line in lines if line.credits_line is not None}
        self._standing = standing_of(billed.values())
        mine = [line.pk for line in lines]
        before = (
            SupplierLine.objects.filter(Among("credits_line", list(billed)))
            .exclude(Among("pk", mine))
            .values_list("credits_line")
            .annotate(native=Sum("amount"))
            .order_by("credits_line")
        )
        self._given = dict.fromkeys(billed, Decimal(0)) | dict(before)

    def entries(self, line: SupplierLine, billed: SupplierLine) -> Iterator[NewEntry]:
        """What ``billed`` came to in our currency goes back, from where it stands; the rest is a difference of rates.

        ``line`` is below 0. What is posted sums to its functional amount.
        """
        standing = self._standing[billed.pk]
        given = self._goes_back(line, billed, sum(standing.values(), Decimal(0)))
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

    def _goes_back(self, line: SupplierLine, billed: SupplierLine, left: Decimal) -> Decimal:
        self._given[billed.pk] += line.amount
        if billed.amount + self._given[billed.pk] == 0:
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
