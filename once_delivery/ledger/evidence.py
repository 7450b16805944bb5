"""Read everything that is known of actions, in few queries, for the pure decisions of resume.py."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from once_delivery.ledger.facts import Evidence, Restored, Seen, Sent
from once_delivery.ledger.restoring import restored_of
from once_delivery.ledger.states import NextStep, State
from once_delivery.targets.base import Kind, Outcome, Verdict
from once_delivery.targets.models import Target
from once_delivery.targets.profile import Profile
from once_delivery.targets.refutations import held_back


@dataclass(frozen=True, slots=True)
class Known:
    """An action with its evidence."""

    action_id: int
    project_id: int
    target_id: int
    revision: int
    look_ups: int
    marker: str
    read_at: datetime  # by the database's clock
    has_needs: bool  # it waits for others, or did
    evidence: Evidence


_ACTIONS = """
SELECT a.id, a.project_id, a.target_id, a.revision, a.look_ups, a.marker, a.state, a.next_step, a.next_step_at,
       a.lease_until, a.key_generation, a.result_id, a.reason, greatest(g.not_before, g.open_until), a.sends,
       coalesce(o.result_id, ''), a.kind, a.by_permit, clock_timestamp(),
       EXISTS (SELECT FROM ledger_actionneed n WHERE n.action_id = a.id), EXISTS (SELECT FROM ledger_restoration)
FROM ledger_action a LEFT JOIN ledger_gate g ON g.target_id = a.target_id
LEFT JOIN ledger_action o ON o.id = a.original_id AND o.state = 'confirmed'
WHERE a.id = ANY(%s)
"""

_WAITS = """
SELECT n.action_id, d.slot FROM ledger_actionneed n JOIN ledger_action d ON d.id = n.needs_id
WHERE n.action_id = ANY(%s) AND (
    (n.condition = 'result' AND d.state <> 'confirmed')
    OR (n.condition = 'settled' AND d.state IN ('sending', 'accepted', 'uncertain', 'reconcile')))
ORDER BY d.slot
"""

_ATTEMPTS = """
SELECT t.action_id, t.number, t.intended_at, greatest(t.lease_until, p.lease_until), t.key_generation, r.outcome, r.received_at, r.result_id
FROM ledger_attempt t
LEFT JOIN ledger_permit p ON p.attempt_id = t.id
LEFT JOIN LATERAL (
    SELECT outcome, received_at, result_id FROM ledger_receipt r WHERE r.attempt_id = t.id ORDER BY r.id DESC LIMIT 1
) r ON true
WHERE t.action_id = ANY(%s) ORDER BY t.action_id, t.number
"""

_SEEN = """
SELECT o.action_id, o.verdict, o.looked_at, o.complete, o.proves_absence, o.code
FROM ledger_observation o WHERE o.action_id = ANY(%s) ORDER BY o.action_id, o.looked_at
"""


def load(action_ids: Iterable[int], *, profiles: Mapping[int, Profile] | None = None) -> dict[int, Known]:
    """Evidence of each action by its ID. What there was never any of (needs, sends, restores) is not asked for."""
    rows = _rows(_ACTIONS, list(action_ids))
    targets = Target.objects.only("profile_data", "refuted").in_bulk({row[2] for row in rows})
    known_profiles = {pk: target.profile for pk, target in targets.items()} | dict(profiles or {})
    sent_ids = [row[0] for row in rows if row[14] and row[6] not in {"confirmed", "superseded", "cancelled"}]
    waits = _waits([row[0] for row in rows if row[19] and row[6] in {"planned", "refused"}])
    attempts, restored = _attempts(sent_ids), restored_of(row[0] for row in rows if row[20])
    seen = _seen([*{*sent_ids, *restored}], attempts, restored)
    return {
        row[0]: Known(
            action_id=row[0],
            project_id=row[1],
            target_id=row[2],
            revision=row[3],
            look_ups=row[4],
            marker=row[5],
            read_at=row[18],
            has_needs=row[19],
            evidence=Evidence(
                state=State(row[6]),
                profile=known_profiles[row[2]],
                next_step=NextStep(row[7]),
                next_step_at=row[8],
                lease_until=row[9],
                key_generation=row[10],
                result_id=row[11],
                reason=row[12],
                waits_for=tuple(waits.get(row[0], ())),
                blocked_by_gate_until=row[13],
                held_back=held_back(targets[row[2]], Kind.UPDATE_DRAFT if row[15] else Kind(row[16])),
                updates=row[15],
                by_permit=row[17],
                restored=restored.get(row[0]),
                attempts=attempts.get(row[0], ()),
                seen=seen.get(row[0], ()),
            ),
        )
        for row in rows
    }


def _rows(sql: str, ids: list[int]) -> list[tuple]:  # type: ignore[type-arg]
    if not ids:
        return []
    with connection.cursor() as cursor:
        cursor.execute(sql, [ids])
        return list(cursor.fetchall())


def _waits(ids: list[int]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = defaultdict(list)
    for action_id, slot in _rows(_WAITS, ids):
        found[action_id].append(slot)
    return found


def _attempts(ids: list[int]) -> dict[int, list[Sent]]:
    found: dict[int, list[Sent]] = defaultdict(list)
    for action_id, number, intended_at, lease_until, generation, outcome, received_at, result_id in _rows(
        _ATTEMPTS, ids
    ):
        found[action_id].append(
            Sent(
                number=number,
                intended_at=intended_at,
                lease_until=lease_until,
                key_generation=generation,
                outcome=Outcome(outcome) if outcome else None,
                received_at=received_at,
                result_id=result_id or "",
            )
        )
    return found


def _seen(
    ids: list[int], attempts: Mapping[int, list[Sent]], restored: Mapping[int, Restored]
) -> dict[int, list[Seen]]:
    """Looks count only when they began after the last attempt was taken, and after a restore of the database."""
    since: dict[int, datetime] = {action_id: one.at for action_id, one in restored.items()}
    for action_id, sent in attempts.items():
        taken = sent[-1].intended_at
        since[action_id] = max(taken, since.get(action_id, taken))
    found: dict[int, list[Seen]] = defaultdict(list)
    for action_id, verdict, looked_at, complete, proves, code in _rows(_SEEN, ids):
        if action_id in since and looked_at > since[action_id]:
            found[action_id].append(
                Seen(
                    verdict=Verdict(verdict),
                    looked_at=looked_at,
                    complete=complete,
                    proves_absence=proves,
                    code=code,
                )
            )
    return found
