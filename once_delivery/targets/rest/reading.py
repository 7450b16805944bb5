"""One object by the target's own ID, with its content and its version."""

from __future__ import annotations

from once_delivery.targets.base import Look, Verdict
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.rest.looks import Looker, NotThereError
from once_delivery.targets.rest.spec import KindSpec

_METHOD = "id"


def read(spec: KindSpec, result_id: str, looker: Looker) -> Look:
    """FOUND with its content; ABSENT only by the target's own word; CANNOT_TELL for all else."""
    if spec.read is None:
        return Look(Verdict.CANNOT_TELL, "none", complete=False, code="cannot-read")
    values = {"marker": "", "client_id": "", "payload": {}, "result_id": result_id}
    try:
        found = looker.one(spec.read, values, content=True)
    except NotThereError:
        return Look(Verdict.ABSENT, _METHOD, complete=True)
    except CutError as error:
        return Look(
            Verdict.CANNOT_TELL,
            _METHOD,
            complete=False,
            code=error.code,
            http_status=error.http_status,
            retry_after_s=error.retry_after_s,
            detail=error.detail,
        )
    if found.result_id.lower() != result_id.lower():
        return Look(Verdict.CANNOT_TELL, _METHOD, complete=False, candidates=(found,), code="id-mismatch")
    return Look(Verdict.FOUND, _METHOD, complete=True, objects=(found,))
