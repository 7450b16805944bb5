"""What may be drilled by whom, and where a sandbox is to be had."""

from __future__ import annotations

from dataclasses import dataclass

from once_delivery.accounts.access import projects_of, role_of
from once_delivery.accounts.models import Project, User
from once_delivery.drill.wanting import STARTERS
from once_delivery.targets.models import Target
from once_delivery.vendor_drill.running_here import sandbox_url
from once_delivery.vendor_drill.services.give_sandbox import PREFIX

OWN = ("drill-", PREFIX)  # targets that drills have made for themselves


@dataclass(frozen=True, slots=True)
class Wish:
    """One place for a drill. ``target`` None: a new space of the sandbox."""

    project: Project
    target: Target | None

    @property
    def value(self) -> str:
        return str(self.target.uuid) if self.target else f"sandbox:{self.project.code}"


def wishes_of(user: User) -> list[Wish]:
    """For the projects in which ``user`` may start one: the sandbox first, then their test targets."""
    projects = list(
        projects_of(user).filter(memberships__user=user, memberships__role__in=STARTERS).order_by("name")
    )
    targets = Target.objects.filter(project__in=projects, is_test=True).select_related("project")
    for prefix in OWN:
        targets = targets.exclude(name__startswith=prefix)
    spaces = [Wish(project, None) for project in projects] if sandbox_url() else []
    return [*spaces, *(Wish(one.project, one) for one in targets.order_by("project__name", "name"))]


def may_start(user: User) -> bool:
    """Whether ``user`` may start one in any project."""
    return projects_of(user).filter(memberships__user=user, memberships__role__in=STARTERS).exists()


def may_run(user: User, project: Project) -> bool:
    """Starting, finishing and declaring: for the ops owner and the admin."""
    return role_of(user, project) in STARTERS
