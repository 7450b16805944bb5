"""Who may have which report as a file."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from billing.models import Profile
from billing.people import keeps_books
from once_delivery.accounts.access import role_of
from once_delivery.accounts.models import Project, Role, User
from once_delivery.common.errors import DomainError

_FOR_CLIENTS = frozenset({Role.CLIENT_APPROVER})


class NoExportRightError(DomainError):
    """The inner form is for who keeps the books; the client's own form for the client's approver too."""

    code = "no-export-right"
    template = gettext_noop("“%(user)s” may not export this.")


def may_export(user: User, project: Project, profile: str) -> bool:
    """Asked when it is asked for, when it is made, and when it is fetched."""
    if keeps_books(user, project):
        return True
    return profile == Profile.CLIENT and role_of(user, project) in _FOR_CLIENTS


def must_export(user: User, project: Project, profile: str) -> None:
    """Raises NoExportRightError."""
    if not may_export(user, project, profile):
        raise NoExportRightError(user=user.username)
