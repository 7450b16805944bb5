"""From a line and its verdict to what is posted: who and what it is for, whose fault, who bears it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from billing.allocation import allocate
from billing.entry import NewEntry
from billing.exchange import SAME, Rate
from billing.fault import bearer_of, bearer_of_fee
from billing.models import (
    Bearer,
    Cause,
    DocumentKind,
    EntryKind,
    Grade,
    LineStatus,
    SubBucket,
    SupplierDocument,
    SupplierLine,
    Tax,
    Terms,
)
from billing.money import written
from billing.suppliers.matching import Verdict
from billing.suppliers.sharing import weights_of
from billing.suppliers.uses import Used
from billing.terms_on import terms_on

FINEST = Decimal("1e-12")  # of native amounts, as they are kept
_PLACED = frozenset({LineStatus.MATCHED, LineStatus.AMOUNT, LineStatus.DATE})
_FEES = frozenset({SubBucket.PLATFORM, SubBucket.ORCHESTRATION})


@dataclass(frozen=True, slots=True)
class Place:
    """Where an amount stands: an attempt of a task, or nowhere in particular."""

    amount: Decimal
    native: Decimal
    attempt_id: int | None = None
    task_id: int | None = None


@dataclass(frozen=True, slots=True)
class Poster:
    """Makes the entries of one document. ``causes``: of what each attempt cost, as the facts say now (``fault.py``)."""

    document: SupplierDocument
    quantum: Decimal
    terms: Sequence[Terms]
    causes: Mapping[int, Cause] = field(default_factory=dict)

    def charges(
        self,
        line: SupplierLine,
        verdict: Verdict,
        corrects_id: int | None = None,
        cause: Cause | None = None,
    ) -> Iterator[NewEntry]:
        """The charges (or credits) of a line, or its accrual where the document is none that settles.

        ``cause`` is a person's; else it follows from the verdict and from the facts about each attempt.
        """
        cause = cause or self._cause(verdict)
        for place in self.places(line, verdict):
            own = self.causes.get(place.attempt_id or 0, cause)
            yield self._entry(line, place, own, Tax.NONE, corrects_id)
        if line.tax_treatment == Tax.NON_RECOVERABLE and line.amount:
            for place in self._of(line.tax_functional, line.tax_amount, verdict):
                own = self.causes.get(place.attempt_id or 0, cause)
                yield self._entry(line, place, own, Tax.NON_RECOVERABLE, corrects_id)

    @property
    def settles(self) -> bool:
        """Billing events are accrued until the invoice comes."""
        return self.document.kind != DocumentKind.BILLING_EVENTS

    def _kind(self, place: Place) -> EntryKind:
        if not self.settles:
            return EntryKind.ACCRUAL
        return EntryKind.CHARGE if place.amount >= 0 else EntryKind.SUPPLIER_CREDIT

    def places(self, line: SupplierLine, verdict: Verdict) -> list[Place]:
        """Where the line's amount goes; its places sum to it."""
        return self._of(line.functional_amount, line.amount, verdict)

    def tax_alone(self, line: SupplierLine, bases: Sequence[NewEntry]) -> Iterator[NewEntry]:
        """A line that is tax and nothing else: it follows the charges of its document, or is noted beside them."""
        if line.tax_treatment == Tax.NON_RECOVERABLE:
            yield from self.follow(line, bases, line.tax_functional, line.tax_amount)
            return
        yield self._entry(line, Place(Decimal(0), Decimal(0)), Cause.NORMAL, Tax(line.tax_treatment), None)

    def follow(
        self, line: SupplierLine, bases: Sequence[NewEntry], amount: Decimal, native: Decimal
    ) -> Iterator[NewEntry]:
        """Tax in the cost of ``line``, placed as ``bases`` are; nowhere in particular without any."""
        if not bases:
            yield self._entry(line, Place(amount, native), Cause.NORMAL, Tax.NON_RECOVERABLE, None)
            return
        weights = {index: abs(entry.amount or Decimal(0)) for index, entry in enumerate(bases)}
        shares = allocate(total=amount, weights=weights, quantum=self.quantum).shares
        natives = allocate(total=native, weights=weights, quantum=FINEST).shares
        for index, base in enumerate(bases):
            if shares[index]:
                place = Place(shares[index], natives[index], base.attempt_id, base.task_id)
                entry = self._entry(line, place, base.cause, Tax.NON_RECOVERABLE, None)
                key = f"{entry.source_key}:{index}"
                yield replace(entry, bearer=base.bearer, origin=base.origin, source_key=key)

    def _of(self, amount: Decimal, native: Decimal, verdict: Verdict) -> list[Place]:
        shared = verdict.matched_by == "usage_share"
        if verdict.status not in _PLACED or not verdict.used or (shared and not self.settles):
            return [Place(amount, native)]
        if not shared:
            one = verdict.used[0]
            return [Place(amount, native, one.attempt_id, one.task_id)]
        return self._shared(amount, native, verdict.used)

    def _shared(self, amount: Decimal, native: Decimal, used: Sequence[Used]) -> list[Place]:
        weights = weights_of(used)
        shares = allocate(total=amount, weights=weights, quantum=self.quantum).shares
        natives = allocate(total=native, weights=weights, quantum=FINEST).shares
        task_of = {one.attempt_id: one.task_id for one in used}
        return [
            Place(shares[key], natives[key], key, task_of[key]) for key in sorted(weights) if weights[key]
        ]

    def _cause(self, verdict: Verdict) -> Cause:
        if verdict.status == LineStatus.DOUBLE:
            return Cause.PROVIDER_DOUBLE_BILL
        known = verdict.status in _PLACED or verdict.status == LineStatus.GENERAL
        return Cause.NORMAL if known else Cause.UNDETERMINED

    def _entry(
        self, line: SupplierLine, place: Place, cause: Cause, tax: Tax, corrects_id: int | None
    ) -> NewEntry:
        sub_bucket = SubBucket(line.sub_bucket)
        recoverable = line.tax_treatment == Tax.RECOVERABLE
        settles = self.settles
        return NewEntry(
            project_id=self.document.project_id or 0,
            incurred_on=line.used_on,
            kind=self._kind(place),
            sub_bucket=sub_bucket,
            cause=cause if settles else Cause.UNDETERMINED,
            bearer=self.bearer(line, cause, sub_bucket) if settles else Bearer.UNDETERMINED,
            grade=Grade.INVOICE if settles else Grade.BILLING_EVENT,
            amount=place.amount,
            native_amount=place.native,
            native_currency=self.document.currency,
            exchange=exchange_of(self.document),
            tax_treatment=tax if tax != Tax.NONE or not recoverable else Tax.RECOVERABLE,
            tax_memo=self._memo(line, place) if recoverable else Decimal(0),
            task_id=place.task_id,
            attempt_id=place.attempt_id,
            document_id=self.document.pk,
            supplier_line_id=line.pk,
            corrects_id=corrects_id,
            source_key="" if corrects_id else f"line:{line.pk}:{place.attempt_id or 0}:{tax}",
            description=(line.description or line.model)[:500],
            details=_measured(line),
        )

    def _memo(self, line: SupplierLine, place: Place) -> Decimal:
        """The recoverable tax beside the amount; a share of it where the line is shared."""
        if not line.functional_amount or place.amount == line.functional_amount:
            return line.tax_functional
        return (line.tax_functional * place.amount / line.functional_amount).quantize(Decimal("1e-6"))

    def bearer(self, line: SupplierLine, cause: Cause, sub_bucket: SubBucket) -> Bearer:
        """Who bears it under the terms of the day."""
        terms = terms_on(self.terms, line.used_on)
        if cause is Cause.NORMAL and sub_bucket in _FEES:
            return bearer_of_fee(terms)
        return bearer_of(cause, terms)


def exchange_of(document: SupplierDocument) -> Rate:
    """The rate at which the document was converted."""
    if document.fx_rate is None:
        return SAME
    return Rate(document.fx_rate, document.fx_date, document.fx_source)


def _measured(line: SupplierLine) -> Mapping[str, str]:
    if line.units is None:
        return {}
    return {"units": written(line.units), "unit": line.unit}
