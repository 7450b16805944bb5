"""Links for an approver of the client who has no account: made, used, revoked."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.utils.translation import gettext_noop

from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError
from once_delivery.common.redact import storable
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Task
from once_delivery.review.models import ApprovalLink
from once_delivery.review.people import must_review

DAYS_MOST = 30


class LinkOverError(DomainError):
    """Unknown, expired and revoked are told alike: whoever guesses learns nothing."""

    code = "link-over"
    template = gettext_noop("This link is not valid, or not any more. Ask for a new one.")


class BadLinkError(DomainError):
    """A link needs a name and a time."""

    code = "bad-link"
    template = gettext_noop("A link needs the name of who it is for, and is valid for 1 to %(most)s days.")


def make_link(*, task: Task, approver: str, days: int, user: User) -> tuple[ApprovalLink, str]:
    """A link and its secret, which is shown once and not kept. Raises BadLinkError, NotYoursToReviewError."""
    must_review(user, task.project)
    name = storable(approver).strip()[:200]
    if not name or not 1 <= days <= DAYS_MOST:
        raise BadLinkError(most=DAYS_MOST)
    secret = secrets.token_urlsafe(32)
    now = database_now()
    link = ApprovalLink.objects.create(
        project_id=task.project_id,
        task=task,
        secret_hash=_hash(secret),
        approver=name,
        created_by=user,
        created_at=now,
        expires_at=now + timedelta(days=days),
    )
    return link, secret


def open_link(*, secret: str) -> ApprovalLink:
    """The link of ``secret``. Raises LinkOverError."""
    link = (
        ApprovalLink.objects.filter(
            secret_hash=_hash(secret), revoked_at__isnull=True, expires_at__gt=database_now()
        )
        .select_related("task__product", "task__input_version", "project")
        .first()
    )
    if link is None:
        raise LinkOverError
    return link


def revoke_link(*, link: ApprovalLink, user: User) -> None:
    """Afterwards the link opens nothing. Raises NotYoursToReviewError."""
    must_review(user, link.project)
    ApprovalLink.objects.filter(pk=link.pk, revoked_at__isnull=True).update(revoked_at=database_now())


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
