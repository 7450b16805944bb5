"""The bytes that deliveries name, kept once a project."""

from __future__ import annotations

from collections.abc import Iterable

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import StoredFile
from once_delivery.targets.base import FileBytes


def ensure(*, project: Project, files: Iterable[FileBytes]) -> None:
    """Within a transaction: each file is kept, and stays at least until the commit.

    What nothing refers to any more is forgotten by night (``services/forget_rest.py``); a file that was there a moment
    ago may be going. So it is held here, and made once more when it went.
    """
    wanted = {one.sha256: one for one in sorted(files, key=lambda file: file.sha256)}
    missing = set(wanted)
    while missing:
        StoredFile.objects.bulk_create(
            [
                StoredFile(
                    project=project,
                    sha256=one.sha256,
                    name=one.name,
                    media_type=one.media_type,
                    data=one.data,
                )
                for one in wanted.values()
                if one.sha256 in missing
            ],
            ignore_conflicts=True,
        )
        held = StoredFile.objects.select_for_update(no_key=True).filter(project=project, sha256__in=missing)
        missing -= set(held.order_by("sha256").values_list("sha256", flat=True))
