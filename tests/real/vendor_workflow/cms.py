"""The CMS that both scripts write to, spoken to in its own dialect.

``WORKFLOW_CMS``: its address. ``WORKFLOW_AUTHORIZATION``: the value of that header. ``WORKFLOW_DIALECT``: a name of
``dialects.DIALECTS``.
"""

from __future__ import annotations

import os
from typing import Any

import requests

from tests.real.vendor_workflow.dialects import DIALECTS, Dialect, Made

TIMEOUT_S = 10.0
PACKINGS = "gzip, compress, deflate, br"  # as n8n and all who use axios ask for it


def create_draft(title: str, marker: str = "", timeout: float = TIMEOUT_S) -> Made:
    """One request, never sent again by itself; raises RequestException when no good answer comes in time."""
    dialect = _dialect()
    answer = _answer("POST", dialect.creates_at, timeout, json=dialect.body(title, marker))
    return dialect.made(dialect.one_of(answer))


def find_drafts(marker: str) -> list[Made]:
    """Everything that bears it; raises RequestException when no good answer comes."""
    dialect = _dialect()
    answer = _answer("GET", dialect.looked_for_at, TIMEOUT_S, params=dialect.search(marker))
    return [dialect.made(one) for one in dialect.list_of(answer)]


def _dialect() -> Dialect:
    return DIALECTS[os.environ["WORKFLOW_DIALECT"]]


def _answer(method: str, path: str, timeout: float, **more: Any) -> Any:
    answer = requests.request(
        method,
        f"{os.environ['WORKFLOW_CMS']}{path}",
        headers={"Authorization": os.environ["WORKFLOW_AUTHORIZATION"], "Accept-Encoding": PACKINGS},
        timeout=timeout,
        **more,
    )
    answer.raise_for_status()
    return answer.json()
