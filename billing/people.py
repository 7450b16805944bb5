"""Who keeps the books of a project."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from once_delivery.accounts.access import role_of
from once_delivery.accounts.models import Project, Role, User
from once_delivery.common.errors import DomainError

KEEPERS = frozenset({Role.FINANCE, Role.ADMIN})


class NotFinanceError(DomainError):
    """Costs are kept, and seen in full, by finance and by the admin."""

    code = "not-finance"
    template = gettext_noop("“%(user)s” does not keep the books of this project.")


def keeps_books(user: User, project: Project) -> bool:
    """Whether ``user`` is finance or an admin of ``project``."""
    return role_of(user, project) in KEEPERS


def must_keep_books(user: User, project: Project) -> None:
    """Raises NotFinanceError."""
    if not keeps_books(user, project):
        raise NotFinanceError(user=user.username)
