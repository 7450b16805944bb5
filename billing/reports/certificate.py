"""D9: what each month was closed on: gates, totals, hashes, who and when."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext_lazy as _

from billing.models import Period
from billing.reports.columns import Column, Kind, Row
from billing.reports.scope import ReportScope

COLUMNS = (
    Column("month", Kind.TEXT, _("The month.")),
    Column("status", Kind.TEXT, _("open, hold or closed.")),
    Column("item", Kind.TEXT, _("What the certificate says something of, its parts divided by dots.")),
    Column("value", Kind.TEXT, _("What it says, as it was at the close.")),
    Column("closed_at", Kind.INSTANT, _("When the month was closed.")),
    Column("closed_by", Kind.TEXT, _("Who closed it.")),
    Column("certificate_hash", Kind.ID, _("SHA-256 of the certificate.")),
)


def certificates(scope: ReportScope) -> Iterator[Row]:
    """One row for each thing that a month's certificate says; one without an item for a month that has none yet."""
    months = Period.objects.filter(project=scope.project).select_related("closed_by").order_by("month")
    if scope.first:
        months = months.filter(month__gte=scope.first)
    if scope.last:
        months = months.filter(month__lte=scope.last)
    for one in months:
        seal = f"sha256:{one.certificate_hash}" if one.certificate_hash else None
        closed_by = one.closed_by.username if one.closed_by else None
        said: list[tuple[str | None, str | None]] = [*_flat(one.certificate)]
        for item, value in said or [(None, None)]:
            yield f"{one.month:%Y-%m}", one.status, item, value, one.closed_at, closed_by, seal


def _flat(said: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every leaf of a JSON value with its path."""
    if isinstance(said, dict):
        for key, value in said.items():
            yield from _flat(value, f"{path}.{key}" if path else str(key))
    elif isinstance(said, list):
        for place, value in enumerate(said, start=1):
            yield from _flat(value, f"{path}.{place}")
    else:
        yield path, "" if said is None else str(said)
