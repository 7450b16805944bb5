"""Delete the files of exports that were kept for their time."""

from __future__ import annotations

import shutil
import time
from contextlib import suppress

from billing.exports.place import MAKING, folder, path_of
from billing.exports.trail import note
from billing.models import Export, ExportEventKind, ExportStatus
from once_delivery.ledger.clock import database_now

STRAY_AFTER_S = 24 * 3600.0
_AT_ONCE = 500


def expire_exports() -> int:
    """Afterwards no file is kept past its time, and none that a killed worker left half written; how many went."""
    over = Export.objects.filter(status=ExportStatus.DONE, expires_at__lte=database_now()).exclude(path="")
    gone = 0
    for export in over.order_by("expires_at")[:_AT_ONCE]:
        path = path_of(export)
        if path is not None:
            with suppress(FileNotFoundError):
                path.unlink()
        if Export.objects.filter(pk=export.pk).exclude(path="").update(path=""):
            note(export, ExportEventKind.EXPIRED, None)
            gone += 1
    return gone + _strays()


def _strays() -> int:
    gone = 0
    for place in folder().glob(f"{MAKING}/*"):
        with suppress(FileNotFoundError):
            if time.time() - place.stat().st_mtime > STRAY_AFTER_S:
                shutil.rmtree(place, ignore_errors=True)
                gone += 1
    return gone
