"""Which role may do what. Asked on the server, whatever the page shows."""

from __future__ import annotations

from once_delivery.accounts.access import role_of
from once_delivery.accounts.models import Project, Role, User
from reconciliation.decisions import DECIDERS

RESUMERS = frozenset({Role.OPS_OWNER, Role.ADMIN})


def may_administer(user: User, project: Project) -> bool:
    """Members, invitations, tokens, routes, working hours and settings are the admin's."""
    return role_of(user, project) == Role.ADMIN


def may_resume(user: User, project: Project) -> bool:
    """Resuming sends requests to a target: for the ops owner and the admin."""
    return role_of(user, project) in RESUMERS


def may_decide_cases(user: User, project: Project) -> bool:
    """Deciding a case changes what is at a target, or what counts: for the ops owner and the admin."""
    return role_of(user, project) in DECIDERS


def may_change_targets(user: User, project: Project) -> bool:
    """Setting up, testing, probing and auditing a target: for the ops owner and the admin."""
    return role_of(user, project) in RESUMERS
