from __future__ import annotations

from once_delivery.ledger.models.action import Action, ActionNeed, Condition
from once_delivery.ledger.models.content import InputVersion, Product, StoredFile
from once_delivery.ledger.models.counted import Counted
from once_delivery.ledger.models.deliveries import Batch, BatchTask, Task
from once_delivery.ledger.models.evidence import Attempt, Event, Observation, Receipt
from once_delivery.ledger.models.forgotten import Forgotten
from once_delivery.ledger.models.gate import Gate, Lane
from once_delivery.ledger.models.heartbeat import Heartbeat
from once_delivery.ledger.models.news import News
from once_delivery.ledger.models.permit import Permit, PermitKind
from once_delivery.ledger.models.restoration import Restoration
from once_delivery.ledger.models.run import Run, RunKind, RunStatus, RunTask
from once_delivery.ledger.models.sizes import BatchSize, ProjectSize
from once_delivery.ledger.models.title import Title
from once_delivery.ledger.models.usage import UsageReport

__all__ = [
    "Action",
    "ActionNeed",
    "Attempt",
    "Batch",
    "BatchSize",
    "BatchTask",
    "Condition",
    "Counted",
    "Event",
    "Forgotten",
    "Gate",
    "Heartbeat",
    "InputVersion",
    "Lane",
    "News",
    "Observation",
    "Permit",
    "PermitKind",
    "Product",
    "ProjectSize",
    "Receipt",
    "Restoration",
    "Run",
    "RunKind",
    "RunStatus",
    "RunTask",
    "StoredFile",
    "Task",
    "Title",
    "UsageReport",
]
