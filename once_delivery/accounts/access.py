"""Who may see what (R14). Every fetch on behalf of a person starts here."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from once_delivery.accounts.models import Membership, Project, User


def projects_of(user: User | AnonymousUser) -> QuerySet[Project]:
    """The projects that ``user`` is a member of; none for who is not signed in or not active."""
    if not isinstance(user, User) or not user.is_active:
        return Project.objects.none()
    return Project.objects.filter(memberships__user=user)


def role_of(user: User | AnonymousUser, project: Project) -> str | None:
    """The role of ``user`` in ``project``, None when not a member."""
    if not isinstance(user, User) or not user.is_active:
        return None
    return Membership.objects.filter(user=user, project=project).values_list("role", flat=True).first()
