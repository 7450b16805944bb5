"""An import as plain text for a terminal: counts and notes."""

from __future__ import annotations

from django.utils.translation import gettext as _

from once_delivery.common.sheets.characters import printable
from once_delivery.common.sheets.printed import columns, printed_notes
from once_delivery.intake.report import ImportReport


def printed_report(report: ImportReport) -> str:
    """What was done, or what would be."""
    counts = (
        (_("products new"), report.result.products_new),
        (_("input versions new"), report.result.versions_new),
        (_("tasks new"), report.result.tasks_new),
        (_("actions new"), report.result.actions_new),
        (_("suppressed repeats"), report.result.suppressed),
        (_("superseded"), report.result.superseded),
    )
    head = _("Batch “%(name)s”: %(deliveries)s deliveries and %(files)s pictures, read from %(format)s.") % {
        "name": printable(report.batch_name),
        "deliveries": report.deliveries,
        "files": report.files,
        "format": report.format,
    }
    end = _("Dry run: nothing of this was kept.") if report.dry_run else _("Imported.")
    rows = columns([(name, str(count)) for name, count in counts])
    return "\n".join([head, *(f"  {row}" for row in rows), *printed_notes(report.notes), end])
