"""Which role of a token may do what: the same as the person of that role may on the pages (web/permits.py)."""

from __future__ import annotations

from once_delivery.accounts.models import ApiToken, Role
from once_delivery.intake.services.uploads import IMPORTERS

READERS = frozenset(Role)
ASKERS = IMPORTERS  # deliveries are asked for
PERFORMERS = frozenset({Role.OPS_OWNER, Role.ADMIN})  # something goes to a target: resume, permits
COSTERS = frozenset({Role.OPS_OWNER, Role.FINANCE, Role.ADMIN})


class RoleNotAllowedError(Exception):
    """The token's role may not do this."""


def must_be(token: ApiToken, roles: frozenset[Role]) -> None:
    """Raises RoleNotAllowedError."""
    if token.role not in roles:
        raise RoleNotAllowedError
