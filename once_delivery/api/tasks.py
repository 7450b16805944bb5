"""Pulls that may run at any time, twice, or late."""

from __future__ import annotations

from celery import shared_task

from once_delivery.api.services.keep_answer import purge


@shared_task(name="once_delivery.api.tasks.purge_kept_answers")
def purge_kept_answers() -> None:
    """Answers of repeated keys go after a day."""
    purge()
