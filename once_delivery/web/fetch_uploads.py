"""One batch file for one person; what is not theirs is not there (R14), as in ``fetch.py``."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404

from once_delivery.accounts.access import projects_of
from once_delivery.accounts.models import User
from once_delivery.intake.models import Upload


def upload_of(user: User, uuid: UUID) -> Upload:
    """The file with its project; its bytes are read only when they are asked for."""
    found = (
        Upload.objects.filter(project__in=projects_of(user), uuid=uuid)
        .select_related("project", "user", "batch")
        .defer("data")
        .first()
    )
    if found is None:
        raise Http404
    return found
