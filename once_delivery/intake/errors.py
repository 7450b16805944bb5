"""What keeps an import from being tried at all."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from once_delivery.common.errors import DomainError


class UnknownProjectError(DomainError):
    """No project of that code."""

    code = "unknown-project"
    template = gettext_noop("There is no project “%(code)s”.")


class NotAMemberError(DomainError):
    """The user is not there, or not a member of the project (both are told alike)."""

    code = "not-a-member"
    template = gettext_noop("There is no member “%(name)s” of the project “%(code)s”.")


class UnreadableFileError(DomainError):
    """The file cannot be opened."""

    code = "unreadable-file"
    template = gettext_noop("The file “%(name)s” cannot be read: %(why)s.")


class DemoNameTakenError(DomainError):
    """Somebody's account has a demo account's name."""

    code = "demo-name-taken"
    template = gettext_noop(
        "There is an account “%(name)s” that is not of the demo. The demo does not touch it; nothing was done."
    )


class DatabaseFailedError(DomainError):
    """The database cannot be reached, or could not keep what was asked."""

    code = "database-failed"
    template = gettext_noop("The database cannot be reached or refused the work; nothing was kept: %(why)s")
