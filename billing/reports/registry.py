"""Every report by its code: one line to add one."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from billing.reports import (
    certificate,
    ledgers,
    per_asset,
    per_asset_columns,
    quote_report,
    settlement,
    wip_bridge,
)
from billing.reports.columns import Report
from once_delivery.common.errors import DomainError

_ALL = (
    Report(
        "per_asset",
        "D1",
        _("Cost of each asset"),
        per_asset_columns.COLUMNS,
        per_asset.per_asset,
        cost_column="total_cost",
        unit_column="counted_unit",
        for_client=True,
    ),
    Report(
        "ledger",
        "D2",
        _("Ledger of costs (FOCUS)"),
        ledgers.LEDGER,
        ledgers.ledger,
        cost_column="BilledCost",
        with_fx=True,
        for_client=True,
    ),
    Report(
        "units",
        "D3",
        _("Ledger of units"),
        ledgers.UNITS,
        ledgers.units,
        unit_column="sign",
        for_client=True,
    ),
    Report(
        "supplier_lines",
        "D4",
        _("Suppliers' lines and our attempts"),
        settlement.SUPPLIER_LINES,
        settlement.supplier_lines,
    ),
    Report("duplicates", "D5", _("Duplicates and settlement"), settlement.DUPLICATES, settlement.duplicates),
    Report("queue", "D6", _("Reconciliation queue"), settlement.QUEUE, settlement.queue),
    Report("quotes", "D7", _("Comparison of quotes"), quote_report.COLUMNS, quote_report.quote_lines),
    Report(
        "wip_bridge",
        "D8",
        _("Work in progress"),
        wip_bridge.COLUMNS,
        wip_bridge.by_month,
        cost_column="posted_cost",
        unit_column="units",
    ),
    Report(
        "certificates",
        "D9",
        _("Certificates of closed months"),
        certificate.COLUMNS,
        certificate.certificates,
    ),
)
REPORTS = {report.code: report for report in _ALL}


class UnknownReportError(DomainError):
    """Not a report of the table."""

    code = "unknown-report"
    template = gettext_noop("There is no report “%(report)s”.")


def report_of(code: str) -> Report:
    """Raises UnknownReportError."""
    try:
        return REPORTS[code]
    except KeyError:
        raise UnknownReportError(report=code) from None
