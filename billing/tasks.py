"""What a worker does for accounting, by itself or when woken."""

from __future__ import annotations

import logging

from celery import shared_task

from billing.services.apply_terms import apply_terms
from billing.services.expire_exports import expire_exports
from billing.services.make_export import make_export as make_export_service
from billing.services.make_export import unfinished_exports
from billing.services.pull_costs import projects_with_books
from billing.services.pull_costs import pull_costs as pull_costs_service
from billing.services.work_on_sent import do_work, unfinished_work

logger = logging.getLogger(__name__)


@shared_task(name="billing.tasks.make_export")
def make_export(export_id: int) -> None:
    """A person asked for a report as a file."""
    make_export_service(export_id=export_id)


@shared_task(name="billing.tasks.work_on_sent")
def work_on_sent(sent_id: int) -> None:
    """A person sent a long document, or wants it imported."""
    do_work(sent_id=sent_id)


@shared_task(name="billing.tasks.keep_exports")
def keep_exports() -> None:
    """Exports and long documents whose message was lost are done after all; files that were kept for their time go."""
    for sent_id in unfinished_work():
        work_on_sent.delay(sent_id)
    for export_id in unfinished_exports():
        make_export.delay(export_id)
    expire_exports()


@shared_task(name="billing.tasks.pull_costs")
def pull_costs() -> None:
    """What deliveries cost and what was accepted comes into the accounts of each project, under today's terms."""
    for project in projects_with_books():
        try:
            apply_terms(project=project)
            pull_costs_service(project=project)
        except Exception:  # what is wrong with one tenant's records is no reason to leave the others' alone
            logger.exception("a pull of costs failed", extra={"project": project.code})
