"""The connection test of a generation service: reads only, and costs nothing."""

from __future__ import annotations

from once_delivery.targets.base import CheckResult
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.jobs.looks import Looker

_SIMULATED = "simulated"


def run_checks(looker: Looker) -> list[CheckResult]:
    """On what the declaration was proven; then the first page of the list, where there is one."""
    service = looker.declaration.service
    evidence = service.evidence
    proven = _SIMULATED if evidence["proven"] == "simulator" else ""
    results = [
        CheckResult(
            "evidence",
            ok=True,
            code=proven,
            detail=f"{service.title}: documentation of {evidence['read_on']}",
        )
    ]
    if service.list is None:
        # every documented request of such a service costs money
        return [*results, CheckResult("connection", ok=False, code="cannot-be-checked")]
    try:
        next(looker.items(service.list, {"payload": {}}), None)
    except CutError as error:
        return [*results, CheckResult("list", ok=False, code=error.code, detail=error.detail)]
    return [*results, CheckResult("list", ok=True)]
