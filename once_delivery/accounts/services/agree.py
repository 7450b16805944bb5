"""What the contract says of how a project's cases are handled."""

from __future__ import annotations

from collections.abc import Sequence

from once_delivery.accounts.models import Project


def agree(*, project: Project, case_hours: int, needs_client: Sequence[str]) -> None:
    """Afterwards cases have so many hours of working time, and these decisions need the client's approval.

    Cases that are open keep the time by which they are due.
    """
    Project.objects.filter(pk=project.pk).update(case_hours=case_hours, needs_client=sorted(needs_client))
