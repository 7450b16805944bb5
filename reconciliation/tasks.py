"""Pulls that may run at any time, twice, or late."""

from __future__ import annotations

from contextlib import suppress

from celery import shared_task

from once_delivery.targets.models import ErrandKind
from once_delivery.targets.services.errands import unattended
from reconciliation.models import BulkDecision
from reconciliation.services.audit_errand import run_audit_errand
from reconciliation.services.decide_many import BulkOverError, unfinished_bulks
from reconciliation.services.decide_many import run_bulk as run_bulk_service
from reconciliation.services.measure_time import end_silent_spans
from reconciliation.services.nightly_audits import next_nightly_audit
from reconciliation.services.open_cases import open_cases as open_cases_service
from reconciliation.services.pass_on_cases import pass_on_cases
from reconciliation.services.tell_times import tell_times


@shared_task(name="reconciliation.tasks.open_cases")
def open_cases() -> None:
    """What waits for a person gets a case; what an absent person owns passes on."""
    open_cases_service()
    pass_on_cases()
    tell_times()
    end_silent_spans()
    for bulk_id in unfinished_bulks():
        run_bulk.delay(bulk_id)  # its message was lost, or its worker


@shared_task(name="reconciliation.tasks.run_bulk")
def run_bulk(bulk_id: int) -> None:
    """A plan of many decisions is carried out."""
    with suppress(BulkOverError):  # woken twice
        run_bulk_service(bulk=BulkDecision.objects.get(pk=bulk_id))


@shared_task(name="reconciliation.tasks.run_audit")
def run_audit(errand_id: int) -> None:
    """A person, or the night, asked for an audit."""
    run_audit_errand(errand_id=errand_id)


@shared_task(name="reconciliation.tasks.audit_by_night")
def audit_by_night() -> None:
    """Audits that nobody was told of are told again; by night each live target is audited, one after the other."""
    waiting = unattended((ErrandKind.AUDIT,))
    due = next_nightly_audit()
    for errand_id in [*waiting, *([due] if due else [])]:
        run_audit.delay(errand_id)
