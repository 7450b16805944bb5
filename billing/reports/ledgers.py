"""D2 and D3: the two ledgers, entry by entry."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from billing.reports.columns import Column, Kind, Row
from billing.reports.scope import ReportScope
from billing.reports.selecting import TASK_OF, of_entries, of_units, parameters
from billing.reports.streaming import statement, stream
from billing.reports.totals import books_of

_T, _I, _M, _N, _D = Kind.TEXT, Kind.ID, Kind.MONEY, Kind.NUMBER, Kind.DATE


LEDGER = (
    Column("BillingPeriodStart", _D, _("First day of the month of posting.")),
    Column("BillingPeriodEnd", _D, _("First day after the month of posting.")),
    Column("ChargePeriodStart", _D, _("The day on which the cost was incurred.")),
    Column("ChargePeriodEnd", _D, _("The day after it.")),
    Column(
        "BilledCost", _M, _("The amount, in the currency of the accounts; sums to the cost of the months.")
    ),
    Column("EffectiveCost", _M, _("The same: there are no prepaid amounts to spread.")),
    Column("BillingCurrency", _T, _("The currency of the amounts.")),
    Column("ChargeCategory", _T, _("Usage, Credit or Adjustment.")),
    Column("ChargeClass", _T, _("Correction: it belongs to a month that was closed when it was posted.")),
    Column("ChargeDescription", _T, _("What it is for, in words."), client=False),
    Column("ChargeFrequency", _T, _("Usage-Based, Recurring or One-Time.")),
    Column("InvoiceId", _T, _("Number of the supplier's document."), client=False),
    Column("ServiceProviderName", _T, _("The supplier."), client=False),
    Column("ServiceName", _T, _("The supplier's service, else what the cost is for."), client=False),
    Column("SkuId", _T, _("The supplier's model."), client=False),
    Column("SkuMeter", _T, _("What is metered."), client=False),
    Column("PricingQuantity", _N, _("Quantity on the supplier's line."), client=False),
    Column("PricingUnit", _T, _("Unit on the supplier's line."), client=False),
    Column("ConsumedQuantity", _N, _("Quantity that was used."), client=False),
    Column("ConsumedUnit", _T, _("Unit of what was used."), client=False),
    Column("ResourceId", _I, _("The provider's own request ID, after REQ-."), client=False),
    Column("SubAccountId", _T, _("The project.")),
    Column("AllocatedMethodId", _T, _("How it was shared out, with the method's version."), client=False),
    Column("Tags", _T, _("Product, locale, purpose and input version, as JSON.")),
    Column("x_EntryId", _I, _("Number of the entry in the project's ledger.")),
    Column("x_Kind", _T, _("Kind of entry.")),
    Column("x_Bucket", _T, _("P platform and orchestration, T third party, R manual recovery and cleanup.")),
    Column("x_Cause", _T, _("Why the cost came about.")),
    Column("x_Bearer", _T, _("Who bears it.")),
    Column(
        "x_EvidenceGrade",
        _T,
        _("A invoice, B billing event, C provider's answer, D priced usage, E estimate."),
    ),
    Column("x_TaskId", _I, _("The deliverable that was asked for.")),
    Column("x_AttemptId", _I, _("The request that caused it.")),
    Column("x_AssetId", _I, _("The accepted deliverable.")),
    Column("x_OriginPeriod", _D, _("First day of the month that it belongs to.")),
    Column("x_ReversesEntryId", _I, _("The entry that it takes back.")),
    Column("x_CorrectsEntryId", _I, _("The entry that it corrects.")),
    Column("x_ApprovalId", _I, _("The approval on file.")),
    Column("x_FxRate", _N, _("Rate of the conversion; empty where the currency is the same."), client=False),
    Column("x_FxDate", _D, _("Day of the rate."), client=False),
    Column("x_FxSource", _T, _("Who published the rate."), client=False),
    Column("x_Terms", _I, _("Version of the terms that held.")),
    Column("x_PrevHash", _I, _("Hash of the entry before it."), client=False),
    Column("x_Hash", _I, _("Hash of the entry, chained to the one before it.")),
)
UNITS = (
    Column("unit_entry_id", _I, _("Number of the entry in the project's ledger of units.")),
    Column("sign", _N, _("+1 or -1.")),
    Column("reason", _T, _("Why it counts, or counts no more.")),
    Column("asset_id", _I, _("The accepted deliverable.")),
    Column("survivor_asset_id", _I, _("The asset that counts in its place.")),
    Column("posted_period", _D, _("First day of the month of posting.")),
    Column("origin_period", _D, _("First day of the month that it belongs to.")),
    Column("actor", _T, _("Who posted it."), client=False),
    Column("approval_id", _I, _("The approval on file.")),
    Column("evidence", _T, _("What it rests on, as JSON."), client=False),
    Column("hash", _I, _("Hash of the entry, chained to the one before it.")),
)


def ledger(scope: ReportScope) -> Iterator[Row]:
    """D2, in the order of posting; differences of exchange are in it. Raises NoBooksError."""
    asked = parameters(scope) | {
        "currency": books_of(scope).currency,
        "project_code": scope.project.code,
    }
    return stream(statement("ledger").format(task_of=TASK_OF, where=of_entries(scope)), asked)


def units(scope: ReportScope) -> Iterator[Row]:
    """D3, in the order of posting."""
    return stream(statement("units").format(where=of_units(scope)), parameters(scope))
