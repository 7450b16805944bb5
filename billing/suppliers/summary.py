"""What came of an import, for whoever asked for it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from decimal import Decimal

from billing.models import Books, LineMatch, LineStatus, Tax
from billing.services.post_entries import Posted
from billing.suppliers.converting import native_total
from billing.suppliers.incoming import LISTED, Imported, Incoming, SeenLine
from billing.suppliers.keeping import Kept
from billing.suppliers.shapes import Bill


def summary(
    incoming: Incoming, bill: Bill, kept: Kept, books: Books, posted: Posted, *, dry_run: bool
) -> Imported:
    """Reads the verdicts of the new lines, before a dry run is undone."""
    document = kept.document
    result = Imported(
        number=incoming.number,
        dry_run=dry_run,
        shape=bill.shape,
        format=bill.format,
        added=len(kept.lines),
        known=len(bill.lines) - len(kept.lines),
        currency=kept.currency,
        total=native_total(bill.lines) if document is None else document.total,
        functional_currency=books.currency,
        earlier=kept.earlier,
    )
    if document is None:
        return result
    matches = list(LineMatch.objects.filter(line__document=document).select_related("line").order_by("line"))
    sums: dict[str, list[Decimal]] = defaultdict(list)
    for match in matches:
        sums[match.status].append(match.line.functional_amount + _tax(match))
    return replace(
        result,
        functional_total=document.functional_total,
        tax_total=document.tax_total,
        rate=document.fx_rate,
        rate_day=document.fx_date,
        rate_source=document.fx_source,
        posted=posted.posted,
        sums={status: (len(amounts), sum(amounts, Decimal(0))) for status, amounts in sums.items()},
        lines=[_seen(match) for match in matches[:LISTED]],
        document=None if dry_run else document,
    )


def _tax(match: LineMatch) -> Decimal:
    return match.line.tax_functional if match.line.tax_treatment == Tax.NON_RECOVERABLE else Decimal(0)


def _seen(match: LineMatch) -> SeenLine:
    line = match.line
    return SeenLine(
        number=line.number,
        description=line.description or line.model,
        request_id=line.request_id,
        native=line.amount,
        amount=line.functional_amount,
        status=LineStatus(match.status),
        attempt_id=match.attempt_id,
        matched_by=match.matched_by,
    )
