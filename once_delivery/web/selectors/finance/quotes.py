"""Scopes, and their quotes beside each other."""

from __future__ import annotations

from collections.abc import Mapping
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
    return Comparison(
        vendors=vendors,
        quotes={quote.vendor: quote for quote in Quote.objects.filter(scope=scope)},
        rows=tuple(
            Row(FEE_LINE_OF[line.code], line, tuple(column[place] for column in cells))
            for place, line in enumerate(lines)
        ),
        expected_units=frozen(scope).expected_units,
    )


def quotable(scope: Scope) -> list[FeeLine]:
    """The lines of the scope, as the form for a quote asks for them."""
    codes = {line.code for line in frozen(scope).lines}
    return [line for line in FEE_LINES if line.code in codes]
