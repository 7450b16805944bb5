"""Whether the target itself was looked at. Its answer to our own request is no look: only what was seen there counts."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q

from once_delivery.ledger.models import Observation
from once_delivery.targets.base import Verdict
from reconciliation.models import Audit, AuditStatus


def was_looked_at() -> Q:
    """Of an action: a look-up found its object, or the whole inventory was read after it was confirmed."""
    seen = Observation.objects.filter(action=OuterRef("pk"), verdict__in=[Verdict.FOUND, Verdict.FOUND_MANY])
    audited = Audit.objects.filter(
        target=OuterRef("target"), status=AuditStatus.COMPLETE, started_at__gt=OuterRef("confirmed_at")
    )
    return Q(Exists(seen)) | Q(Exists(audited))
