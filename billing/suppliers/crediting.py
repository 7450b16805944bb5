"""Which billed line a credit gives back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Q, Sum
from django.utils.translation import gettext_noop

from billing.among import Among
from billing.models import DocumentKind, LineStatus, Supplier, SupplierDocument, SupplierLine, Tax
from billing.suppliers.line import ReadLine
from once_delivery.accounts.models import Project
from once_delivery.common.sheets.problems import Problems

NO_LINE = gettext_noop("There is no billed line “%(said)s” that could be credited.")
TOO_MUCH = gettext_noop("%(amount)s is credited, but only %(left)s of that line is left.")

_TAXED = Q(tax_treatment=Tax.NON_RECOVERABLE)


@dataclass(slots=True)
class _Left:
    """What of a billed line was not given back; ``tax`` is None where none that cannot be recovered was billed with it."""

    amount: Decimal
    tax: Decimal | None

    def holds(self, line: ReadLine) -> bool:
        return self.amount >= -line.amount and self.holds_tax(line)

    def holds_tax(self, line: ReadLine) -> bool:
        return self.tax is None or self.tax >= -_tax_in(line)

    def take(self, line: ReadLine) -> None:
        self.amount += line.amount
        if self.tax is not None:
            self.tax += _tax_in(line)


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
            if line.amount + _tax_in(line) < 0 and (line.credits or line.request_id)
        }
        if not asking:
            return found
        billed = self._billed(asking.values())
        left = {one.pk: _left_of(one) for those in billed.values() for one in those}
        for index, line in asking.items():
            wanted = [one for one in billed[self._name(line)] if one.document.currency == line.currency]
            chosen = next((one for one in wanted if left[one.pk].holds(line)), None)
            if chosen is not None:
                left[chosen.pk].take(line)
                found[index] = chosen
            elif line.credits or wanted:
                self._refuse(line, [left[one.pk] for one in wanted])
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
            )
            .filter(Q(amount__gt=0) | Q(_TAXED, amount=0, tax_amount__gt=0))
            .select_related("match", "document")
            .defer("raw", "document__raw")
            .annotate(
                given=Sum("credited_by__amount"),
                given_tax=Sum(
                    "credited_by__tax_amount", filter=Q(credited_by__tax_treatment=Tax.NON_RECOVERABLE)
                ),
            )
        )
        found: dict[int | str, list[Any]] = defaultdict(list)
        for one in sorted(rows, key=lambda one: (one.match.status != LineStatus.DOUBLE, -one.pk)):
            called: set[int | str] = {one.number, one.request_id}
            for name in called & names:
                found[name].append(one)
        return found

    def _refuse(self, line: ReadLine, left: Sequence[_Left]) -> None:
        if not left:
            self.problems.add(
                "unknown-credited-line",
                NO_LINE,
                place=line.place("credits" if line.credits else "request_id"),
                said=line.credits or line.request_id,
            )
            return
        of_tax = [one.tax for one in left if one.tax is not None and one.amount >= -line.amount]
        self.problems.add(
            "credit-too-large",
            TOO_MUCH,
            place=line.place("tax" if of_tax else "amount"),
            amount=-line.tax if of_tax else -line.amount,
            left=max(of_tax) if of_tax else max(one.amount for one in left),
        )


def _tax_in(line: ReadLine) -> Decimal:
    """The part of what it gives back that is tax."""
    return line.tax if line.tax_treatment == Tax.NON_RECOVERABLE else Decimal(0)


def _left_of(billed: Any) -> _Left:
    taxed = billed.tax_treatment == Tax.NON_RECOVERABLE and billed.tax_amount
    return _Left(
        amount=billed.amount + (billed.given or 0),
        tax=billed.tax_amount + (billed.given_tax or 0) if taxed else None,
    )
