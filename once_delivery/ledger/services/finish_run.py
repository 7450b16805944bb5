"""A run ends. Its colour is about the software, never about deliveries."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from once_delivery.ledger.models import Run, RunStatus


def finish_run(*, run: Run, status: RunStatus, summary: dict[str, Any]) -> None:
    """Afterwards the run says how it ended."""
    run.status = status
    run.finished_at = timezone.now()
    run.summary = summary
    run.save(update_fields=["status", "finished_at", "summary"])
