"""Why a drill could not be run; a failed verdict is not an error."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from once_delivery.common.errors import DomainError


class DrillBrokenError(DomainError):
    """The drill itself went wrong."""

    code = "drill-broken"
    template = gettext_noop("The drill could not be run: %(why)s")


class ProductsMissingError(DomainError):
    """A drill needs three products."""

    code = "drill-needs-products"
    template = gettext_noop("A drill needs three products; project “%(project)s” has %(count)s.")


class NoTestTargetError(DomainError):
    """Drafts of a drill belong into a test environment."""

    code = "drill-needs-test-target"
    template = gettext_noop("“%(name)s” is not a test target of the project; drills make drafts that stay.")
