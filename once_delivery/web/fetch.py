"""One object for one person. What is not theirs is not there, exactly like what does not exist (R14)."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404
from django.shortcuts import get_object_or_404

from once_delivery.accounts.access import projects_of
from once_delivery.accounts.models import Membership, Project, User
from once_delivery.ledger.models import Batch, Task
from once_delivery.targets.models import Target
from reconciliation.models import Approval, Audit, BulkDecision, Case, Finding


def project_of(user: User, code: str) -> Project:
    """The project, with its client and its owners."""
    return get_object_or_404(
        projects_of(user).filter(code=code).select_related("client", "default_owner", "stand_in_owner")
    )


def member_of(project: Project, pk: int) -> Membership:
    """A member of ``project``, which the person is a member of."""
    return get_object_or_404(
        Membership.objects.filter(project=project, pk=pk).select_related("user", "project")
    )


def batch_of(user: User, uuid: UUID) -> Batch:
    """The batch, with its project."""
    return get_object_or_404(
        Batch.objects.filter(project__in=projects_of(user), uuid=uuid).select_related(
            "project", "requested_by"
        )
    )


def task_of(user: User, uuid: UUID) -> Task:
    """The task, with what its identity is made of."""
    return get_object_or_404(
        Task.objects.filter(project__in=projects_of(user), uuid=uuid)
        .select_related("project", "product", "input_version", "forgotten")
        .defer("input_version__content")
    )


def case_of(user: User, uuid: UUID) -> Case:
    """The case, with its action and the task."""
    return get_object_or_404(
        Case.objects.filter(project__in=projects_of(user), uuid=uuid)
        .select_related(
            "project__default_owner",
            "owner",
            "resolved_by",
            "action__target",
            "action__task__product",
            "action__task__input_version",
            "action__task__forgotten",
        )
        .defer("action__task__input_version__content")
    )


def approval_of(user: User, case: Case, uuid: str) -> Approval:
    """A proposal for this case."""
    return get_object_or_404(
        Approval.objects.filter(project__in=projects_of(user), case=case, uuid=_uuid(uuid)).select_related(
            "project", "case", "proposed_by", "answered_by"
        )
    )


def bulk_of(user: User, uuid: UUID) -> BulkDecision:
    """A plan of many decisions."""
    return get_object_or_404(
        BulkDecision.objects.filter(project__in=projects_of(user), uuid=uuid).select_related(
            "project", "user"
        )
    )


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise Http404 from None


def target_of(user: User, uuid: UUID) -> Target:
    """The target, with its project."""
    return get_object_or_404(
        Target.objects.filter(project__in=projects_of(user), uuid=uuid).select_related("project__client")
    )


def audit_of(user: User, target: Target, uuid: UUID) -> Audit:
    """An audit of this target."""
    return get_object_or_404(
        Audit.objects.filter(project__in=projects_of(user), target=target, uuid=uuid).select_related(
            "run__requested_by"
        )
    )


def finding_of(user: User, target: Target, uuid: UUID) -> Finding:
    """A finding at this target, with its action."""
    return get_object_or_404(
        Finding.objects.filter(project__in=projects_of(user), target=target, uuid=uuid)
        .select_related("action__task__product", "action__task__input_version", "explained_by", "audit")
        .defer("action__payload", "action__task__input_version__content")
    )
