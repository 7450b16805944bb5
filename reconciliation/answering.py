"""What waits for a person's answer, in one query: the same rule as ``services/approvals.approvers_of``, for lists."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from once_delivery.accounts.clients import answers_for_client
from once_delivery.accounts.models import Membership, User
from reconciliation.decisions import DECIDERS
from reconciliation.models import Approval, ApprovalStatus, CaseStatus


def waiting_for(user: User) -> QuerySet[Approval]:
    """Proposals that ``user`` may answer: the client's for client approvers (for admins where a project has none),
    else for the other ops owners and admins."""
    mine = Membership.objects.filter(project=OuterRef("project"), user=user, user__is_active=True)
    as_second = Q(Exists(mine.filter(role__in=DECIDERS)))
    return Approval.objects.filter(
        Q(by_client=True) & answers_for_client(user) | Q(by_client=False) & as_second,
        status=ApprovalStatus.ASKED,
        case__status=CaseStatus.OPEN,  # what came right by itself needs no answer
    ).exclude(proposed_by=user)
