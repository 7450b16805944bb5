"""Pulls that may run at any time, twice, or late."""

from __future__ import annotations

from celery import shared_task

from once_delivery.notices.services.send_due import send_due_messages


@shared_task(name="once_delivery.notices.tasks.send_due")
def send_due() -> None:
    """What waits in the outbox is sent."""
    send_due_messages()
