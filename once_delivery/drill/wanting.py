"""What may be drilled, and what each drill makes: said before it is started."""

from __future__ import annotations

from dataclasses import dataclass

from once_delivery.accounts.access import projects_of
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
        return len(RECOVERIES) * (1 if self.target else len(GUARDS))

    @property
    def drafts(self) -> int:
        """For each locale."""
        return self.rounds * ITEMS


def wishes_of(user: User) -> list[Wish]:
    """For the projects in which ``user`` may start one: the sandbox first, then their test targets."""
    projects = list(
        projects_of(user).filter(memberships__user=user, memberships__role__in=STARTERS).order_by("name")
    )
    targets = (
        Target.objects.filter(project__in=projects, is_test=True)
        .exclude(name__startswith="drill-")
        .select_related("project")
        .order_by("project__name", "name")
    )
    return [
        *(Wish(project, None) for project in projects),
        *(Wish(target.project, target) for target in targets),
    ]
