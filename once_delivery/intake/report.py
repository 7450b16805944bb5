"""What an import did, or would do."""

from __future__ import annotations

from dataclasses import dataclass

from once_delivery.common.sheets.problems import Note
from once_delivery.ledger.requests import BatchResult


@dataclass(frozen=True, slots=True)
class ImportReport:
    """``deliveries`` were asked for; ``result`` says what came of it. After a dry run nothing of it is kept."""

    batch_name: str
    format: str
    dry_run: bool
    deliveries: int
    files: int
    result: BatchResult
    notes: tuple[Note, ...]
