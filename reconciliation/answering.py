"""What waits for a person's answer: the same rule as ``services/approvals.approvers_of``, for lists."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from once_delivery.accounts.clients import Answering, answering
from once_delivery.accounts.models import User
from reconciliation.decisions import DECIDERS
from reconciliation.models import Approval, ApprovalStatus, CaseStatus


def waiting_for(user: User, where: Answering | None = None) -> QuerySet[Approval]:
    """Proposals that ``user`` may answer: the client's for client approvers (for admins where a project has none),
    else for the other ops owners and admins. ``where``: where they answer, if that was asked already.
    """
    found = where or answering(user)
    as_second = [project_id for project_id, role in found.roles.items() if role in DECIDERS]
    return Approval.objects.filter(
        Q(by_client=True, project__in=found.for_client) | Q(by_client=False, project__in=as_second),
        status=ApprovalStatus.ASKED,
        case__status=CaseStatus.OPEN,  # what came right by itself needs no answer
    ).exclude(proposed_by=user)
