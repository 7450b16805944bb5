"""Say something about a task, beside its decisions."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from once_delivery.accounts.access import role_of
from once_delivery.accounts.models import Project, Role, User
from once_delivery.common.errors import DomainError
from once_delivery.common.redact import storable
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Task
from once_delivery.review.models import Comment

TEXT_LONGEST = 4000
_READERS = frozenset({Role.VIEWER, None})


class NotYoursToCommentError(DomainError):
    """A viewer reads."""

    code = "not-yours-to-comment"
    template = gettext_noop("“%(user)s” only reads in this project.")


class EmptyCommentError(DomainError):
    """Nothing was said."""

    code = "empty-comment"
    template = gettext_noop("Write something before you send it.")


def comment_on_task(*, task: Task, user: User, text: str) -> Comment:
    """Kept as it is said, for good (R10). Raises NotYoursToCommentError, EmptyCommentError."""
    if not may_comment(user, task.project):
        raise NotYoursToCommentError(user=user.username)
    said = storable(text.strip())[:TEXT_LONGEST]
    if not said:
        raise EmptyCommentError
    return Comment.objects.create(
        project_id=task.project_id, task=task, user=user, text=said, at=database_now()
    )


def may_comment(user: User, project: Project) -> bool:
    """Every member but who only reads."""
    return role_of(user, project) not in _READERS
