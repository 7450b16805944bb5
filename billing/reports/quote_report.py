"""D7: quotes of several vendors, line by line, on each frozen scope of the project."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from django.utils.translation import gettext_lazy as _

from billing.models import Scope
from billing.normal_output import FEE_LINE_OF
from billing.quotes import Compared, PricedLine
from billing.quoting import compared
from billing.reports.columns import Column, Kind, Row
from billing.reports.scope import ReportScope

_T, _M, _N = Kind.TEXT, Kind.MONEY, Kind.NUMBER

COLUMNS = (
    Column("scope", _T, _("The frozen scope that every vendor priced.")),
    Column("vendor", _T, _("Who quoted.")),
    Column("status", _T, _("COMPARABLE, INCOMPLETE or NON_COMPLIANT; only the first are ranked.")),
    Column("line", _T, _("Line of the scope.")),
    Column("quantity", _N, _("How many units the scope has.")),
    Column("unit", _T, _("What one unit is.")),
    Column("quoted", _N, _("Price of one unit as it was quoted.")),
    Column("currency", _T, _("Currency of the quote.")),
    Column("rate", _N, _("What one unit of it is in the scope's currency.")),
    Column(
        "normalised", _M, _("Quantity times price, in the scope's currency; 0 where it must never be billed.")
    ),
    Column("gap", _M, _("What it is above the cheapest vendor of the line.")),
    Column("rule_breach", _T, _("yes: the vendor bills what must never be billed.")),
    Column("expected_total", _M, _("Sum of the vendor's lines as quoted; empty where one is missing.")),
    Column("expected_unit_cost", _M, _("expected_total by expected accepted, non-duplicate assets.")),
    Column("rank", _N, _("1 is the cheapest unit; empty where it is not ranked.")),
)


def quote_lines(scope: ReportScope) -> Iterator[Row]:
    """Every frozen scope, by name; its vendors by rank. Raises NoExchangeRateError."""
    frozen = Scope.objects.filter(project=scope.project, frozen_at__isnull=False).select_related("project")
    for one in frozen.order_by("name", "pk"):
        vendors = compared(one)
        cheapest = _cheapest(vendors)
        for vendor in vendors:
            for line in vendor.lines:
                yield _row(one.name, vendor, line, cheapest)


def _cheapest(vendors: tuple[Compared, ...]) -> dict[str, Decimal]:
    least: dict[str, Decimal] = {}
    for vendor in vendors:
        for line in vendor.lines:
            amount = _normalised(line)
            if amount is not None:
                least[line.line.code] = min(amount, least.get(line.line.code, amount))
    return least


def _normalised(line: PricedLine) -> Decimal | None:
    return Decimal(0) if line.breach else line.amount


def _row(scope: str, vendor: Compared, line: PricedLine, cheapest: dict[str, Decimal]) -> Row:
    amount = _normalised(line)
    return (
        scope,
        vendor.offer.vendor,
        vendor.standing.value,
        line.line.code,
        line.line.quantity,
        str(FEE_LINE_OF[line.line.code].unit),
        line.quoted,
        vendor.offer.currency,
        vendor.offer.rate,
        amount,
        None if amount is None else amount - cheapest[line.line.code],
        "yes" if line.breach else "",
        vendor.total,
        vendor.unit_cost,
        vendor.rank,
    )
