"""Build the requests of a claimed group: results of other actions and file bytes filled in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from once_delivery.ledger.claims import Claimed
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.evidence import load
from once_delivery.ledger.facts import is_protected
from once_delivery.ledger.marker import idempotency_key_of
from once_delivery.ledger.models import ActionNeed, Condition, StoredFile
from once_delivery.ledger.references import filled, slots_needed
from once_delivery.ledger.sending import Prepared
from once_delivery.targets.base import EffectRequest, FileBytes, Kind
from once_delivery.targets.profile import Profile

Results = Mapping[str, tuple[str, str]]  # slot → (result ID, address)


def prepare(items: Sequence[Claimed], profile: Profile) -> list[Prepared]:
    """One request an item; an item whose request cannot be built says why and is not sent."""
    results = _results([one.action_id for one in items if slots_needed(one.payload)])
    files = _files(items)
    unprotected = _unprotected([one.action_id for one in items if one.replay])
    return [
        Prepared(one, None, why="protection-over")
        if one.action_id in unprotected
        else _prepared(one, profile, results.get(one.action_id, {}), files)
        for one in items
    ]


def _unprotected(replays: Sequence[int]) -> set[int]:
    """Those whose protection ended while they waited for a sender, by the target's profile of today (R4)."""
    if not replays:
        return set()
    now = database_now()
    return {key for key, known in load(replays).items() if not is_protected(known.evidence, now)}


def _prepared(
    one: Claimed, profile: Profile, results: Results, files: Mapping[tuple[int, str], FileBytes]
) -> Prepared:
    wanted = _sha256(one.payload)
    found = files.get((one.project_id, wanted)) if wanted else None
    if wanted and found is None:
        return Prepared(one, None, why="file-missing")
    try:
        payload = filled(one.payload, results)
    except KeyError:
        return Prepared(one, None, why="payload-reference")
    request = EffectRequest(
        kind=Kind(one.kind),
        marker=one.marker,
        client_id=str(one.client_id),
        idempotency_key=idempotency_key_of(one.marker, one.key_generation),
        payload=payload,
        deadline_s=profile.deadline_s,
        files={found.sha256: found} if found else {},
        replay=one.replay,
    )
    return Prepared(one, request)


def _results(action_ids: Sequence[int]) -> dict[int, dict[str, tuple[str, str]]]:
    found: dict[int, dict[str, tuple[str, str]]] = defaultdict(dict)
    rows = ActionNeed.objects.filter(action_id__in=action_ids, condition=Condition.RESULT).values_list(
        "action_id", "needs__slot", "needs__result_id", "needs__result_url"
    )
    for action_id, slot, result_id, url in rows if action_ids else ():
        found[action_id][slot] = (result_id, url)
    return found


def _files(items: Sequence[Claimed]) -> dict[tuple[int, str], FileBytes]:
    wanted = {_sha256(one.payload) for one in items} - {""}
    if not wanted:
        return {}
    projects = {one.project_id for one in items}
    return {
        (row.project_id, row.sha256): FileBytes(
            name=row.name, media_type=row.media_type, sha256=row.sha256, data=bytes(row.data)
        )
        for row in StoredFile.objects.filter(project_id__in=projects, sha256__in=wanted)
    }


def _sha256(payload: Mapping[str, Any]) -> str:
    file = payload.get("file")
    found = file.get("sha256", "") if isinstance(file, Mapping) else ""
    return found if isinstance(found, str) else ""
