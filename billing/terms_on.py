"""Which version of the terms holds on a day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from billing.models import Terms


def all_terms(project_id: int) -> list[Terms]:
    """The project's versions, newest first."""
    return list(Terms.objects.filter(project_id=project_id).order_by("-number"))


def terms_on(versions: Sequence[Terms], day: date) -> Terms | None:
    """Of ``versions``, newest first, the one that holds on ``day``: the highest number that is valid by then."""
    return next((one for one in versions if one.valid_from <= day), None)
