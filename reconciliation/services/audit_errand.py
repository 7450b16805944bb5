"""An audit that was asked for on a page or by the night, done by a worker."""

from __future__ import annotations

from once_delivery.targets.services.errands import taken
from reconciliation.services.audit_target import audit_target
from reconciliation.services.open_cases import open_cases


def run_audit_errand(*, errand_id: int) -> bool:
    """Afterwards the audit is concluded and its duplicates have cases; False when somebody else has the errand."""
    with taken(errand_id) as errand:
        if errand is None:
            return False
        audit = audit_target(
            target=errand.target,
            user=errand.asked_by,
            changes=errand.options.get("changes") is True,
            go_on=errand.options.get("go_on") is True,
        )
        errand.result = [{"audit": str(audit.uuid)}]
        open_cases(project=errand.target.project)
    return True
