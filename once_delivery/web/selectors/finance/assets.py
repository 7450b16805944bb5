"""What each asset cost, as the page shows it: the columns that add up, and who the row is about."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from typing import Any
from uuid import UUID

from billing.reports.per_asset import per_asset
from billing.reports.per_asset_columns import COLUMNS
from billing.reports.scope import ReportScope
from billing.reports.totals import Totals, totals
from once_delivery.accounts.models import Project
from once_delivery.web.selectors.finance.report import scope_asked

SHOWN = 200
_NAMES = [column.name for column in COLUMNS]


@dataclass(frozen=True, slots=True)
class AssetRow:
    """One row of the report; amounts sum across to ``total``."""

    said: Mapping[str, Any]

    @property
    def kind(self) -> str:
        return str(self.said["row_type"])

    @property
    def task(self) -> UUID | None:
        """The task's own ID, for a link."""
        text = str(self.said["task_id"] or "").removeprefix("TSK-")
        try:
            return UUID(text)
        except ValueError:
            return None

    @property
    def borne(self) -> list[tuple[str, Decimal]]:
        """Who else bears a part of it."""
        parts = (("vendor", "borne_vendor"), ("provider", "claim_provider"), ("undetermined", "undetermined"))
        return [(word, self.said[name]) for word, name in parts if self.said[name]]


@dataclass(frozen=True, slots=True)
class Assets:
    """The first rows; ``more``: there are others, in the export."""

    scope: ReportScope
    totals: Totals
    rows: tuple[AssetRow, ...]
    more: bool


def assets_of(project: Project, asked: Mapping[str, str]) -> Assets:
    """Raises BadScopeError, NoBooksError."""
    scope = scope_asked(project, asked)
    source = per_asset(scope)
    found = [AssetRow(dict(zip(_NAMES, row, strict=True))) for row in islice(source, SHOWN + 1)]
    if isinstance(source, Generator):
        source.close()
    rows = [row for row in found if row.kind != "TOTAL"]
    return Assets(scope, totals(scope), tuple(rows[:SHOWN]), more=len(rows) > SHOWN)
