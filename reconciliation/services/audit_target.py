"""Count what a target really holds, and hold it against the ledger (R11)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import islice
from typing import Any

from django.db import connection, transaction

from once_delivery.accounts.models import User
from once_delivery.common.redact import storable
from once_delivery.ledger.clock import database_now, process_name
from once_delivery.ledger.models import Action, Run, RunKind, RunStatus
from once_delivery.ledger.services.finish_run import finish_run
from once_delivery.targets.base import Connector, FoundObject, InventoryError, Kind
from once_delivery.targets.connecting import connected
from once_delivery.targets.models import Target
from reconciliation import sql
from reconciliation.models import Audit, AuditedObject, AuditStatus

CHUNK = 1000


def audit_target(*, target: Target, user: User | None = None) -> Audit:
    """Afterwards each confirmed action's presence is known, and every duplicate, orphan, missing, trashed or changed
    object is a finding. Cut short, it concludes nothing from what it did not see.

    Raises DomainError when the target's settings are not usable.
    """
    run = Run.objects.create(
        project_id=target.project_id, kind=RunKind.AUDIT, requested_by=user, process=process_name()
    )
    audit = Audit.objects.create(
        project_id=target.project_id, target=target, run=run, started_at=database_now()
    )
    kinds = _kinds(target)
    status = AuditStatus.CUT
    try:
        with connected(target) as connector:
            audit.code = _read(audit, connector, kinds, target.profile.deadline_s)
        status = AuditStatus.CUT if audit.code else AuditStatus.COMPLETE
        _conclude(audit, kinds, complete=status == AuditStatus.COMPLETE)
    finally:
        audit.status = status
        audit.finished_at = database_now()
        audit.save()
        finished = status == AuditStatus.COMPLETE
        finish_run(run=run, status=RunStatus.FINISHED if finished else RunStatus.FAILED, summary=audit.counts)
    return audit


def _kinds(target: Target) -> list[Kind]:
    """The kinds of which the ledger knows something at this target; updates are of drafts."""
    known = set(Action.objects.filter(target=target).values_list("kind", flat=True).distinct())
    return [kind for kind in Kind if kind in known and kind != Kind.UPDATE_DRAFT] or [Kind.CREATE_DRAFT]


def _read(audit: Audit, connector: Connector, kinds: list[Kind], deadline_s: float) -> str:
    """Store what the target lists, a chunk at a time; returns why it was cut short, or nothing."""
    try:
        for kind in kinds:
            found = iter(connector.inventory(kind=kind, deadline_s=deadline_s))
            while chunk := list(islice(found, CHUNK)):
                _store(audit, kind, chunk)
    except InventoryError as error:
        return error.code[:60] or "cut"
    return ""


def _store(audit: Audit, kind: Kind, chunk: Iterable[FoundObject]) -> None:
    AuditedObject.objects.bulk_create(
        [
            AuditedObject(
                audit=audit,
                kind=kind,
                result_id=storable(one.result_id)[:300],
                marker=storable(one.marker or "")[:300],
                status=storable(one.status)[:60],
                title=storable(one.title)[:500],
                trashed=one.trashed,
            )
            for one in chunk
        ],
        ignore_conflicts=True,
    )


def _conclude(audit: Audit, kinds: list[Kind], *, complete: bool) -> None:
    parameters: dict[str, Any] = {
        "audit": audit.pk,
        "target": audit.target_id,
        "project": audit.project_id,
        "started": audit.started_at,
        "kinds": [str(kind) for kind in kinds],
        "complete": complete,
    }
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in (sql.PRESENCE, sql.FINDINGS, sql.ORPHANS, sql.LOOK_NOW):
            cursor.execute(statement, parameters)
        cursor.execute(sql.COUNTS, parameters)
        counts = cursor.fetchone()[0]
        audit.counts = json.loads(counts) if isinstance(counts, str) else counts
        cursor.execute("DELETE FROM reconciliation_auditedobject WHERE audit_id = %(audit)s", parameters)
