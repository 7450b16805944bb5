"""The columns of D1 (ACCOUNTING section 13) and what each means."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from billing.reports.columns import Column, Kind

_T, _I, _M, _N, _AT = Kind.TEXT, Kind.ID, Kind.MONEY, Kind.NUMBER, Kind.INSTANT

HEAD = (
    Column("report_id", _I, _("This report: project, months, basis, and as of when.")),
    Column("generated_at", _AT, _("When the report was made.")),
    Column("as_of", _AT, _("What was posted later is left out.")),
    Column(
        "basis",
        _T,
        _("posted: by the month of posting, frozen at the close; restated: by the month of origin."),
    ),
    Column("period", _T, _("The months of the report.")),
    Column("period_status", _T, _("open, hold or closed; each that occurs in the months.")),
    Column("project_code", _T, _("The project.")),
)
_WHAT = (
    Column(
        "row_type",
        _T,
        _(
            "ASSET: a counted asset. NON_YIELD: given up, duplicate, or of no task. WIP: still in work. "
            "POST_ACCEPTANCE_ADJUSTMENT: cost of an asset that was counted earlier. "
            "UNALLOCATED: what no asset absorbs. TOTAL: the sum of the rows above."
        ),
    ),
    Column("asset_id", _I, _("The accepted deliverable.")),
    Column("task_id", _I, _("The deliverable that was asked for.")),
    Column("product", _T, _("The product's name.")),
    Column("sku", _T, _("The product's code.")),
    Column("locale", _T, _("The language and region.")),
    Column("purpose", _T, _("What the content is for.")),
    Column("input_version", _N, _("The number of the approved brief.")),
    Column(
        "client_request_id",
        _I,
        _("What the client asked for; rework keeps it, a new input version is a new one."),
    ),
    Column("status", _T, _("Where the task stands at the end of the months.")),
    Column("counted_unit", _N, _("What the row adds to the number of accepted, non-duplicate assets.")),
    Column("accepted_at", _AT, _("When it was accepted.")),
    Column("accepted_by", _T, _("Who accepted it."), client=False),
    Column("duplicate_of", _I, _("The asset that counts in its place.")),
    Column("superseded_by", _I, _("The task of the next input version.")),
    Column("attempts_total", _N, _("Requests that could have had an effect, until the end of the months.")),
    Column("attempts_vendor_rework", _N, _("Attempts that the vendor's fault caused.")),
    Column("attempts_retry_duplicate", _N, _("Attempts that a retry or a missed duplicate caused.")),
    Column("review_rounds", _N, _("Decisions about its drafts, until the end of the months.")),
)
_COSTS = (
    Column("platform_cost", _M, _("Share of the platform's cost.")),
    Column("orchestration_cost", _M, _("Orchestration.")),
    Column("tp_generation", _M, _("Third party: generation.")),
    Column("tp_storage", _M, _("Third party: storage.")),
    Column("tp_other", _M, _("Third party: other.")),
    Column("recovery_cleanup", _M, _("Manual recovery and cleanup.")),
    Column("tax_nonrecoverable", _M, _("Tax that cannot be recovered; it is part of the amounts before it.")),
    Column(
        "direct_total", _M, _("Everything that its own attempts and handling cost, rejected ones included.")
    ),
    Column(
        "absorbed_non_yield", _M, _("Share of what yielded nothing; below 0 where the row gives it away.")
    ),
    Column("total_cost", _M, _("direct_total and absorbed_non_yield; sums to the cost of the months.")),
    Column("borne_client", _M, _("Of direct_total, what the client bears.")),
    Column("borne_vendor", _M, _("Of direct_total, what the vendor bears."), client=False),
    Column("claim_provider", _M, _("Of direct_total, what is claimed from the provider."), client=False),
    Column("undetermined", _M, _("Of direct_total, what nobody is known to bear yet."), client=False),
)
_EVIDENCE = (
    Column("pct_grade_A", _N, _("Per cent of direct_total with an invoice line.")),
    Column("pct_grade_B", _N, _("Per cent of direct_total with a provider's billing event.")),
    Column("pct_estimated", _N, _("Per cent of direct_total that is priced usage or an estimate by hand.")),
    Column("currency", _T, _("The currency of the amounts.")),
    Column("fx_summary", _T, _("Rates that amounts were converted at: currency, rate, day."), client=False),
    Column("supplier_docs", _T, _("Numbers of the suppliers' documents."), client=False),
    Column("provider_request_ids", _T, _("The providers' own request IDs, each after REQ-."), client=False),
    Column("corrections_net", _M, _("Of direct_total, what corrects months that were closed.")),
    Column("tax_recoverable_memo", _M, _("Recoverable tax, outside of every other amount."), client=False),
    Column("row_hash", _I, _("SHA-256 of what the row says."), client=False),
)
COLUMNS = (*HEAD, *_WHAT, *_COSTS, *_EVIDENCE)
