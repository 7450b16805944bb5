"""Every export is an event of the audit trail: asked for, made, fetched, refused, expired."""

from __future__ import annotations

from typing import Any

from billing.models import Export, ExportEvent, ExportEventKind
from once_delivery.accounts.models import User


def note(export: Export, kind: ExportEventKind, user: User | None, **data: Any) -> None:
    """Write down what happened to an export. ``user`` None: the house itself."""
    ExportEvent.objects.create(project_id=export.project_id, export=export, kind=kind, user=user, data=data)
