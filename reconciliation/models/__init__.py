"""Cases, what is decided about them, audits and their findings."""

from __future__ import annotations

from reconciliation.models.approvals import Approval, ApprovalStatus
from reconciliation.models.audits import (
    Audit,
    AuditedObject,
    AuditScope,
    AuditStatus,
    Finding,
    FindingKind,
)
from reconciliation.models.bulk import BulkDecision, BulkStatus
from reconciliation.models.calendar import Calendar
from reconciliation.models.cases import Case, CaseEvent, CaseEventKind, CaseKind, CaseStatus
from reconciliation.models.timing import TimeSpan

__all__ = [
    "Approval",
    "ApprovalStatus",
    "Audit",
    "AuditScope",
    "AuditStatus",
    "AuditedObject",
    "BulkDecision",
    "BulkStatus",
    "Calendar",
    "Case",
    "CaseEvent",
    "CaseEventKind",
    "CaseKind",
    "CaseStatus",
    "Finding",
    "FindingKind",
    "TimeSpan",
]
