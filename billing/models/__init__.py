"""The tables of costs and units."""

from __future__ import annotations

from billing.models.choices import BUCKET_OF, Bearer, Bucket, Cause, EntryKind, Grade, SubBucket, Tax
from billing.models.duplicates import (
    SAID_TO_BE_TWO,
    Duplicate,
    DuplicateDecision,
    DuplicateStatus,
    Reopened,
)
from billing.models.entries import AllocationLevel, AllocationRun, CostEntry
from billing.models.exports import UNDER_WAY, Export, ExportEvent, ExportEventKind, ExportStatus, Profile
from billing.models.judgements import Judgement
from billing.models.periods import Period, PeriodStatus
from billing.models.proposals import Dropped, DuplicateProposal, EntryProposal, LineProposal
from billing.models.quotes import Quote, Scope
from billing.models.rates import FxRate, PlatformFee, PriceVersion, RateCard
from billing.models.sent import SENT_UNDER_WAY, SentDocument, SentStatus, SentWork
from billing.models.setup import Books
from billing.models.sums import CostSum, UnitSum
from billing.models.suppliers import (
    BILLS,
    WAITS,
    ColumnMapping,
    DocumentKind,
    LineMatch,
    LineStatus,
    Supplier,
    SupplierDocument,
    SupplierLine,
)
from billing.models.terms import Terms
from billing.models.units import UnitEntry, UnitReason
from billing.models.usage import Usage

__all__ = [
    "BILLS",
    "BUCKET_OF",
    "SAID_TO_BE_TWO",
    "SENT_UNDER_WAY",
    "UNDER_WAY",
    "WAITS",
    "AllocationLevel",
    "AllocationRun",
    "Bearer",
    "Books",
    "Bucket",
    "Cause",
    "ColumnMapping",
    "CostEntry",
    "CostSum",
    "DocumentKind",
    "Dropped",
    "Duplicate",
    "DuplicateDecision",
    "DuplicateProposal",
    "DuplicateStatus",
    "EntryKind",
    "EntryProposal",
    "Export",
    "ExportEvent",
    "ExportEventKind",
    "ExportStatus",
    "FxRate",
    "Grade",
    "Judgement",
    "LineMatch",
    "LineProposal",
    "LineStatus",
    "Period",
    "PeriodStatus",
    "PlatformFee",
    "PriceVersion",
    "Profile",
    "Quote",
    "RateCard",
    "Reopened",
    "Scope",
    "SentDocument",
    "SentStatus",
    "SentWork",
    "SubBucket",
    "Supplier",
    "SupplierDocument",
    "SupplierLine",
    "Tax",
    "Terms",
    "UnitEntry",
    "UnitReason",
    "UnitSum",
    "Usage",
]
