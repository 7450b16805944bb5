"""Write down what came back, once an attempt; a repeated write of the same receipt adds nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import connection

from once_delivery.ledger.claims import Claimed
from once_delivery.targets.base import Answer

Answered = tuple[Claimed, Answer]
CALLED = "called"  # by the service, about a job: no answer to an attempt of ours


def already_written(tokens: Sequence[UUID]) -> set[UUID]:
    """The attempts among ``tokens`` whose sender's receipt is there (a commit whose answer was lost).

    A service's call may have come before it, and leaves a receipt of its own.
    """
    with connection.cursor() as cursor:
        # one probe an attempt: a plain join is planned as a scan of all receipts while statistics are old
        cursor.execute(
            """SELECT t.token FROM ledger_attempt t
               CROSS JOIN LATERAL (SELECT FROM ledger_receipt r
                                   WHERE r.attempt_id = t.id AND r.code <> %s LIMIT 1) written
               WHERE t.token = ANY(%s)""",
            [CALLED, list(tokens)],
        )
        return {row[0] for row in cursor.fetchall()}


def write(answered: Sequence[Answered], *, late: set[UUID]) -> None:
    """Insert one receipt an attempt; those in ``late`` came after their lease was lost."""
    if not answered:
        return
    parameters: dict[str, Any] = {
        "tokens": [claimed.token for claimed, _ in answered],
        "outcomes": [str(answer.outcome) for _, answer in answered],
        "codes": [answer.code[:60] for _, answer in answered],
        "results": [answer.result_id[:300] for _, answer in answered],
        "urls": [answer.url[:1000] for _, answer in answered],
        "markers": [answer.marker[:300] if answer.marker is not None else None for _, answer in answered],
        "statuses": [answer.http_status for _, answer in answered],
        "details": [answer.detail[:500] for _, answer in answered],
        "excerpts": [answer.excerpt[:2000] for _, answer in answered],
        "usages": [json.dumps(dict(answer.usage)) for _, answer in answered],
        "lates": [claimed.token in late for claimed, _ in answered],
    }
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO ledger_receipt (project_id, attempt_id, action_id, outcome, code, result_id, result_url,
                                           marker, http_status, detail, excerpt, usage, late, received_at)
               SELECT t.project_id, t.id, t.action_id, w.outcome, w.code, w.result_id, w.url, w.marker, w.status,
                      w.detail, w.excerpt, w.usage::jsonb, w.late, clock_timestamp()
               FROM unnest(%(tokens)s::uuid[], %(outcomes)s::text[], %(codes)s::text[], %(results)s::text[],
                           %(urls)s::text[], %(markers)s::text[], %(statuses)s::smallint[], %(details)s::text[],
                           %(excerpts)s::text[], %(usages)s::text[], %(lates)s::boolean[])
                    AS w(token, outcome, code, result_id, url, marker, status, detail, excerpt, usage, late)
               JOIN ledger_attempt t ON t.token = w.token""",
            parameters,
        )
