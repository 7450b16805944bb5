"""A project's own settings."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from once_delivery.accounts.access import must_be_admin
from once_delivery.accounts.models import Project, User
from once_delivery.accounts.services.account import NO_ZONE, is_zone
from once_delivery.common.errors import InvalidInputError, Problem

NAME_LONGEST = 200
HOURS_MOST = 1000
NO_NAME = gettext_noop("A project needs a name of at most %(most)s characters.")
NO_HOURS = gettext_noop("The time to decide a case is 1 to %(most)s hours of working time.")


def save_project(
    *, project: Project, name: str, timezone: str, case_hours: int, requires_second_factor: bool, user: User
) -> None:
    """Afterwards the project is called so. Cases that are open keep the time by which they are due.

    Raises NotAdminError; InvalidInputError with a problem for each field.
    """
    must_be_admin(user, project)
    called, zone = " ".join(name.split()), timezone.strip()
    problems = []
    if not 1 <= len(called) <= NAME_LONGEST:
        problems.append(
            Problem(code="bad-name", template=NO_NAME, params={"most": NAME_LONGEST}, column="name")
        )
    if not is_zone(zone):
        problems.append(
            Problem(code="bad-zone", template=NO_ZONE, params={"zone": zone[:60]}, column="timezone")
        )
    if not 1 <= case_hours <= HOURS_MOST:
        problems.append(
            Problem(code="bad-hours", template=NO_HOURS, params={"most": HOURS_MOST}, column="case_hours")
        )
    if problems:
        raise InvalidInputError(tuple(problems))
    Project.objects.filter(pk=project.pk).update(
        name=called, timezone=zone, case_hours=case_hours, requires_second_factor=requires_second_factor
    )
