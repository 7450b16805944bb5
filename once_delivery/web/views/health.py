"""Whether the house lives, and whether it is ready to work."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from kombu import Connection
from kombu.exceptions import KombuError

from once_delivery.ledger.restoring import open_restorations
from once_delivery.ledger.services.heart import pulse

SWEEP_LATE_S = 60.0
DUE_LATE_S = 600.0
_BROKER_S = 2


@never_cache
@require_safe
def live(request: HttpRequest) -> HttpResponse:
    """The process answers; nothing else is asked."""
    return HttpResponse("ok", content_type="text/plain")


@never_cache
@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """503 when a page could not be shown: no database, or one without every migration.

    A broker that is away, a sweep that is late or work that has waited long leave the pages as they are: the answer
    is 200 and ``late`` names them. ``restored_from``: the time of the backup, while its restoration is open.
    """
    said: dict[str, Any] = {"database": _database(), "migrations": False, "late": []}
    if said["database"]:
        said["migrations"] = _migrations()
    if said["migrations"]:
        said |= _work()
    fine = said["database"] and said["migrations"]
    return JsonResponse(said, status=200 if fine else 503)


def _work() -> dict[str, Any]:
    now = pulse()
    broker = _broker()
    late = [
        name
        for name, fine in (
            ("broker", broker),
            ("sweep", now.sweep_ago is not None and now.sweep_ago < SWEEP_LATE_S),
            ("due", now.oldest_due < DUE_LATE_S),
        )
        if not fine
    ]
    ago = round(now.sweep_ago, 1) if now.sweep_ago is not None else None
    return {
        "broker": broker,
        "sweep_seconds": ago,
        "oldest_due_seconds": round(now.oldest_due, 1),
        "late": late,
        "restored_from": _restored_from(),
    }


def _restored_from() -> str | None:
    opened = open_restorations()
    return opened[0].since.isoformat() if opened else None


def _database() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _migrations() -> bool:
    try:
        executor = MigrationExecutor(connection)
        return not executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return False


def _broker() -> bool:
    if settings.CELERY_BROKER_URL.startswith(("pgmq", "memory")):
        return True  # it lies in the database, which has just answered
    try:
        with Connection(settings.CELERY_BROKER_URL, connect_timeout=_BROKER_S) as broker:
            broker.ensure_connection(max_retries=1, timeout=_BROKER_S)
    except (OSError, KombuError):
        return False
    return True
