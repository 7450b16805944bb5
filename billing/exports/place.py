"""Where files lie, what they are called, and the link that leads to one."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.core import signing

from billing.exports.files import Format
from billing.models import Export
from billing.reports.scope import ReportScope
from once_delivery.accounts.models import User

KEPT = timedelta(days=7)
LINK_LIVES = timedelta(hours=1)
MAKING = "making"
_SALT = "billing.export"


def folder() -> Path:
    """The house's folder of exports; who runs the house alone can read it."""
    found = Path(settings.STATE_DIR) / "exports"
    found.mkdir(mode=0o700, parents=True, exist_ok=True)
    return found


def workplace(export: Export) -> Path:
    """An empty folder for what is being made of this export, on the same file system as the finished files."""
    found = folder() / MAKING / str(export.uuid)
    shutil.rmtree(found, ignore_errors=True)
    found.mkdir(mode=0o700, parents=True)
    return found


def path_of(export: Export) -> Path | None:
    """The file, None when there is none any more, or when it would lie elsewhere."""
    if not export.path:
        return None
    root = folder().resolve()
    found = (root / export.path).resolve()
    return found if found.is_relative_to(root) and found.is_file() else None


def name_of(export: Export, scope: ReportScope, as_of: datetime) -> str:
    """``{project}_{report}_{period}_{basis}_{asof}.csv``; the client's form says that it is."""
    report = f"{export.report}-client" if export.profile == "client" else export.report
    stamp = as_of.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    suffix = Format(export.format).suffix
    return f"{scope.project.code}_{report}_{scope.months}_{scope.basis}_{stamp}.{suffix}"


def link_token(export: Export, user: User) -> str:
    """What an address carries: good for this person, this project and one hour."""
    said = {"export": str(export.uuid), "user": user.pk, "project": export.project_id}
    return signing.dumps(said, salt=_SALT)


def read_token(token: str) -> dict[str, object] | None:
    """What ``link_token`` said; None when it is another's, too old, or made up."""
    try:
        found = signing.loads(token, salt=_SALT, max_age=LINK_LIVES)
    except signing.BadSignature:
        return None
    return found if isinstance(found, dict) else None
