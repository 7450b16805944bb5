"""Scopes, and their quotes beside each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from django.db.models import Count
from django.shortcuts import get_object_or_404

from billing.models import Quote, Scope
from billing.normal_output import FEE_LINE_OF, FEE_LINES, FeeLine
from billing.quotes import Compared, ScopeLine
from billing.quoting import compared, frozen
from once_delivery.accounts.models import Project
from once_delivery.vendor_drill.models import VendorDrill
from once_delivery.vendor_drill.selectors import Summary, summary_of
from once_delivery.web.selectors.uuids import uuid_or_none


@dataclass(frozen=True, slots=True)
class Cell:
    """What one vendor asks for one line."""

    amount: Decimal | None
    quoted: Decimal | None
    currency: str
    breach: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the scope with every vendor's cell."""

    fee_line: FeeLine
    line: ScopeLine
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The quotes of a scope as a table: vendors are columns."""

    vendors: tuple[Compared, ...]
    quotes: Mapping[str, Quote]
    drills: tuple[Summary | None, ...]  # of each vendor's workflow, in the order of ``vendors``
    rows: tuple[Row, ...]
    expected_units: Decimal


def scopes_of(project: Project) -> list[Scope]:
    """The newest first, each with ``quoted``, the number of its quotes."""
    return list(Scope.objects.filter(project=project).annotate(quoted=Count("quotes")).order_by("-pk"))


def scope_of(project: Project, uuid: UUID) -> Scope:
    """One scope of this project, or 404."""
    return get_object_or_404(
        Scope.objects.select_related("project", "created_by"), project=project, uuid=uuid
    )


def comparison_of(scope: Scope) -> Comparison:
    """Raises NoExchangeRateError."""
    vendors = compared(scope)
    lines = frozen(scope).lines
    cells = [
        [Cell(priced.amount, priced.quoted, found.offer.currency, priced.breach) for priced in found.lines]
        for found in vendors
    ]
    quotes = {quote.vendor: quote for quote in Quote.objects.filter(scope=scope)}
    return Comparison(
        vendors=vendors,
        quotes=quotes,
        drills=_drills(scope, [quotes[found.offer.vendor] for found in vendors]),
        rows=tuple(
            Row(FEE_LINE_OF[line.code], line, tuple(column[place] for column in cells))
            for place, line in enumerate(lines)
        ),
        expected_units=frozen(scope).expected_units,
    )


def _drills(scope: Scope, quotes: Sequence[Quote]) -> tuple[Summary | None, ...]:
    wanted = [quote.drill for quote in quotes if quote.drill]
    found = {
        one.uuid: summary_of(one)
        for one in VendorDrill.objects.filter(project=scope.project, uuid__in=wanted)
    }
    return tuple(found.get(quote.drill) if quote.drill else None for quote in quotes)


def drills_of(project: Project) -> list[VendorDrill]:
    """The drills that may stand beside a quote, newest first."""
    return list(VendorDrill.objects.filter(project=project).order_by("-pk")[:50])


def drill_by(project: Project, text: str) -> VendorDrill | None:
    """The drill that a form names; None for none."""
    uuid = uuid_or_none(text)
    return VendorDrill.objects.filter(project=project, uuid=uuid).first() if uuid else None


def quotable(scope: Scope) -> list[FeeLine]:
    """The lines of the scope, as the form for a quote asks for them."""
    codes = {line.code for line in frozen(scope).lines}
    return [line for line in FEE_LINES if line.code in codes]
