"""Members: another role, away for a while, or not a member any more."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_noop

from once_delivery.accounts.access import must_be_admin
from once_delivery.accounts.models import Membership, Project, Role, User
from once_delivery.common.errors import DomainError


class LastAdminError(DomainError):
    """A project without an admin could not be changed by anybody."""

    code = "last-admin"
    template = gettext_noop("“%(user)s” is the last admin of this project; name another one first.")


class StillOwnerError(DomainError):
    """R13: nothing rests without an owner."""

    code = "still-owner"
    template = gettext_noop("“%(user)s” is the default owner or the stand-in; name another one first.")


class UnknownRoleError(DomainError):
    """Not a role."""

    code = "unknown-role"
    template = gettext_noop("“%(role)s” is no role.")


class NotMemberError(DomainError):
    """Owners are members."""

    code = "not-member"
    template = gettext_noop("“%(user)s” is not a member of this project.")


def change_role(*, membership: Membership, role: str, user: User) -> None:
    """Afterwards the member has ``role``. Raises NotAdminError, UnknownRoleError, LastAdminError."""
    must_be_admin(user, membership.project)
    if role not in Role.values:
        raise UnknownRoleError(role=role[:20])
    with transaction.atomic():
        _lock(membership.project)
        if role != Role.ADMIN:
            _must_not_be_last_admin(membership)
        Membership.objects.filter(pk=membership.pk).update(role=role)


def remove_member(*, membership: Membership, user: User) -> None:
    """Afterwards the person sees nothing of the project; their cases pass on with the next sweep (R13).

    Raises NotAdminError, LastAdminError, StillOwnerError.
    """
    must_be_admin(user, membership.project)
    with transaction.atomic():
        project = _lock(membership.project)
        _must_not_be_last_admin(membership)
        if membership.user_id in {project.default_owner_id, project.stand_in_owner_id}:
            raise StillOwnerError(user=membership.user.username)
        Membership.objects.filter(pk=membership.pk).delete()


def name_owners(*, project: Project, default_owner: User, stand_in: User, user: User) -> None:
    """Afterwards these two own what nobody else does. Raises NotAdminError, NotMemberError."""
    must_be_admin(user, project)
    with transaction.atomic():
        _lock(project)
        members = set(Membership.objects.filter(project=project).values_list("user_id", flat=True))
        for owner in (default_owner, stand_in):
            if owner.pk not in members:
                raise NotMemberError(user=owner.username)
        Project.objects.filter(pk=project.pk).update(default_owner=default_owner, stand_in_owner=stand_in)


def set_absence(*, membership: Membership, until: datetime | None, user: User) -> None:
    """Afterwards the member is away until then, and their cases pass on. One's own, or an admin's to set."""
    if membership.user_id != user.pk:
        must_be_admin(user, membership.project)
    Membership.objects.filter(pk=membership.pk).update(absent_until=until)


def _lock(project: Project) -> Project:
    """One change of a project's members at a time: two admins must not remove each other."""
    return Project.objects.select_for_update().get(pk=project.pk)


def _must_not_be_last_admin(membership: Membership) -> None:
    others = Membership.objects.filter(
        project_id=membership.project_id, role=Role.ADMIN, user__is_active=True
    ).exclude(pk=membership.pk)
    now = Membership.objects.filter(pk=membership.pk, role=Role.ADMIN)
    if now.exists() and not others.exists():
        raise LastAdminError(user=membership.user.username)
