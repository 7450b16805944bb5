"""Pulls that may run at any time, twice, or late."""

from __future__ import annotations

from celery import shared_task

from once_delivery.retention.services.nightly import forget_by_night as forget_by_night_service


@shared_task(name="once_delivery.retention.tasks.forget_by_night")
def forget_by_night() -> None:
    """By night, what projects do not keep any longer is forgotten."""
    forget_by_night_service()
