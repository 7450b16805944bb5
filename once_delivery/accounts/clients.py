"""Who answers for a project's client: its client approvers; its admins where it has none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from once_delivery.accounts.access import roles_of
from once_delivery.accounts.models import Membership, Project, Role, User


def client_approvers(project: Project) -> list[User]:
    """Those who answer for the client of ``project``."""
    members = Membership.objects.filter(project=project, user__is_active=True).select_related("user")
    chosen = [one for one in members if one.role == Role.CLIENT_APPROVER]
    chosen = chosen or [one for one in members if one.role == Role.ADMIN]
    return [one.user for one in chosen]


@dataclass(frozen=True, slots=True)
class Answering:
    """Where a person answers, as it is now: their roles by project ID, and for which projects' clients they do.

    Read at once: with the rule inside of it, a list and its count in the menu of each page take long to build.
    """

    roles: Mapping[int, str]
    for_client: Sequence[int]


def answering(user: User, roles: Mapping[int, str] | None = None) -> Answering:
    """The rule of ``client_approvers`` the other way round. ``roles``: those of ``user``, where they are known."""
    mine = roles_of(user) if roles is None else roles
    administered = [project_id for project_id, role in mine.items() if role == Role.ADMIN]
    have_one = set[int]()
    if administered:
        clients = Membership.objects.filter(
            project__in=administered, user__is_active=True, role=Role.CLIENT_APPROVER
        )
        have_one.update(clients.values_list("project_id", flat=True))
    return Answering(
        roles=mine,
        for_client=[
            project_id
            for project_id, role in mine.items()
            if role == Role.CLIENT_APPROVER or (role == Role.ADMIN and project_id not in have_one)
        ],
    )
