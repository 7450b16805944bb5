"""The description of the API for machines (OpenAPI 3.1), as it is kept in docs/openapi.json."""

from __future__ import annotations

import json
from typing import Any

from once_delivery.api.schemas.common import ProblemOut
from once_delivery.api.v1 import api

BASE = "/api/v1/"
_PROBLEM = {"$ref": "#/components/schemas/ProblemOut"}
_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": r'^"?[!#-\[\]-~]{1,255}"?$'},
    "description": "The same key with the same request gets the same answer for 24 hours; a permit is never given twice.",
}


def description() -> dict[str, Any]:
    """What there is, with what can go wrong at each call."""
    found: dict[str, Any] = json.loads(json.dumps(api.get_openapi_schema(path_prefix=BASE), default=str))
    found["components"]["schemas"]["ProblemOut"] = ProblemOut.model_json_schema()
    problem = {
        "description": "What went wrong",
        "content": {"application/problem+json": {"schema": _PROBLEM}},
    }
    for path in found["paths"].values():
        for method, call in path.items():
            codes = [400, 401, 403, 404, 422, 429] + ([409, 413, 415] if method == "post" else [])
            call["responses"] |= {str(code): problem for code in codes}
            if method == "post":
                call.setdefault("parameters", []).append(_KEY)
    return found


def as_text() -> str:
    """As the file has it."""
    return json.dumps(description(), indent=1, ensure_ascii=False, sort_keys=True) + "\n"
