"""Who may see what (R14). Every fetch on behalf of a person starts here."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.utils.translation import gettext_noop

from once_delivery.accounts.models import Membership, Project, Role, User
from once_delivery.common.errors import DomainError


class NotAdminError(DomainError):
    """Members, invitations and tokens are the admin's."""

    code = "not-admin"
    template = gettext_noop("“%(user)s” is no admin of this project.")


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


def roles_of(user: User) -> dict[int, str]:
    """The roles of ``user`` by project ID; none for who is not active."""
    return dict(Membership.objects.filter(user=user, user__is_active=True).values_list("project_id", "role"))


def must_be_admin(user: User, project: Project) -> None:
    """Raises NotAdminError."""
    if role_of(user, project) != Role.ADMIN:
        raise NotAdminError(user=user.username)
