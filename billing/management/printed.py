"""An import of a supplier's document as plain text for a terminal."""

from __future__ import annotations

from django.utils.translation import gettext as _

from billing.models import LineStatus
from billing.suppliers.incoming import Imported
from once_delivery.common.sheets.characters import printable
from once_delivery.common.sheets.printed import columns, printed_notes


def printed_import(report: Imported) -> str:
    """What was done, or what would be: lines, totals, and how many lines stand where."""
    head = _(
        "Document “%(number)s”: %(added)s new lines, %(known)s known ones, read as %(shape)s from %(format)s."
    ) % {
        "number": printable(report.number),
        "added": report.added,
        "known": report.known,
        "shape": report.shape,
        "format": report.format,
    }
    rows = [(_("total"), f"{report.total:f}", report.currency)]
    if report.added:
        rows.append((_("posted"), f"{report.functional_total:f}", report.functional_currency))
    for status in LineStatus:
        count, amount = report.sums.get(status, (0, None))
        if amount is not None:
            rows.append((str(status.label), f"{amount:f}", str(count)))
    end = _("Dry run: nothing of this was kept.") if report.dry_run else _("Imported.")
    return "\n".join([head, *(f"  {row}" for row in columns(rows)), *printed_notes(report.notes), end])
