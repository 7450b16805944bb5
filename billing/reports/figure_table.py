"""Every figure of ACCOUNTING section 15: what it is called, what it means, what it is measured in."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from billing.models import Books
from billing.money import quantum_of
from billing.reports.drill import Selection
from billing.reports.figure import Figure, Unit
from billing.reports.scope import ReportScope

_MONEY, _SHARE, _COUNT, _HOURS = Unit.MONEY, Unit.SHARE, Unit.COUNT, Unit.HOURS


@dataclass(frozen=True, slots=True)
class Meant:
    """``rate``: it says nothing of few, and is hidden below the minimum n of the accounts."""

    title: str | Promise
    meaning: str | Promise
    unit: Unit
    rate: bool = False


_PER_ASSET = _("Everything that was incurred, by accepted and non-duplicate assets.")
_OPEN = _("Of open uncertain cases.")

MEANT = {
    "cost_per_asset_posted": Meant(_("Cost per accepted asset, posted"), _PER_ASSET, _MONEY),
    "cost_per_asset_restated": Meant(_("Cost per accepted asset, restated"), _PER_ASSET, _MONEY),
    "client_per_asset": Meant(
        _("Client-borne per asset"), _("What the client bears, by the same assets."), _MONEY
    ),
    "completed_per_asset": Meant(
        _("Completed cost per asset"),
        _(
            "Cost of what was finished in these months, whenever it was posted, by the assets counted in them."
        ),
        _MONEY,
    ),
    "recovery_burden": Meant(
        _("Recovery burden"), _("Manual recovery and cleanup, of the whole cost."), _SHARE, rate=True
    ),
    "quality_failure": Meant(
        _("Quality-failure share"),
        _("Recovery, vendor's faults, retries and double bills, of the whole cost."),
        _SHARE,
        rate=True,
    ),
    "duplicate_burden": Meant(
        _("Duplicate burden"),
        _("Cost of tasks whose asset was found to be a duplicate, of the whole cost."),
        _SHARE,
        rate=True,
    ),
    "client_change": Meant(
        _("Client-change share"), _("Cost of the client's changes, of the whole cost."), _SHARE, rate=True
    ),
    "first_pass": Meant(
        _("Strict first-pass yield"),
        _(
            "Accepted at the first review, after one attempt, without recovery, not duplicate; of what was decided."
        ),
        _SHARE,
        rate=True,
    ),
    "first_review": Meant(
        _("First-review acceptance"),
        _("Accepted at the first review, of what was decided."),
        _SHARE,
        rate=True,
    ),
    "change_failure": Meant(
        _("Change-failure rate"),
        _("What was not right at once, of what was decided: the rest of the strict first-pass yield."),
        _SHARE,
        rate=True,
    ),
    "duplicate_rate": Meant(
        _("Duplicate rate"),
        _("Assets found to be duplicates, of those that were accepted."),
        _SHARE,
        rate=True,
    ),
    "attempts_per_asset": Meant(
        _("Attempts per accepted asset"),
        _("Attempts of the tasks whose asset counts, by those assets."),
        Unit.TIMES,
        rate=True,
    ),
    "estimate_accuracy": Meant(
        _("Estimate accuracy"),
        _("What attempts were estimated at, of what their invoices said; 100 per cent is exact."),
        _SHARE,
        rate=True,
    ),
    "well_evidenced": Meant(
        _("Cost at grade A or B"),
        _("Cost with an invoice line or a provider's billing event, of the whole cost."),
        _SHARE,
        rate=True,
    ),
    "late_arrivals": Meant(
        _("Late arrivals"), _("Cost that was posted in a later month than it belongs to."), _MONEY
    ),
    "unknown_costs": Meant(
        _("Unknown costs"), _("Usages without a price; what they cost is in no amount."), _COUNT
    ),
    "uncertain_open": Meant(_("Uncertain, open"), _("Cases that are open."), _COUNT),
    "uncertain_at_risk": Meant(
        _("Amount at risk"), _("Cost of their tasks that nobody is known to bear yet."), _MONEY
    ),
    "uncertain_median": Meant(_("Median age"), _OPEN, _HOURS, rate=True),
    "uncertain_p90": Meant(_("Age that nine of ten are below"), _OPEN, _HOURS, rate=True),
    "uncertain_oldest": Meant(_("Oldest"), _OPEN, _HOURS),
    "first_look_in_time": Meant(
        _("First look in time"),
        _("Cases that somebody looked at within the hours of the terms, of those opened."),
        _SHARE,
        rate=True,
    ),
    "resolved_in_time": Meant(
        _("Resolved in time"),
        _("Cases that were decided by their due time, of those decided."),
        _SHARE,
        rate=True,
    ),
    "paused_hours": Meant(
        _("Hours the client was waited for"), _("The clock of a case stands then."), _HOURS
    ),
    "reopened": Meant(
        _("Re-open rate"), _("Cases whose decision was undone, of those decided."), _SHARE, rate=True
    ),
    "recovery_time": Meant(_("Median time to recover"), _("From uncertain to resolved."), _HOURS, rate=True),
    "unmatched_lines": Meant(_("Unmatched lines"), _("Suppliers' lines that wait for an answer."), _COUNT),
    "days_to_close": Meant(
        _("Days to close"),
        _("From the end of the month to its close; the median of the months."),
        Unit.DAYS,
    ),
}


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes figures of one scope."""

    scope: ReportScope
    books: Books

    def __call__(
        self,
        code: str,
        numerator: Decimal | int | None,
        denominator: Decimal | int | None = None,
        *,
        n: int,
        selection: Selection | None = None,
        scope: ReportScope | None = None,
        status: str = "",
    ) -> Figure:
        """``scope``: where it is another than that of all."""
        meant = MEANT[code]
        return Figure(
            code=code,
            title=meant.title,
            meaning=meant.meaning,
            unit=meant.unit,
            scope=scope or self.scope,
            numerator=None if numerator is None else Decimal(numerator),
            denominator=None if denominator is None else Decimal(denominator),
            n=n,
            least_n=self.books.minimum_n if meant.rate else 0,
            quantum=quantum_of(self.books.currency),
            status=status,
            selection=selection,
        )
