"""What an attempt used and cost, told after its answer or apart from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from once_delivery.common.canonical import fingerprint
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Attempt, UsageReport
from once_delivery.ledger.transitions import Actor


def report_usage(*, attempt: Attempt, usage: Mapping[str, Any], actor: Actor) -> tuple[UsageReport, bool]:
    """The row of this usage (``targets/jobs/usage.py`` has its shape), and whether it is new."""
    row = UsageReport(
        project_id=attempt.project_id,
        attempt=attempt,
        action_id=attempt.action_id,
        usage=dict(usage),
        fingerprint=fingerprint(dict(usage)),
        reported_by=actor.name,
        reported_at=database_now(),
    )
    made = UsageReport.objects.bulk_create([row], ignore_conflicts=True)
    kept = UsageReport.objects.get(attempt=attempt, fingerprint=row.fingerprint)
    return kept, kept.reported_at == made[0].reported_at
