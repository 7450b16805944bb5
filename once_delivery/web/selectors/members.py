"""The people of a project, and what would happen to their cases."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django_otp.plugins.otp_totp.models import TOTPDevice

from once_delivery.accounts.models import Membership, Project, Role, User
from once_delivery.ledger.clock import database_now
from reconciliation.models import Case, CaseStatus
from reconciliation.owners import is_here, owner_of


@dataclass(frozen=True, slots=True)
class MemberRow:
    """One member. ``office``: "default", "stand-in" or ""."""

    membership: Membership
    role: str
    cases: int
    away: bool
    office: str


@dataclass(frozen=True, slots=True)
class PassingOn:
    """What becomes of somebody's open cases when they are away or gone: how many, and to whom they go."""

    cases: int
    to: User
    to_themselves: bool  # nobody else is here


def member_rows(project: Project) -> list[MemberRow]:
    """Every member with their open cases, in one query; admins and owners first, then by name."""
    now = database_now()
    open_cases = (
        Case.objects.filter(project=project, status=CaseStatus.OPEN, owner=OuterRef("user"))
        .order_by()
        .values("owner")
        .annotate(count=Count("pk"))
        .values("count")
    )
    found = (
        Membership.objects.filter(project=project)
        .select_related("user")
        .annotate(cases=Coalesce(Subquery(open_cases), 0))
        .order_by("user__username")
    )
    rows = [
        MemberRow(
            membership=one,
            role=str(Role(one.role).label),
            cases=one.cases,
            away=one.user.is_active and not is_here(one, now),
            office=office_of(project, one.user_id),
        )
        for one in found
    ]
    return sorted(rows, key=lambda row: (row.membership.role != Role.ADMIN, not row.office))


def office_of(project: Project, user_id: int) -> str:
    """Whether somebody is the default owner or the stand-in."""
    if user_id == project.default_owner_id:
        return "default"
    return "stand-in" if user_id == project.stand_in_owner_id else ""


def open_cases_count(membership: Membership) -> int:
    """How many open cases of the project this member owns."""
    return Case.objects.filter(
        project_id=membership.project_id, owner_id=membership.user_id, status=CaseStatus.OPEN
    ).count()


def passing_on(membership: Membership) -> PassingOn:
    """To whom their open cases would go if they were not here now."""
    to = owner_of(membership.project, database_now(), without=membership.user_id)
    return PassingOn(open_cases_count(membership), to, to.pk == membership.user_id)


def without_factor_count(project: Project) -> int:
    """How many active members have no second factor yet."""
    has = TOTPDevice.objects.filter(confirmed=True).values("user")
    return Membership.objects.filter(Q(project=project, user__is_active=True) & ~Q(user__in=has)).count()
