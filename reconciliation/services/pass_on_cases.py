"""An absent or removed owner's cases pass on (R13)."""

from __future__ import annotations

from django.db.models import Exists, OuterRef

from once_delivery.accounts.models import Membership, Project
from once_delivery.ledger.clock import database_now
from reconciliation.models import Case, CaseStatus
from reconciliation.owners import are_here, owner_of


def pass_on_cases() -> int:
    """Afterwards no open case is owned by somebody who is away or no longer a member, where another is there."""
    now = database_now()
    here = Membership.objects.filter(are_here(now), project=OuterRef("project"), user=OuterRef("owner"))
    left = Case.objects.filter(~Exists(here), status=CaseStatus.OPEN)
    passed = 0
    for project in Project.objects.filter(pk__in=left.values("project")).select_related("default_owner"):
        owner = owner_of(project, now)
        passed += left.filter(project=project).exclude(owner=owner).update(owner=owner)
    return passed
