"""The new lines of a document beside what was imported of it before: its total, its rate, their shares."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePath

from billing.exchange import Rate, rate_on
from billing.models import BILLS, Books, DocumentKind, SupplierDocument
from billing.money import LARGEST
from billing.months import day_at, month_of, next_month
from billing.refusals import AmountTooLargeError
from billing.suppliers.converting import Converted, convert, native_total, recoverable_total
from billing.suppliers.incoming import Incoming
from billing.suppliers.line import ReadLine
from once_delivery.common.sheets.characters import printable


def stated_total(incoming: Incoming) -> Decimal | None:
    """The stated total, below 0 for a credit note, however it was written."""
    return -abs(incoming.total) if incoming.total is not None and incoming.credit_note else incoming.total


def day_of(incoming: Incoming, line: ReadLine) -> date:
    """The day on which a line was used: here, or, of a span, as its supplier counts days; else the document's."""
    if line.used_at is None:
        period = incoming.period or month_of(incoming.dated)
        return min(incoming.dated, next_month(period) - timedelta(days=1))
    if line.used_until is not None:
        return line.used_at.astimezone(UTC).date()
    return day_at(incoming.project, line.used_at)


@dataclass(frozen=True, slots=True)
class Part:
    """The new lines of a document, beside what was imported of it before."""

    incoming: Incoming
    lines: Sequence[ReadLine]
    fresh: Sequence[int]
    currency: str
    earlier: Sequence[SupplierDocument]
    whole: bool  # the file holds every line that was imported before too

    def document(self, books: Books) -> tuple[SupplierDocument, Converted]:
        """The row, not saved, and the shares of its lines in their order."""
        incoming, new = self.incoming, [self.lines[index] for index in self.fresh]
        first = self.earlier[0] if self.earlier and incoming.kind in BILLS else None
        rate = self._rate(books, first)
        native, before, posted = self._totals(new, first)
        _refuse_too_large(new, native, rate)
        converted = convert(new, total=native, rate=rate.rate, quantum=books.quantum, posted=posted)
        days = [day_of(incoming, line) for line in new]
        period = incoming.period or min(month_of(max(days)), month_of(incoming.dated))
        document = SupplierDocument(
            project=None if incoming.shared_by else incoming.project,
            supplier=incoming.supplier,
            kind=incoming.kind,
            number=incoming.number,
            supplement=self._supplement(),
            shape=incoming.shape,
            dated=first.dated if first else incoming.dated,
            period=month_of(period),
            currency=self.currency,
            total=native - before,
            tax_total=recoverable_total(new),
            fx_rate=None if rate.day is None else rate.rate,
            fx_date=rate.day,
            fx_source=rate.source,
            functional_total=converted.total,
            credits_document=self._credited(),
            file_name=str(printable(PurePath(incoming.file_name).name))[:255],
            file_sha256=hashlib.sha256(incoming.data).hexdigest(),
            raw=incoming.data,
            imported_by=incoming.user,
        )
        return document, converted

    def _rate(self, books: Books, first: SupplierDocument | None) -> Rate:
        """A document is converted at one rate, also what is added to it later."""
        if first is not None and first.currency == self.currency:
            return Rate(first.fx_rate or Decimal(1), first.fx_date, first.fx_source)
        return rate_on(
            project=self.incoming.project,
            currency=self.currency,
            into=books.currency,
            day=self.incoming.dated,
        )

    def _totals(
        self, new: Sequence[ReadLine], first: SupplierDocument | None
    ) -> tuple[Decimal, Decimal, Decimal]:
        """The total of the document so far, and what of it stood before: in its currency, and posted in ours."""
        stated = stated_total(self.incoming)
        if first is None:
            return (
                stated if stated is not None and self._all_new() else native_total(new),
                Decimal(0),
                Decimal(0),
            )
        before = sum((one.total for one in self.earlier), Decimal(0))
        posted = sum((one.functional_total for one in self.earlier), Decimal(0))
        if stated is not None and self.whole:
            return stated, before, posted
        if stated is not None and self._all_new():
            return before + stated, before, posted
        return before + native_total(new), before, posted

    def _all_new(self) -> bool:
        return len(self.fresh) == len(self.lines)

    def _supplement(self) -> int:
        return max((one.supplement + 1 for one in self.earlier), default=0)

    def _credited(self) -> SupplierDocument | None:
        return SupplierDocument.objects.filter(
            supplier=self.incoming.supplier,
            kind=DocumentKind.INVOICE,
            number=self.incoming.credits_number,
            supplement=0,
        ).first()


def _refuse_too_large(lines: Sequence[ReadLine], total: Decimal, rate: Rate) -> None:
    """Raises AmountTooLargeError for what the ledger could not keep, before anything is worked out with it."""
    paid = sum((abs(line.amount) + abs(line.tax) for line in lines), abs(total))
    if paid >= LARGEST or Fraction(paid) * Fraction(rate.rate) >= LARGEST:
        raise AmountTooLargeError
