"""The figures of a scope, each with the way down to its entries."""

from __future__ import annotations

from urllib.parse import urlencode

from billing.reports.figure import Figure
from billing.reports.figures import figures
from billing.reports.scope import ReportScope


def figures_of(scope: ReportScope) -> list[tuple[Figure, str]]:
    """Each figure, and the query of the page that lists its entries; "" where it is not about costs."""
    return [
        (one, urlencode(one.scope.filters() | one.selection.filters()) if one.selection else "")
        for one in figures(scope)
    ]
