"""Pulls that may run at any time, twice, or late."""

from __future__ import annotations

from celery import shared_task

from reconciliation.services.open_cases import open_cases as open_cases_service
from reconciliation.services.pass_on_cases import pass_on_cases


@shared_task(name="reconciliation.tasks.open_cases")
def open_cases() -> None:
    """What waits for a person gets a case; what an absent person owns passes on."""
    open_cases_service()
    pass_on_cases()
