"""Acceptances that were taken back: which of them still count, and which wait for whose answer."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from once_delivery.accounts.clients import Answering, answering
from once_delivery.accounts.models import User
from once_delivery.ledger.models import Task
from once_delivery.review.models import COUNTS_NO_MORE, Asset, Revocation, RevocationStatus

# for a query of assets. What was taken back before there were revocations counts no more either
REVOKED = Q(withdrawn_at__isnull=False) & (
    Q(revocation__isnull=True) | Q(revocation__status__in=COUNTS_NO_MORE)
)


def is_revoked(asset: Asset) -> bool:
    """Whether ``asset`` counts no more because its acceptance was taken back for good."""
    return Asset.objects.filter(REVOKED, pk=asset.pk).exists()


def revocation_of(task: Task) -> Revocation | None:
    """The latest time that an acceptance of ``task`` was taken back."""
    found = Revocation.objects.filter(asset__task=task).select_related(
        "project", "asset__task", "review__user", "review__link", "answered_by"
    )
    return found.order_by("-pk").first()


def waiting_revocations(user: User, where: Answering | None = None) -> QuerySet[Revocation]:
    """Those that ``user`` may answer: the rule of ``services/revoke.approvers_of``, for lists.

    ``where``: where they answer, if that was asked already.
    """
    projects = (where or answering(user)).for_client
    asked = Revocation.objects.filter(project__in=projects, status=RevocationStatus.ASKED)
    return asked.exclude(review__user=user).exclude(review__link__created_by=user)
