"""Who may decide about drafts."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from once_delivery.accounts.access import role_of
from once_delivery.accounts.models import Membership, Project, Role, User
from once_delivery.common.errors import DomainError

REVIEWERS = frozenset({Role.MARKETING_LEAD, Role.CLIENT_APPROVER, Role.ADMIN})


class NotYoursToReviewError(DomainError):
    """Deciding about drafts needs a marketing lead, client approver or admin of the project."""

    code = "not-yours-to-review"
    template = gettext_noop("“%(user)s” does not decide about drafts of this project.")


def may_review(user: User, project: Project) -> bool:
    """Whether ``user`` decides about drafts of ``project``."""
    return role_of(user, project) in REVIEWERS


def must_review(user: User, project: Project) -> None:
    """Raises NotYoursToReviewError."""
    if not may_review(user, project):
        raise NotYoursToReviewError(user=user.username)


def may_review_any(user: User) -> bool:
    """Whether there is a project whose drafts ``user`` decides about."""
    return Membership.objects.filter(user=user, role__in=REVIEWERS).exists()
