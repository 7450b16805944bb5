"""List what a target really holds, and hold it against the ledger (R11)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.utils.translation import gettext_noop

from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError
from once_delivery.common.work_lock import Work, at_work
from once_delivery.ledger.clock import database_now, process_name
from once_delivery.ledger.models import Run, RunKind, RunStatus
from once_delivery.ledger.services.finish_run import finish_run
from once_delivery.targets.connecting import connected
from once_delivery.targets.models import Target
from reconciliation.concluding import conclude
from reconciliation.listing import can_go_on, kinds_of, read_all
from reconciliation.models import Audit, AuditedObject, AuditScope, AuditStatus

# a list that goes on later shows its first part as it was then: not older than this
GOES_ON_FOR = timedelta(hours=6)
# a target's clock is not the database's, and what was changed while the last list was read may not have been in it
OVERLAP = timedelta(minutes=15)
INVENTORY_S = 3600.0  # a hundred thousand objects come in a thousand pages


class AuditRunningError(DomainError):
    """Two lists of one target at once would only load it twice."""

    code = "audit-running"
    template = gettext_noop("An audit of “%(target)s” is running already.")


class NoAuditBeforeError(DomainError):
    """ "Since the last one" needs one."""

    code = "no-audit-before"
    template = gettext_noop(
        "“%(target)s” was never audited as a whole, so that there is no point in time to list changes from."
    )


def audit_target(
    *, target: Target, user: User | None = None, changes: bool = False, go_on: bool = False
) -> Audit:
    """Afterwards each confirmed action's presence is known, and every duplicate, orphan, missing, trashed or changed
    object is a finding. Cut short, it concludes nothing from what it did not see.

    ``changes``: list only what was changed since the last audit, where the target can tell; nothing is said to be
    missing then. ``go_on``: behind the place where the latest one was cut short, where the target can.
    Raises AuditRunningError, NoAuditBeforeError, or DomainError when the target's settings are not usable.
    """
    with _alone(target):
        audit = _begun(target, user, changes=changes, go_on=go_on)
        status = AuditStatus.CUT
        kinds = kinds_of(target)
        try:
            with connected(target) as connector:
                audit.code = read_all(audit, connector, kinds, INVENTORY_S)
            listed = AuditStatus.CUT if audit.code else AuditStatus.COMPLETE
            everything = listed == AuditStatus.COMPLETE and audit.scope == AuditScope.EVERYTHING
            audit.counts = conclude(audit, kinds, everything=everything)
            status = listed  # the next list of changes begins where something was concluded from this one
        finally:
            audit.status = status
            audit.finished_at = database_now()
            audit.save()
            finished = status == AuditStatus.COMPLETE
            finish_run(
                run=audit.run,
                status=RunStatus.FINISHED if finished else RunStatus.FAILED,
                summary=audit.counts,
            )
        if status == AuditStatus.COMPLETE or not can_go_on(audit):
            AuditedObject.objects.filter(audit=audit).delete()
    return audit


@contextmanager
def _alone(target: Target) -> Iterator[None]:
    """One list of a target at a time. The lock ends with its process, whatever happens to it."""
    with at_work(Work.AUDIT, target.pk) as alone:
        if not alone:
            raise AuditRunningError(target=target.name)
        yield


def _begun(target: Target, user: User | None, *, changes: bool, go_on: bool) -> Audit:
    """The audit to work on, with a run of its own. Nobody else is at it: what is "running" was interrupted."""
    Audit.objects.filter(target=target, status=AuditStatus.RUNNING).update(
        status=AuditStatus.CUT, code="interrupted", finished_at=database_now()
    )
    unfinished = _unfinished(target) if go_on else None
    # asked before anything is dropped: an audit that was cut short can still be gone on with when this is refused
    since = _since(target) if changes and unfinished is None else None
    AuditedObject.objects.filter(audit__target=target).exclude(audit=unfinished).delete()
    run = Run.objects.create(
        project_id=target.project_id, kind=RunKind.AUDIT, requested_by=user, process=process_name()
    )
    if unfinished is not None:
        unfinished.run, unfinished.status, unfinished.code = run, AuditStatus.RUNNING, ""
        unfinished.finished_at = None
        unfinished.save()
        return unfinished
    return Audit.objects.create(
        project_id=target.project_id,
        target=target,
        run=run,
        scope=AuditScope.CHANGES if changes else AuditScope.EVERYTHING,
        changed_since=since,
        started_at=database_now(),
    )


def _unfinished(target: Target) -> Audit | None:
    latest = Audit.objects.filter(target=target).order_by("-started_at").first()
    if latest is None or latest.status != AuditStatus.CUT or not can_go_on(latest):
        return None
    return latest if latest.started_at > database_now() - GOES_ON_FOR else None


def _since(target: Target) -> datetime:
    """From when on changes must be listed: since the beginning of the last complete list."""
    complete = Audit.objects.filter(target=target, status=AuditStatus.COMPLETE)
    if not complete.filter(scope=AuditScope.EVERYTHING).exists():
        raise NoAuditBeforeError(target=target.name)
    return complete.latest("started_at").started_at - OVERLAP
