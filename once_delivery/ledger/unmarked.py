"""Results that carry no marker: what belongs to others, and who else may have ordered the one that was found.

A connector sees the target alone. That a job is nobody else's is known here: no other action has its ID, and no other
action of whose result nothing is known may have made it. Asked before the look, again after it (whoever was sent
meanwhile may have made what it showed), and once more when it is written down.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.db import connection

from once_delivery.ledger.looking import DueLook
from once_delivery.targets.base import Kind, Look, LookUpRequest, Verdict

DISPUTED = "match-disputed"

# an attempt that may have arrived, under the key of today: what earlier ones made has been found, or has failed. One that
# a restored database does not know was made after its backup
_OWN = """
SELECT a.id, least((
    SELECT min(t.intended_at) FROM ledger_attempt t
    WHERE t.action_id = a.id AND t.key_generation = a.key_generation AND NOT EXISTS (
        SELECT 1 FROM ledger_receipt r
        WHERE r.attempt_id = t.id AND r.outcome IN ('not_sent', 'not_done', 'refused'))
), (SELECT min(r.since) FROM ledger_restoration r WHERE r.ended_at IS NULL OR a.created_at <= r.ended_at))
FROM ledger_action a WHERE a.id = ANY(%(ids)s)
"""
_FAILED = """
SELECT o.action_id, one ->> 'result_id', o.looked_at
FROM ledger_observation o CROSS JOIN LATERAL jsonb_array_elements(o.objects_seen) one
WHERE o.action_id = ANY(%(ids)s) AND o.code = 'job-failed'
"""
_TAKEN = """
SELECT a.id, a.result_id FROM ledger_action a
WHERE a.target_id = %(target)s AND a.kind = 'start_job' AND a.result_id <> ''
  AND a.state_since >= %(since)s - interval '1 hour'
UNION
SELECT a.id, r.result_id FROM ledger_action a JOIN ledger_receipt r ON r.action_id = a.id
WHERE a.target_id = %(target)s AND a.kind = 'start_job' AND r.result_id <> ''
  AND r.received_at >= %(since)s - interval '1 hour'
"""
_RIVALS = """
SELECT a.id, a.payload FROM ledger_action a
WHERE a.target_id = %(target)s AND a.kind = 'start_job' AND a.state IN ('sending', 'uncertain', 'reconcile')
"""
_HELD = """
SELECT EXISTS (SELECT 1 FROM ledger_action a
               WHERE a.target_id = own.target_id AND a.kind = own.kind AND a.id <> own.id AND a.result_id = %(result)s)
    OR EXISTS (SELECT 1 FROM ledger_receipt r JOIN ledger_action a ON a.id = r.action_id
               WHERE a.target_id = own.target_id AND a.kind = own.kind AND a.id <> own.id AND r.result_id = %(result)s)
FROM ledger_action own WHERE own.id = %(id)s
"""


@dataclass(slots=True)
class _Own:
    """What is known of one action's own sends."""

    sent_at: datetime | None
    failed: set[str] = field(default_factory=set)  # jobs of earlier tries


def with_what_others_have(due: Sequence[DueLook], *, target_id: int) -> list[DueLook]:
    """The same look-ups; those for jobs know their times, what is taken and who else may have ordered it."""
    jobs = [one for one in due if one.request.kind is Kind.START_JOB]
    if not jobs:
        return list(due)
    own = _own([one.action_id for one in jobs])
    unknown = [one for one in jobs if _is_unknown(one.request, own[one.action_id])]
    sent = [moment for moment in (own[one.action_id].sent_at for one in unknown) if moment is not None]
    taken, rivals = _others(target_id, min(sent)) if sent else ({}, {})
    return [
        replace(one, request=_asking(one, own[one.action_id], taken, rivals))
        if one.action_id in own and one.request.kind is Kind.START_JOB
        else one
        for one in due
    ]


def _is_unknown(request: LookUpRequest, own: _Own) -> bool:
    return not request.result_id or request.result_id in own.failed


def _asking(
    one: DueLook, own: _Own, taken: dict[int, set[str]], rivals: dict[int, dict[str, Any]]
) -> LookUpRequest:
    request = replace(
        one.request,
        failed_before=len(own.failed),
        sent_at=own.sent_at,
        asked_at=one.looked_at,
    )
    if not _is_unknown(request, own):
        return request
    others = {
        result for action_id, results in taken.items() if action_id != one.action_id for result in results
    }
    return replace(
        request,
        result_id="",  # the job of an earlier try, which failed, is not this one's
        taken=frozenset(others | own.failed),
        rivals=tuple(payload for action_id, payload in rivals.items() if action_id != one.action_id),
    )


def _own(action_ids: list[int]) -> dict[int, _Own]:
    with connection.cursor() as cursor:
        cursor.execute(_OWN, {"ids": action_ids})
        own = {row[0]: _Own(row[1]) for row in cursor.fetchall()}
        cursor.execute(_FAILED, {"ids": action_ids})
        for action_id, result_id, looked_at in cursor.fetchall():
            sent_at = own[action_id].sent_at
            if sent_at is not None and looked_at < sent_at:
                own[action_id].failed.add(result_id)
    return own


def _others(target_id: int, since: datetime) -> tuple[dict[int, set[str]], dict[int, dict[str, Any]]]:
    """By action: the results that are known, and the orders of whose result nothing is known."""
    taken: dict[int, set[str]] = defaultdict(set)
    with connection.cursor() as cursor:
        cursor.execute(_TAKEN, {"target": target_id, "since": since})
        for action_id, result_id in cursor.fetchall():
            taken[action_id].add(result_id)
        cursor.execute(_RIVALS, {"target": target_id})
        rivals = {
            row[0]: json.loads(row[1]) if isinstance(row[1], str) else row[1] for row in cursor.fetchall()
        }
    return taken, rivals


def failed_before(action_ids: Sequence[int]) -> dict[int, int]:
    """How many jobs of earlier tries have failed; asked between two tries."""
    return {action_id: len(failed_jobs(action_id)) for action_id in action_ids}


def failed_jobs(action_id: int) -> set[str]:
    """The jobs of this action that the service said to have failed."""
    with connection.cursor() as cursor:
        cursor.execute(_FAILED, {"ids": [action_id]})
        return {result_id for _, result_id, _ in cursor.fetchall()}


def looked_at_again(
    due: Sequence[DueLook],
    looks: Sequence[Look],
    *,
    target_id: int,
    look: Callable[[Sequence[DueLook]], list[Look]],
) -> list[Look]:
    """A job that was recognised by its likeness is looked for once more, with all who were sent meanwhile as rivals.

    Whoever is sent after that cannot have made what the first look showed already.
    """
    unmarked = [at for at, one in enumerate(due) if _is_recognised(one, looks[at])]
    if not unmarked:
        return list(looks)
    again = with_what_others_have([due[at] for at in unmarked], target_id=target_id)
    kept = list(looks)
    for at, second in zip(unmarked, look(again), strict=True):
        same = (
            second.verdict is Verdict.FOUND and second.objects[0].result_id == looks[at].objects[0].result_id
        )
        if not same:
            kept[at] = disputed(looks[at]) if second.verdict is Verdict.FOUND else second
    return kept


def without_what_others_hold(due: DueLook, look: Look) -> Look:
    """``look``, or "cannot tell" when another action holds the very job by now."""
    if not _is_recognised(due, look):
        return look
    return disputed(look) if is_held_by_another(due.action_id, look.objects[0].result_id) else look


def is_held_by_another(action_id: int, result_id: str) -> bool:
    """Whether another action of the same target and kind has, or was ever answered, this result."""
    with connection.cursor() as cursor:
        cursor.execute(_HELD, {"id": action_id, "result": result_id})
        return bool(cursor.fetchone()[0])


def disputed(look: Look) -> Look:
    """What was found may be another action's."""
    return replace(
        look,
        verdict=Verdict.CANNOT_TELL,
        complete=False,
        objects=(),
        candidates=(*look.objects, *look.candidates),
        code=DISPUTED,
    )


def _is_recognised(due: DueLook, look: Look) -> bool:
    """Found without an ID that we knew and without a marker."""
    return (
        due.request.kind is Kind.START_JOB
        and not due.request.result_id
        and look.verdict is Verdict.FOUND
        and look.objects[0].marker is None
    )
