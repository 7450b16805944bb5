"""An absent or removed owner's cases pass on (R13)."""

from __future__ import annotations

from once_delivery.accounts.models import Membership
from once_delivery.ledger.clock import database_now
from reconciliation.models import Case, CaseStatus
from reconciliation.owners import is_here, owner_of


def pass_on_cases() -> int:
    """Afterwards no open case is owned by somebody who is away or no longer a member, where another is there."""
    now = database_now()
    passed = 0
    members = {
        (membership.project_id, membership.user_id): membership
        for membership in Membership.objects.select_related("user")
    }
    for case in Case.objects.filter(status=CaseStatus.OPEN).select_related("project", "owner"):
        membership = members.get((case.project_id, case.owner_id))
        if membership is not None and is_here(membership, now):
            continue
        owner = owner_of(case.project, now)
        if owner != case.owner:
            passed += Case.objects.filter(pk=case.pk, status=CaseStatus.OPEN, owner=case.owner).update(
                owner=owner
            )
    return passed
