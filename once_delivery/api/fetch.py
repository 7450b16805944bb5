"""One object for one token. What is of another project is not there, exactly like what does not exist (R14)."""

from __future__ import annotations

from uuid import UUID

from django.shortcuts import get_object_or_404

from once_delivery.accounts.models import ApiToken
from once_delivery.accounts.secret_links import hash_of
from once_delivery.ledger.models import Action, Attempt, Batch, Permit, Task


def batch_of(token: ApiToken, uuid: UUID) -> Batch:
    """The batch."""
    return get_object_or_404(Batch.objects.filter(project=token.project_id, uuid=uuid))


def task_of(token: ApiToken, uuid: UUID) -> Task:
    """The task, with what its identity is made of."""
    return get_object_or_404(
        Task.objects.filter(project=token.project_id, uuid=uuid)
        .select_related("product", "input_version")
        .defer("input_version__content")
    )


def action_of(token: ApiToken, uuid: UUID) -> Action:
    """The action."""
    return get_object_or_404(Action.objects.filter(project=token.project_id, uuid=uuid))


def permit_of(token: ApiToken, secret: str) -> Permit:
    """The permit whose secret this is."""
    return get_object_or_404(Permit.objects.filter(project=token.project_id, secret_hash=hash_of(secret)))


def attempt_of(token: ApiToken, pk: int) -> Attempt:
    """The attempt, by the number that came with its permit."""
    return get_object_or_404(Attempt.objects.filter(project=token.project_id, pk=pk))
