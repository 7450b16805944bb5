"""What came of an import, for whoever asked for it."""

from __future__ import annotations

from dataclasses import replace

from billing.models import Books, LineMatch, LineStatus
from billing.selectors.suppliers import control_of
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
    listed = LineMatch.objects.filter(line__document=document).select_related("line").defer("line__raw")
    return replace(
        result,
        functional_total=document.functional_total,
        tax_total=document.tax_total,
        rate=document.fx_rate,
        rate_day=document.fx_date,
        rate_source=document.fx_source,
        posted=posted.posted,
        sums=control_of(document).by_status,
        lines=[_seen(match) for match in listed.order_by("line")[:LISTED]],
        document=None if dry_run else document,
    )


def _seen(match: LineMatch) -> SeenLine:
    line = match.line
    return SeenLine(
        number=line.number,
        description=line.description or line.model,
        request_id=line.request_id,
        native=line.native_cost,
        amount=line.cost,
        status=LineStatus(match.status),
        attempt_id=match.attempt_id,
        matched_by=match.matched_by,
    )
