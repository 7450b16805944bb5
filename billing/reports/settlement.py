"""D4 and D5: suppliers' lines beside our attempts; duplicates, and what is still to be settled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext_lazy as _

from billing.reports.columns import Column, Kind, Row
from billing.reports.scope import ReportScope
from billing.reports.selecting import NOT_FX, TASK_OF, of_entries, of_tasks, parameters
from billing.reports.streaming import statement, stream

_T, _I, _M, _N, _AT = Kind.TEXT, Kind.ID, Kind.MONEY, Kind.NUMBER, Kind.INSTANT

SUPPLIER_LINES = (
    Column("document", _T, _("Number of the supplier's document.")),
    Column("line", _N, _("Number of the line in it.")),
    Column("request_id", _I, _("The provider's own request ID, after REQ-.")),
    Column("our_attempt", _I, _("The request that it was matched to.")),
    Column("line_amount", _M, _("Amount of the line, in the currency of the accounts.")),
    Column("our_estimate", _M, _("What we had expected.")),
    Column("delta", _M, _("line_amount less our_estimate.")),
    Column(
        "status",
        _T,
        _(
            "MATCHED, AMOUNT, DATE, AMBIGUOUS, ORPHAN_LINE (no attempt fits), DOUBLE (billed twice), "
            "GENERAL (no attempt is meant) or ORPHAN_ATTEMPT (no line has come)."
        ),
    ),
    Column("claim_no", _T, _("Number of the claim on the provider.")),
    Column("age_days", _N, _("Days since the document, or the use, of what is not settled.")),
    Column("owner", _T, _("Who looks into it.")),
)
DUPLICATES = (
    Column(
        "case", _I, _("The pair of duplicates, the case, the task or the supplier's line that it is about.")
    ),
    Column("attempts", _I, _("The requests in question.")),
    Column("cause", _T, _("Why the cost came about.")),
    Column("decided_by", _T, _("Who decided.")),
    Column("decision_record", _T, _("On which record it was decided.")),
    Column("settlement_line", _T, _("The provider's own line that settles it: document and line.")),
    Column("amount", _M, _("What it cost in these months.")),
    Column("bearer", _T, _("Who bears it.")),
    Column("approval", _I, _("The approval on file.")),
    Column("state", _T, _("SETTLED, ACCRUED, UNSETTLED or CLAIM; of a duplicate: its decision.")),
)
QUEUE = (
    Column("item", _I, _("The case.")),
    Column("kind", _T, _("Why a person had to look.")),
    Column("opened_at", _AT, _("When it was opened.")),
    Column("owner", _T, _("Who looks into it.")),
    Column("due_at", _AT, _("When it must be decided.")),
    Column("sla_state", _T, _("MET, MISSED, PAUSED, OVERDUE or RUNNING.")),
    Column("paused_minutes", _N, _("How long the client was waited for.")),
    Column("amount_at_risk", _M, _("Cost of its task that nobody is known to bear yet.")),
    Column("resolution", _T, _("How it was decided.")),
    Column("approval", _I, _("The approvals on file.")),
    Column("reopened_count", _N, _("How often a decision was undone.")),
)


def supplier_lines(scope: ReportScope) -> Iterator[Row]:
    """D4: lines by document and number, then the usages for which no line has come."""
    query = statement("supplier_lines").format(tasks=of_tasks(scope, "n.task_id"))
    return stream(query, _with_beginning(scope))


def duplicates(scope: ReportScope) -> Iterator[Row]:
    """D5: what was found twice, sent twice or billed twice."""
    query = statement("duplicates").format(
        task_of=TASK_OF,
        entries=of_entries(scope),
        cost=NOT_FX,
        tasks=of_tasks(scope, "x.task_id"),
    )
    return stream(query, _with_beginning(scope))


def queue(scope: ReportScope) -> Iterator[Row]:
    """D6: cases that were open in these months."""
    return stream(statement("queue").format(tasks=of_tasks(scope, "n.task_id")), _with_beginning(scope))


def _with_beginning(scope: ReportScope) -> dict[str, Any]:
    asked = parameters(scope)
    return asked | {"begins": scope.begins or asked["first"]}
