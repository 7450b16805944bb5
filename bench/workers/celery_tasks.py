"""A plain task an item, without a ledger: ``celery -A bench.workers.celery_tasks worker``."""

from __future__ import annotations

from once_delivery.config.celery import app


@app.task(name="bench.create")
def create(number: int, payload: dict[str, str]) -> str:
    """The request that would go out."""
    return f"noop-{number}-{len(payload)}"
