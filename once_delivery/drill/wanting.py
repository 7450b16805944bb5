"""What may be drilled and by whom, acceptance drill or a vendor's; and what the former makes, said before it is started."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from once_delivery.accounts.access import projects_of, role_of
from once_delivery.accounts.models import Project, Role, User
from once_delivery.drill.scenario import TWELVE
from once_delivery.drill.services.drill_target import RECOVERIES
from once_delivery.drill.services.run_drill import GUARDS
from once_delivery.targets.models import Target

STARTERS = (Role.OPS_OWNER, Role.ADMIN)
ITEMS = 3  # A, B and C
MOST_LOCALES = len(TWELVE)


@dataclass(frozen=True, slots=True)
class Wish:
    """One way to drill. ``value``: how the form names it; ``target`` None: the sandbox."""

    project: Project
    target: Target | None

    @property
    def value(self) -> str:
        return str(self.target.uuid) if self.target else f"sandbox:{self.project.code}"

    @property
    def rounds(self) -> int:
        """Of an acceptance drill."""
        return len(RECOVERIES) * (1 if self.target else len(GUARDS))

    @property
    def drafts(self) -> int:
        """Of an acceptance drill, for each locale."""
        return self.rounds * ITEMS


def wishes_of(user: User, *, sandbox: bool = True) -> list[Wish]:
    """For the projects in which ``user`` may start one: the sandbox first, then their test targets.

    What a drill has made for itself is no place for another one. ``sandbox``: whether it can be had.
    """
    projects = list(_startable(user).order_by("name"))
    targets = (
        Target.objects.filter(project__in=projects, is_test=True, of_drill=False)
        .select_related("project")
        .order_by("project__name", "name")
    )
    return [
        *(Wish(project, None) for project in projects if sandbox),
        *(Wish(target.project, target) for target in targets),
    ]


def may_start(user: User) -> bool:
    """Whether ``user`` may start one in any project."""
    return _startable(user).exists()


def may_run(user: User, project: Project) -> bool:
    """Starting, finishing and declaring: for the ops owner and the admin."""
    return role_of(user, project) in STARTERS


def _startable(user: User) -> QuerySet[Project]:
    return projects_of(user).filter(memberships__user=user, memberships__role__in=STARTERS)
