"""Waking a worker for what was decided on a page."""

from __future__ import annotations

from once_delivery.ledger import tasks
from once_delivery.ui.doors import MemberRequest
from once_delivery.ui.waking import wake
from reconciliation import tasks as case_tasks


def wake_target(request: MemberRequest, target_id: int) -> None:
    """There is work at a target."""
    wake(request, tasks.work_target, target_id)


def wake_bulk(request: MemberRequest, bulk_id: int) -> None:
    """A plan is to be carried out."""
    wake(request, case_tasks.run_bulk, bulk_id)
