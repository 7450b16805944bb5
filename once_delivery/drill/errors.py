"""Why a drill could not be run; a failed verdict is not an error."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from once_delivery.common.errors import DomainError

WHY_BROKEN = {
    "items-refused": gettext_noop(
        "The drill could not be run: the target did not take its items. %(answers)s"
    ),
    "no-receipt": gettext_noop(
        "The drill could not be run: A was sent and no receipt of it came. %(answers)s"
    ),
    "ended-early": gettext_noop("The drill could not be run: the first try ended before B. %(said)s"),
    "not-as-far": gettext_noop("The drill could not be run: the first try did not get as far as B in time."),
    "no-end": gettext_noop("The drill could not be run: a process did not end within %(seconds)s s."),
    "process-failed": gettext_noop("The drill could not be run: a process of it failed. %(said)s"),
    "not-started": gettext_noop("The drill could not be run: a recovery process did not start."),
    "no-sandbox": gettext_noop("The drill could not be run: the sandbox did not start. %(said)s"),
    "cannot-be-counted": gettext_noop(
        "The drill could not be run: the target cannot be counted (%(code)s), so that nobody could judge it."
    ),
    "interrupted": gettext_noop(
        "The drill was interrupted before its end: its worker stopped. Start it again."
    ),
}


class DrillBrokenError(DomainError):
    """The drill itself went wrong; ``why`` is a code of ``WHY_BROKEN``."""

    code = "drill-broken"

    def __init__(self, why: str, **params: object) -> None:
        self.why = why
        self.template = WHY_BROKEN[why]
        super().__init__(**params)


class DrillRunningError(DomainError):
    """Two drills at once would only make each other slow."""

    code = "drill-running"
    template = gettext_noop("A drill of “%(project)s” is under way already.")


class ProductsMissingError(DomainError):
    """A drill needs three products."""

    code = "drill-needs-products"
    template = gettext_noop("A drill needs three products; project “%(project)s” has %(count)s.")


class NoTestTargetError(DomainError):
    """Drafts of a drill belong into a test environment."""

    code = "drill-needs-test-target"
    template = gettext_noop("“%(name)s” is not a test target of the project; drills make drafts that stay.")
