"""Keep the new lines of a file as a document, or as a supplement of a known one: converted once, shared to the lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.utils.translation import gettext_noop

from billing.among import Among
from billing.copying import copy_in
from billing.models import (
    BILLS,
    Books,
    Period,
    PeriodStatus,
    SubBucket,
    SupplierDocument,
    SupplierLine,
)
from billing.suppliers import checks
from billing.suppliers.converting import native_total
from billing.suppliers.crediting import Credits
from billing.suppliers.incoming import Incoming
from billing.suppliers.line import ReadLine
from billing.suppliers.part import Part, day_of, stated_total
from once_delivery.common.sheets.places import Place
from once_delivery.common.sheets.problems import Problems
from once_delivery.ledger.models import Attempt

NO_DOCUMENT = gettext_noop("There is no invoice “%(number)s” of this supplier.")


@dataclass(frozen=True, slots=True)
class Kept:
    """``lines`` are the new ones; without any there is no ``document``. ``attempts``: line's number → attempt named."""

    currency: str
    earlier: Sequence[SupplierDocument]
    document: SupplierDocument | None = None
    lines: Sequence[SupplierLine] = ()
    attempts: Mapping[int, int] = field(default_factory=dict)


def keep(
    incoming: Incoming, lines: Sequence[ReadLine], keys: Sequence[str], books: Books, problems: Problems
) -> Kept:
    """Checks the file, then keeps what is new in it. Raises ImportRefusedError and NoExchangeRateError."""
    currency = checks.currency_of_lines(lines, problems)
    earlier = list(
        SupplierDocument.objects.filter(
            supplier=incoming.supplier, kind=incoming.kind, number=incoming.number
        ).order_by("supplement")
    )
    known = _known_keys(incoming, keys)
    fresh = [index for index, key in enumerate(keys) if key not in known]
    credited = _check(incoming, lines, fresh, currency, problems)
    problems.stop_if_any()
    if not fresh:
        return Kept(currency=currency, earlier=earlier)
    part = Part(incoming, lines, fresh, currency, earlier, whole=len(known) == _count(earlier))
    document, converted = part.document(books)
    document.save()
    kept = [_line(incoming, document, number + 1, lines[number], keys[number]) for number in fresh]
    for index, line in enumerate(kept):
        line.functional_amount, line.tax_functional = converted.amounts[index], converted.taxes[index]
        line.credits_line = credited.get(fresh[index])
    copy_in(kept)
    tokens = _attempts(incoming, lines)
    named = {number + 1: tokens[lines[number].attempt.lower()] for number in fresh if lines[number].attempt}
    return Kept(currency=currency, earlier=earlier, document=document, lines=kept, attempts=named)


def _known_keys(incoming: Incoming, keys: Sequence[str]) -> set[str]:
    """Which lines are there already: of a bill by its number; exports of events overlap, and any of them counts."""
    rows = SupplierLine.objects.filter(
        Among("key", keys), document__supplier=incoming.supplier, document__kind=incoming.kind
    )
    if incoming.kind in BILLS:
        rows = rows.filter(document__number=incoming.number)
    return set(rows.values_list("key", flat=True))


def _count(earlier: Sequence[SupplierDocument]) -> int:
    return SupplierLine.objects.filter(document__in=earlier).count()


def _check(
    incoming: Incoming, lines: Sequence[ReadLine], fresh: Sequence[int], currency: str, problems: Problems
) -> dict[int, SupplierLine]:
    """Adds what is wrong; returns the billed line of each credit."""
    stated = checks.Stated(
        number=incoming.number,
        dated=incoming.dated,
        total=stated_total(incoming),
        late=incoming.late,
        credit_note=incoming.credit_note,
    )
    closed = Period.objects.filter(project=incoming.project, status=PeriodStatus.CLOSED)
    new = [lines[index] for index in fresh]
    days = [day_of(incoming, line) for line in new]
    checks.check_lines(new, days, stated, set(closed.values_list("month", flat=True)), problems)
    checks.check_attempts(new, set(_attempts(incoming, new)), problems)
    if incoming.credit_note:
        checks.check_signs(new, problems)
    if currency:
        checks.check_total(native_total(lines), currency, stated, problems)
    found = Credits(incoming.project, incoming.supplier, _credited(incoming, problems), problems).find(new)
    return {fresh[index]: line for index, line in found.items()}


def _credited(incoming: Incoming, problems: Problems) -> SupplierDocument | None:
    if not incoming.credits_number:
        return None
    found = SupplierDocument.objects.filter(
        supplier=incoming.supplier, kind="invoice", number=incoming.credits_number
    ).first()
    if found is None:
        problems.add(
            "unknown-document",
            NO_DOCUMENT,
            place=Place(column="credits_number"),
            number=incoming.credits_number,
        )
    return found


def _attempts(incoming: Incoming, lines: Sequence[ReadLine]) -> dict[str, int]:
    """Token → attempt of this project; what is no token, or another project's, is not there."""
    tokens = []
    for said in {line.attempt for line in lines if line.attempt}:
        try:
            tokens.append(UUID(said))
        except ValueError:
            continue
    rows = Attempt.objects.filter(Among("token", tokens), project=incoming.project).values_list("token", "pk")
    return {str(token): pk for token, pk in rows}


def _line(
    incoming: Incoming, document: SupplierDocument, number: int, line: ReadLine, key: str
) -> SupplierLine:
    return SupplierLine(
        document=document,
        number=number,
        key=key,
        request_id=line.request_id,
        idempotency_key=line.idempotency_key,
        model=line.model,
        used_at=line.used_at,
        used_until=line.used_until,
        used_on=day_of(incoming, line),
        units=line.units,
        unit=line.unit,
        amount=line.amount,
        tax_amount=line.tax,
        tax_treatment=line.tax_treatment,
        sub_bucket=SubBucket(line.sub_bucket or incoming.supplier.sub_bucket),
        description=line.description,
        raw=dict(line.raw),
    )
