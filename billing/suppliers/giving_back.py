"""What a credit gives back in our currency: cost and tax, each from where it stands; the rest is a difference of rates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import InitVar, dataclass, field
from decimal import Decimal

from django.db.models import Q, Sum

from billing.allocation import allocate, rounded
from billing.among import Among
from billing.entry import NewEntry
from billing.models import Bearer, Cause, EntryKind, Grade, SubBucket, SupplierLine, Tax
from billing.suppliers.entries import FINEST, Poster, exchange_of
from billing.suppliers.still_standing import Left, Standing, standing_of

_TAXED = Q(tax_treatment=Tax.NON_RECOVERABLE)


@dataclass(slots=True)
class Crediting:
    """Makes the entries of the credits of one document; what one took is gone for the next."""

    poster: Poster
    lines: InitVar[Sequence[SupplierLine]]  # of which some are credits
    # each credit, without its tax
    gave: list[tuple[SupplierLine, list[NewEntry]]] = field(default_factory=list)
    _standing: dict[int, Left] = field(init=False)
    # of each billed line, its amount or (True) its tax, before the credit that is at hand
    _given: dict[tuple[int, bool], Decimal] = field(init=False)
    # index in ``gave`` → what tax alone gave back with it
    _taxed: dict[int, Decimal] = field(default_factory=dict)

    def __post_init__(self, lines: Sequence[SupplierLine]) -> None:
        billed = {line.credits_line.pk: line.credits_line for line in lines if line.credits_line is not None}
        self._standing = standing_of(billed.values(), self.poster.quantum)
        before = (
            SupplierLine.objects.filter(Among("credits_line", list(billed)))
            .exclude(Among("pk", [line.pk for line in lines]))
            .values_list("credits_line")
            .annotate(native=Sum("amount"), tax=Sum("tax_amount", filter=_TAXED, default=Decimal(0)))
            .order_by("credits_line")
        )
        self._given = {(pk, tax): Decimal(0) for pk in billed for tax in (False, True)}
        for pk, native, tax in before:
            self._given |= {(pk, False): native, (pk, True): tax}

    def entries(self, line: SupplierLine, billed: SupplierLine) -> Iterator[NewEntry]:
        """What ``billed`` came to in our currency goes back, from where it stands; the rest is a difference of rates.

        ``line`` is below 0, and so is its tax. What is posted sums to its cost. A credit of the net amount leaves the
        tax where it stands.
        """
        base = self._back(line, billed, line.amount, tax=False) if line.amount else []
        taxed = line.tax_treatment == Tax.NON_RECOVERABLE and line.tax_amount
        made = [*base, *(self._tax(line, billed, base) if taxed else [])]
        if line.amount:
            self.gave.append((line, base))
        yield from made
        yield from self._rest(line, made)

    def tax_alone(self, line: SupplierLine) -> Iterator[NewEntry]:
        """Tax below 0 that names no line: it goes back with what its document gives back (``gave``).

        First to the lines that were billed with tax, as much as theirs was; what is left follows the other credits.
        """
        whole = {index: tax for index, (credit, _) in enumerate(self.gave) if (tax := _tax_owed(credit))}
        others = [one for index, one in enumerate(self.gave) if index not in whole]
        owed = {index: max(Decimal(0), one - self._taxed.get(index, 0)) for index, one in whole.items()}
        part = -line.tax_amount if any(owed.values()) else Decimal(0)
        if others:
            part = min(part, rounded(sum(owed.values(), Decimal(0)), FINEST))
        natives = allocate(total=-part, weights=owed, quantum=FINEST).shares
        made: list[NewEntry] = []
        for index, native in natives.items():
            billed = self.gave[index][0].credits_line
            if billed is not None and native:
                self._taxed[index] = self._taxed.get(index, Decimal(0)) - native
                made += self._back(line, billed, native, tax=True)
        native = line.tax_amount + part
        if native:
            bases = [entry for _, entries in others for entry in entries]
            made += self.poster.follow(line, bases, self._worth(line, native, others), native)
        yield from made
        yield from self._rest(line, made)

    def _back(
        self, line: SupplierLine, billed: SupplierLine, native: Decimal, *, tax: bool
    ) -> list[NewEntry]:
        """``native`` of the amount, or of the tax, of ``billed``, from where it stands."""
        left = self._standing[billed.pk]
        standing = left.tax if tax else left.base
        places = list(standing)
        weights = {index: standing[place] for index, place in enumerate(places)}
        given = self._goes_back(billed, native, sum(weights.values(), Decimal(0)), tax=tax)
        shares = allocate(total=-given, weights=weights, quantum=self.poster.quantum).shares
        natives = allocate(total=native, weights=weights, quantum=FINEST).shares
        made = []
        for index, place in enumerate(places):
            if shares[index]:
                standing[place] += shares[index]
                made.append(self._credit(line, place, shares[index], natives[index], tax=tax))
        return made

    def _goes_back(self, billed: SupplierLine, native: Decimal, left: Decimal, *, tax: bool) -> Decimal:
        whole = billed.tax_amount if tax else billed.amount
        ours = billed.tax_functional if tax else billed.functional_amount
        self._given[billed.pk, tax] += native
        if whole + self._given[billed.pk, tax] == 0:
            return left
        return min(rounded(ours * -native / whole, self.poster.quantum), left)

    def _tax(self, line: SupplierLine, billed: SupplierLine, base: Sequence[NewEntry]) -> list[NewEntry]:
        """Of a line whose tax could be recovered nothing goes back: its tax is in no cost."""
        if _own_tax(billed):
            return self._back(line, billed, line.tax_amount, tax=True)
        if billed.tax_amount:
            return []
        # its tax was billed by a line of its own, and follows where its base stands
        gave = [one for credit, made in self.gave if credit.credits_line_id == billed.pk for one in made]
        stands = self._standing[billed.pk].base.items()
        bases = base or gave or [self._credit(line, *one, Decimal(0), tax=False) for one in stands if one[1]]
        worth = self._worth(line, line.tax_amount, [(line, list(base))])
        return list(self.poster.follow(line, bases, worth, line.tax_amount))

    def _worth(
        self, line: SupplierLine, native: Decimal, given: Sequence[tuple[SupplierLine, list[NewEntry]]]
    ) -> Decimal:
        """``native`` of the tax of ``line`` at the rates at which what is ``given`` back was billed."""
        own = exchange_of(self.poster.document).rate
        rates = [
            (own if (billed := credit.credits_line) is None else exchange_of(billed.document).rate, credit)
            for credit, _ in given
        ]
        if all(rate == own for rate, _ in rates):
            return rounded(line.tax_functional * native / line.tax_amount, self.poster.quantum)
        weights = [abs(credit.amount) or Decimal(1) for _, credit in rates]
        weighted = [rate * weight for (rate, _), weight in zip(rates, weights, strict=True)]
        return rounded(native * sum(weighted, Decimal(0)) / sum(weights, Decimal(0)), self.poster.quantum)

    def _rest(self, line: SupplierLine, made: Sequence[NewEntry]) -> Iterator[NewEntry]:
        difference = line.cost - sum((entry.amount or Decimal(0) for entry in made), Decimal(0))
        if difference or not made:
            yield self._difference(line, difference, Decimal(0) if made else line.native_cost)

    def _credit(
        self, line: SupplierLine, place: Standing, amount: Decimal, native: Decimal, *, tax: bool
    ) -> NewEntry:
        document = self.poster.document
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
            tax_treatment=Tax.NON_RECOVERABLE if tax else Tax.NONE,
            task_id=place.task_id,
            attempt_id=place.attempt_id,
            document_id=document.pk,
            supplier_line_id=line.pk,
            description=line.description,
        )

    def _difference(self, line: SupplierLine, amount: Decimal, native: Decimal) -> NewEntry:
        document = self.poster.document
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
        )


def _own_tax(billed: SupplierLine) -> bool:
    return billed.tax_treatment == Tax.NON_RECOVERABLE and bool(billed.tax_amount)


def _tax_owed(credit: SupplierLine) -> Decimal:
    """The tax that was billed with what ``credit`` gives back without it."""
    billed = credit.credits_line
    if billed is None or credit.tax_amount or not _own_tax(billed):
        return Decimal(0)
    return -credit.amount * billed.tax_amount / billed.amount
