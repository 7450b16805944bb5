"""Titles of drafts, kept beside the actions so that people can find them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.db import connection

from once_delivery.ledger.words import words_of

LONGEST = 300
CHUNK = 2_000

_KEEP = """
INSERT INTO ledger_title (action_id, project_id, text, words)
SELECT given.id, %(project)s, given.text,
       array_to_tsvector(ARRAY(SELECT %(project)s::text || ':' || jsonb_array_elements_text(given.words)))
FROM jsonb_to_recordset(%(rows)s::jsonb) AS given (id bigint, text text, words jsonb)
ON CONFLICT (action_id) DO NOTHING
"""


def keep(*, project_id: int, payloads: Mapping[int, Mapping[str, Any]]) -> None:
    """Keep the title of each payload that has one, by its action's ID."""
    titles = {
        action_id: " ".join(title.split())[:LONGEST]
        for action_id, payload in payloads.items()
        if isinstance(title := payload.get("title"), str) and title.strip()
    }
    rows = [
        {"id": pk, "text": text, "words": words} for pk, text in titles.items() if (words := words_of(text))
    ]
    with connection.cursor() as cursor:
        for start in range(0, len(rows), CHUNK):
            cursor.execute(_KEEP, {"project": project_id, "rows": json.dumps(rows[start : start + CHUNK])})
