"""How the tables are called in the window, one row and many, in the reader's language."""

from __future__ import annotations

from typing import Any

from django.db.models import Model
from django.utils.translation import npgettext_lazy

ONE, MANY = 1, 2

NAMES = {
    "accounts.User": npgettext_lazy("table", "user account", "user accounts"),
    "accounts.Client": npgettext_lazy("table", "client", "clients"),
    "accounts.Project": npgettext_lazy("table", "project", "projects"),
    "accounts.Membership": npgettext_lazy("table", "membership", "memberships"),
    "accounts.Invitation": npgettext_lazy("table", "invitation", "invitations"),
    "accounts.ApiToken": npgettext_lazy("table", "API token", "API tokens"),
    "accounts.Visit": npgettext_lazy("table", "visit", "visits"),
    "billing.AllocationRun": npgettext_lazy("table", "allocation", "allocations"),
    "billing.Books": npgettext_lazy("table", "project's books", "books of projects"),
    "billing.ColumnMapping": npgettext_lazy("table", "column mapping", "column mappings"),
    "billing.CostEntry": npgettext_lazy("table", "cost entry", "cost entries"),
    "billing.CostSum": npgettext_lazy("table", "sum of costs", "sums of costs"),
    "billing.Duplicate": npgettext_lazy("table", "pair of alike assets", "pairs of alike assets"),
    "billing.DuplicateDecision": npgettext_lazy(
        "table", "decision about a duplicate", "decisions about duplicates"
    ),
    "billing.DuplicateProposal": npgettext_lazy(
        "table", "proposal about a duplicate", "proposals about duplicates"
    ),
    "billing.EntryProposal": npgettext_lazy("table", "proposal about an entry", "proposals about entries"),
    "billing.Export": npgettext_lazy("table", "export", "exports"),
    "billing.ExportEvent": npgettext_lazy("table", "event of an export", "events of exports"),
    "billing.FxRate": npgettext_lazy("table", "exchange rate", "exchange rates"),
    "billing.Judgement": npgettext_lazy("table", "judged cause", "judged causes"),
    "billing.LineMatch": npgettext_lazy("table", "match of a line", "matches of lines"),
    "billing.LineProposal": npgettext_lazy("table", "proposal about a line", "proposals about lines"),
    "billing.Period": npgettext_lazy("table", "month of the books", "months of the books"),
    "billing.PlatformFee": npgettext_lazy("table", "platform fee", "platform fees"),
    "billing.PriceVersion": npgettext_lazy("table", "dated price", "dated prices"),
    "billing.Quote": npgettext_lazy("table", "quote", "quotes"),
    "billing.RateCard": npgettext_lazy("table", "rate card", "rate cards"),
    "billing.Scope": npgettext_lazy("table", "delivery scope", "delivery scopes"),
    "billing.SentDocument": npgettext_lazy("table", "document that was sent", "documents that were sent"),
    "billing.Supplier": npgettext_lazy("table", "supplier", "suppliers"),
    "billing.SupplierDocument": npgettext_lazy("table", "supplier's document", "suppliers' documents"),
    "billing.SupplierLine": npgettext_lazy("table", "supplier's line", "suppliers' lines"),
    "billing.Terms": npgettext_lazy("table", "version of the terms", "versions of the terms"),
    "billing.UnitEntry": npgettext_lazy("table", "unit entry", "unit entries"),
    "billing.UnitSum": npgettext_lazy("table", "sum of units", "sums of units"),
    "billing.Usage": npgettext_lazy("table", "use of a service", "uses of services"),
    "intake.Upload": npgettext_lazy("table", "batch file", "batch files"),
    "intake.UploadedPicture": npgettext_lazy("table", "picture of a batch file", "pictures of batch files"),
    "ledger.Action": npgettext_lazy("table", "action", "actions"),
    "ledger.ActionNeed": npgettext_lazy("table", "need of an action", "needs of actions"),
    "ledger.Attempt": npgettext_lazy("table", "attempt", "attempts"),
    "ledger.Batch": npgettext_lazy("table", "batch", "batches"),
    "ledger.BatchSize": npgettext_lazy("table", "size of a batch", "sizes of batches"),
    "ledger.BatchTask": npgettext_lazy("table", "task of a batch", "tasks of batches"),
    "ledger.Counted": npgettext_lazy("table", "counted figure", "counted figures"),
    "ledger.Event": npgettext_lazy("table", "event", "events"),
    "ledger.Forgotten": npgettext_lazy("table", "forgotten task", "forgotten tasks"),
    "ledger.Gate": npgettext_lazy("table", "gate of a target", "gates of targets"),
    "ledger.Heartbeat": npgettext_lazy("table", "heartbeat", "heartbeats"),
    "ledger.InputVersion": npgettext_lazy("table", "input version", "input versions"),
    "ledger.Lane": npgettext_lazy("table", "lane of a target", "lanes of targets"),
    "ledger.News": npgettext_lazy("table", "piece of news", "pieces of news"),
    "ledger.Observation": npgettext_lazy("table", "observation", "observations"),
    "ledger.Permit": npgettext_lazy("table", "permit", "permits"),
    "ledger.Product": npgettext_lazy("table", "product", "products"),
    "ledger.ProjectSize": npgettext_lazy("table", "size of a project", "sizes of projects"),
    "ledger.Receipt": npgettext_lazy("table", "receipt", "receipts"),
    "ledger.Restoration": npgettext_lazy("table", "restore of a backup", "restores of backups"),
    "ledger.Run": npgettext_lazy("table", "run", "runs"),
    "ledger.RunTask": npgettext_lazy("table", "task of a run", "tasks of runs"),
    "ledger.StoredFile": npgettext_lazy("table", "stored file", "stored files"),
    "ledger.Task": npgettext_lazy("table", "task", "tasks"),
    "ledger.Title": npgettext_lazy("table", "title", "titles"),
    "ledger.UsageReport": npgettext_lazy("table", "report of usage", "reports of usage"),
    "notices.Message": npgettext_lazy("table", "message", "messages"),
    "notices.Route": npgettext_lazy("table", "route of notices", "routes of notices"),
    "reconciliation.Approval": npgettext_lazy("table", "approval", "approvals"),
    "reconciliation.Audit": npgettext_lazy("table", "audit", "audits"),
    "reconciliation.AuditedObject": npgettext_lazy("table", "listed object", "listed objects"),
    "reconciliation.BulkDecision": npgettext_lazy("table", "bulk decision", "bulk decisions"),
    "reconciliation.Calendar": npgettext_lazy("table", "working calendar", "working calendars"),
    "reconciliation.Case": npgettext_lazy("table", "case", "cases"),
    "reconciliation.CaseEvent": npgettext_lazy("table", "event of a case", "events of cases"),
    "reconciliation.Finding": npgettext_lazy("table", "finding", "findings"),
    "reconciliation.TimeSpan": npgettext_lazy("table", "measured time", "measured times"),
    "retention.ForgettingRule": npgettext_lazy("table", "forgetting rule", "forgetting rules"),
    "review.ApprovalLink": npgettext_lazy("table", "link for an approver", "links for approvers"),
    "review.Asset": npgettext_lazy("table", "asset", "assets"),
    "review.Comment": npgettext_lazy("table", "comment", "comments"),
    "review.Draft": npgettext_lazy("table", "draft", "drafts"),
    "review.Review": npgettext_lazy("table", "review decision", "review decisions"),
    "review.Revocation": npgettext_lazy("table", "acceptance taken back", "acceptances taken back"),
    "review.Seen": npgettext_lazy("table", "look at a draft", "looks at drafts"),
    "review.VisibleDraft": npgettext_lazy("table", "visible draft", "visible drafts"),
    "targets.Errand": npgettext_lazy("table", "errand", "errands"),
    "targets.Measurement": npgettext_lazy("table", "measurement", "measurements"),
    "targets.Probe": npgettext_lazy("table", "probe", "probes"),
    "targets.ProbeMarker": npgettext_lazy("table", "marker of a probe", "markers of probes"),
    "targets.ProbeObject": npgettext_lazy("table", "object of a probe", "objects of probes"),
    "targets.Target": npgettext_lazy("table", "target", "targets"),
    "vendor_drill.Declaration": npgettext_lazy("table", "declaration of a vendor", "declarations of vendors"),
    "vendor_drill.InventoryRow": npgettext_lazy("table", "row of an inventory", "rows of inventories"),
    "vendor_drill.ItemVerdict": npgettext_lazy("table", "verdict on an item", "verdicts on items"),
    "vendor_drill.RecordedAnswer": npgettext_lazy("table", "recorded answer", "recorded answers"),
    "vendor_drill.RecordedCall": npgettext_lazy("table", "recorded call", "recorded calls"),
    "vendor_drill.VendorDrill": npgettext_lazy("table", "drill of a vendor", "drills of vendors"),
}


def name_of(model: type[Model], *, many: bool = False) -> str:
    """What one row, or many, of the table are called."""
    return str(NAMES[model._meta.label] % (MANY if many else ONE))  # noqa: SLF001 - Django's documented way to a model's label


class Named:
    """A model's options as Django's admin reads them, under the house's names.

    In place of ``verbose_name`` in the models themselves: a table is called so in the window and nowhere else.
    """

    def __init__(self, model: type[Model]) -> None:
        self._model = model

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model._meta, name)  # noqa: SLF001

    @property
    def verbose_name(self) -> str:
        return name_of(self._model)

    @property
    def verbose_name_plural(self) -> str:
        return name_of(self._model, many=True)
