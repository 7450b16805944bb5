"""What a worker does for accounting, by itself or when woken."""

from __future__ import annotations

from celery import shared_task

from billing.services.expire_exports import expire_exports
from billing.services.make_export import make_export as make_export_service
from billing.services.make_export import unfinished_exports


@shared_task(name="billing.tasks.make_export")
def make_export(export_id: int) -> None:
    """A person asked for a report as a file."""
    make_export_service(export_id=export_id)


@shared_task(name="billing.tasks.keep_exports")
def keep_exports() -> None:
    """Exports whose message was lost are made after all; files that were kept for their time go."""
    for export_id in unfinished_exports():
        make_export.delay(export_id)
    expire_exports()
