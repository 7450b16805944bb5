"""Make the file of an export that was asked for."""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.db import connection

from billing.exports.files import Format
from billing.exports.place import KEPT, folder, name_of, workplace
from billing.exports.rights import must_export
from billing.exports.trail import note
from billing.exports.writing import Written, write_report
from billing.models import UNDER_WAY, Export, ExportEventKind, ExportStatus
from billing.reports.registry import report_of
from billing.reports.scope import scope_of
from once_delivery.common.errors import DomainError
from once_delivery.common.work_lock import Work, at_work
from once_delivery.ledger.clock import database_now

logger = logging.getLogger(__name__)

GIVEN_UP_AFTER = timedelta(hours=6)  # a file that ends its worker each time is not tried for ever
_PROGRESS = "UPDATE billing_export SET rows = %s, rows_total = %s WHERE id = %s AND status = 'running'"


def make_export(*, export_id: int) -> Export | None:
    """Afterwards the export is done, or failed with the code of why; None when somebody else makes it, or has.

    What a killed worker left half done is begun anew. Rights are asked for again, as they are now.
    """
    with at_work(Work.EXPORT, export_id) as mine:
        if not mine:
            return None
        export = (
            Export.objects.select_related("project", "user")
            .filter(pk=export_id, status__in=UNDER_WAY)
            .first()
        )
        if export is None:
            return None
        try:
            began = export.began_at  # that it waited for a worker is not held against it
            if began is not None and database_now() - began > GIVEN_UP_AFTER:
                return _failed(export, "gave-up")
            return _made(export)
        except DomainError as error:
            return _failed(export, error.code)
        except Exception:  # whoever asked must not wait for ever
            logger.exception("export failed", extra={"export": export_id})
            return _failed(export, "export-failed")


def unfinished_exports() -> list[int]:
    """Exports whose message was lost, or whose worker was; oldest first."""
    return list(
        Export.objects.filter(status__in=UNDER_WAY).order_by("asked_at").values_list("pk", flat=True)[:100]
    )


def _made(export: Export) -> Export:
    must_export(export.user, export.project, export.profile)
    export.status, export.rows = ExportStatus.RUNNING, 0
    export.began_at = export.began_at or database_now()  # the first time: begun anew, it is not younger
    export.save(update_fields=["status", "began_at", "rows"])
    scope = scope_of(export.project, export.filters)
    place = Path(str(export.project.uuid)) / f"{export.uuid}.{Format(export.format).suffix}"
    path = folder() / place
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    making = workplace(export)
    half = making / path.name
    try:
        with _progress_of(export) as progress:
            written = write_report(
                report=report_of(export.report),
                scope=scope,
                format=Format(export.format),
                profile=export.profile,
                path=half,
                exporter=export.user.username,
                progress=progress,
            )
        half.replace(path)
    finally:
        shutil.rmtree(making, ignore_errors=True)
    export.path, export.file_name = str(place), name_of(export, scope, written.as_of)
    return _done(export, written)


def _done(export: Export, written: Written) -> Export:
    now = database_now()
    export.status, export.finished_at, export.expires_at = ExportStatus.DONE, now, now + KEPT
    export.rows = export.rows_total = written.rows
    export.size = written.size
    export.control = json.loads(json.dumps(written.control | {"sha256": written.sha256}, default=_said))
    export.save()
    note(export, ExportEventKind.MADE, None, rows=written.rows, sha256=written.sha256)
    return export


def _failed(export: Export, code: str) -> Export:
    export.status, export.code, export.finished_at = ExportStatus.FAILED, code[:60], database_now()
    export.save(update_fields=["status", "code", "finished_at"])
    note(export, ExportEventKind.FAILED, None, code=code)
    return export


@contextmanager
def _progress_of(export: Export) -> Iterator[Callable[[int, int | None], None]]:
    """Told on a connection of its own: the other one only reads, as of one moment."""
    beside = connection.copy()
    try:

        def tell(rows: int, of: int | None) -> None:
            with beside.cursor() as cursor:
                cursor.execute(_PROGRESS, [rows, of, export.pk])

        yield tell
    finally:
        beside.close()


def _said(value: Any) -> str:
    if isinstance(value, Decimal):
        return format(value, "f")
    raise TypeError(type(value).__name__)
