"""Who owns a case: the default owner, the stand-in when that one is away, an admin when both are (R13)."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q

from once_delivery.accounts.models import Membership, Project, Role, User


def owner_of(project: Project, now: datetime, *, without: int | None = None) -> User:
    """A member of ``project`` who is here now; the default owner when nobody is, so that a case has an owner.

    ``without``: as if this person (an ID) were away, to say beforehand to whom their cases would pass on.
    """
    members = {
        membership.user_id: membership
        for membership in Membership.objects.filter(project=project).select_related("user").order_by("pk")
        if membership.user_id != without
    }
    for user_id in (project.default_owner_id, project.stand_in_owner_id):
        membership = members.get(user_id)
        if membership is not None and is_here(membership, now):
            return membership.user
    for role in (Role.OPS_OWNER, Role.ADMIN):
        for membership in members.values():
            if membership.role == role and is_here(membership, now):
                return membership.user
    return project.default_owner


def is_here(membership: Membership, now: datetime) -> bool:
    """Active, and not away."""
    away = membership.absent_until is not None and membership.absent_until > now
    return membership.user.is_active and not away


def are_here(now: datetime) -> Q:
    """``is_here``, of memberships that are asked for."""
    return Q(user__is_active=True) & (Q(absent_until=None) | Q(absent_until__lte=now))
