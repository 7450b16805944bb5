"""Fetch the file of an export by its link."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from django.db.models import F
from django.utils.translation import gettext_noop

from billing.exports.files import Format
from billing.exports.place import path_of, read_token
from billing.exports.rights import may_export
from billing.exports.trail import note
from billing.models import Export, ExportEventKind, ExportStatus
from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now


class NoSuchExportError(DomainError):
    """No export, another's, another project's, a link that is too old or made up, or a right that is gone."""

    code = "no-such-export"
    template = gettext_noop("There is no such export.")


class ExportOverError(DomainError):
    """The file was kept for its time; it can be made again."""

    code = "export-over"
    template = gettext_noop("This file is kept no longer; export it again.")


class ExportNotReadyError(DomainError):
    """It waits, is being made, or failed."""

    code = "export-not-ready"
    template = gettext_noop("This file is not ready.")


@dataclass(frozen=True, slots=True)
class Fetched:
    """What the answer carries."""

    path: Path
    file_name: str
    content_type: str
    size: int


def fetch_export(*, user: User, project: Project, token: str) -> Fetched:
    """The file that ``token`` leads ``user`` to, noted as fetched; rights are asked for as they are now.

    Raises NoSuchExportError, ExportNotReadyError, ExportOverError.
    """
    export = _meant(user, project, token)
    if not may_export(user, project, export.profile):
        note(export, ExportEventKind.REFUSED, user)
        raise NoSuchExportError
    if export.status != ExportStatus.DONE:
        raise ExportNotReadyError
    path = path_of(export)
    if path is None or export.expires_at <= database_now():
        raise ExportOverError
    Export.objects.filter(pk=export.pk).update(fetched=F("fetched") + 1)
    note(export, ExportEventKind.FETCHED, user)
    return Fetched(path, export.file_name, Format(export.format).content_type, path.stat().st_size)


def _meant(user: User, project: Project, token: str) -> Export:
    said = read_token(token)
    if said is None or said.get("user") != user.pk or said.get("project") != project.pk:
        raise NoSuchExportError
    found = Export.objects.filter(uuid=str(said.get("export")), user=user, project=project).first()
    if found is None:
        raise NoSuchExportError
    return found
