"""What is refused about a vendor's drill."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from once_delivery.common.errors import DomainError


class NotATestTargetError(DomainError):
    """A vendor's drafts belong into a test environment."""

    code = "vendor-drill-needs-test-target"
    template = gettext_noop("“%(name)s” is not a test target of the project; a drill makes drafts that stay.")


class TargetInUseError(DomainError):
    """Two drills at once would count each other's drafts."""

    code = "vendor-drill-under-way"
    template = gettext_noop(
        "A vendor's drill on “%(target)s” is under way; finish it first, or two would count each other's drafts."
    )


class TargetHeldError(DomainError):
    """What the vendor was promised, and what is counted at the end, is the place that was agreed on."""

    code = "vendor-drill-holds-target"
    template = gettext_noop(
        "A vendor's drill on “%(target)s” is under way: its address, credentials and declaration stay until it is over."
    )


class NoSandboxError(DomainError):
    """Nobody said where the sandbox is."""

    code = "vendor-drill-no-sandbox"
    template = gettext_noop("The sandbox does not run here; choose a test target.")


class CannotBeCountedError(DomainError):
    """Without an inventory nobody could judge."""

    code = "vendor-drill-cannot-be-counted"
    template = gettext_noop("The target cannot be counted (%(code)s), so that nobody could judge.")


class NotListedError(CannotBeCountedError):
    """What the account of the target is not shown would be taken for missing."""

    code = "vendor-drill-not-listed"
    template = gettext_noop(
        "An answer named %(name)s, and the target's account does not see it in the list. Give the target an account "
        "that sees what the vendor's own account makes, and drill again."
    )


class AlreadyThereError(DomainError):
    """Old drafts would be taken for the vendor's."""

    code = "vendor-drill-already-there"
    template = gettext_noop(
        "The target already holds what is to be made (%(titles)s). Delete it there, or agree on other values."
    )


class NotOpenError(DomainError):
    """Too late, or too early."""

    code = "vendor-drill-not-open"
    template = gettext_noop("This drill is not open.")


class StillUnderWayError(DomainError):
    """A request is still on its way to the target: counted now, it could be missed."""

    code = "vendor-drill-still-under-way"
    template = gettext_noop(
        "%(count)s requests are still on their way to the target; it is counted after them."
    )


class BadAgreementError(DomainError):
    """What was agreed does not fit together; ``code`` of the field is in ``field``."""

    code = "vendor-drill-agreement"
    template = gettext_noop("This cannot be agreed on: %(why)s")

    def __init__(self, field: str, why: str) -> None:
        self.field = field
        super().__init__(why=why)
