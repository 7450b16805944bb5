"""What the overview of a project says."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q
from django.utils import timezone

from once_delivery.accounts.models import ApiToken, Invitation, Membership, Project, Role, User
from once_delivery.notices.models import Message, Route
from reconciliation.case_clock import due_of
from reconciliation.models.calendar import Calendar


@dataclass(frozen=True, slots=True)
class Overview:
    """The project as a member sees it."""

    roles: list[tuple[str, int]]  # the role's word and how many have it
    members: int
    calendar: Calendar | None
    due_of_now: datetime  # of a case that were opened now


@dataclass(frozen=True, slots=True)
class Desk:
    """What an admin looks after, in numbers."""

    invitations: int
    tokens: int
    routes: int
    waiting: int
    given_up: int


def overview_of(project: Project) -> Overview:
    """In four queries, however many members there are."""
    counted = dict(
        Membership.objects.filter(project=project).values_list("role").annotate(Count("pk")).order_by()
    )
    return Overview(
        roles=[(str(role.label), counted[role]) for role in Role if role in counted],
        members=sum(counted.values()),
        calendar=calendar_of(project),
        due_of_now=due_of(project, timezone.now()),
    )


def calendar_of(project: Project) -> Calendar | None:
    """The project's working hours; None: day and night."""
    return Calendar.objects.filter(project=project).first()


def desk_of(project: Project) -> Desk:
    """One query each."""
    now = timezone.now()
    letters = Message.objects.filter(project=project).aggregate(
        waiting=Count("pk", filter=Q(next_try_at__isnull=False)),
        given_up=Count("pk", filter=Q(given_up_at__isnull=False)),
    )
    return Desk(
        invitations=Invitation.objects.filter(
            project=project, accepted_at__isnull=True, revoked_at__isnull=True, expires_at__gt=now
        ).count(),
        tokens=ApiToken.objects.filter(project=project, revoked_at__isnull=True, expires_at__gt=now).count(),
        routes=Route.objects.filter(project=project).count(),
        waiting=letters["waiting"],
        given_up=letters["given_up"],
    )


def memberships_of(user: User) -> list[Membership]:
    """The projects of a person, with their role in each."""
    return list(
        Membership.objects.filter(user=user).select_related("project__client").order_by("project__name")
    )
