"""Who answers for a project's client: its client approvers; its admins where it has none."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q

from once_delivery.accounts.models import Membership, Project, Role, User


def client_approvers(project: Project) -> list[User]:
    """Those who answer for the client of ``project``."""
    members = Membership.objects.filter(project=project, user__is_active=True).select_related("user")
    chosen = [one for one in members if one.role == Role.CLIENT_APPROVER]
    chosen = chosen or [one for one in members if one.role == Role.ADMIN]
    return [one.user for one in chosen]


def answers_for_client(user: User) -> Q:
    """The same rule for a query of rows with a ``project``: those for whose client ``user`` answers."""
    mine = Membership.objects.filter(project=OuterRef("project"), user=user, user__is_active=True)
    clients = Membership.objects.filter(
        project=OuterRef("project"), user__is_active=True, role=Role.CLIENT_APPROVER
    )
    for_want_of_one = Q(Exists(mine.filter(role=Role.ADMIN))) & ~Q(Exists(clients))
    return Q(Exists(mine.filter(role=Role.CLIENT_APPROVER))) | for_want_of_one
