"""Build the requests of a claimed group: results of other actions and file bytes filled in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import F, Func, IntegerField

from once_delivery.ledger.claims import Claimed
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.evidence import load
from once_delivery.ledger.facts import is_protected
from once_delivery.ledger.marker import idempotency_key_of
from once_delivery.ledger.models import ActionNeed, Condition, StoredFile
from once_delivery.ledger.references import filled, slots_needed
from once_delivery.ledger.sending import Prepared
from once_delivery.ledger.unmarked import failed_before
from once_delivery.targets.base import EffectRequest, FileBytes, Kind
from once_delivery.targets.profile import Profile

GROUP_BYTES = 64_000_000  # of files in memory for one group; a larger one is sent alone
Results = Mapping[str, tuple[str, str]]  # slot → (result ID, address)


def prepare(items: Sequence[Claimed], profile: Profile) -> list[Prepared]:
    """One request an item; an item whose request cannot be built says why and is not sent."""
    results = _results([one.action_id for one in items if slots_needed(one.payload)])
    files = _files(items)
    unprotected = _unprotected([one.action_id for one in items if one.replay])
    prepared = [
        Prepared(one, None, why="protection-over")
        if one.action_id in unprotected
        else _prepared(one, profile, results.get(one.action_id, {}), files)
        for one in items
    ]
    tried = [one.action_id for one in items if one.kind == Kind.START_JOB and one.key_generation > 1]
    return _knowing_what_failed(prepared, failed_before(tried)) if tried else prepared


def _knowing_what_failed(prepared: Sequence[Prepared], failed: Mapping[int, int]) -> list[Prepared]:
    return [
        replace(one, request=replace(one.request, failed_before=failed.get(one.claimed.action_id, 0)))
        if one.request is not None
        else one
        for one in prepared
    ]


def _unprotected(replays: Sequence[int]) -> set[int]:
    """Those whose protection ended while they waited for a sender, by the target's profile of today (R4)."""
    if not replays:
        return set()
    now = database_now()
    return {key for key, known in load(replays).items() if not is_protected(known.evidence, now)}


def _prepared(
    one: Claimed, profile: Profile, results: Results, files: Mapping[tuple[int, str], FileBytes | None]
) -> Prepared:
    key = (one.project_id, _sha256(one.payload))
    if key[1] and key not in files:
        return Prepared(one, None, why="file-missing")
    found = files.get(key)
    if key[1] and found is None:
        return Prepared(one, None, why="no-time-left")  # its turn comes with the next group
    try:
        payload = filled(one.payload, results)
    except KeyError:
        return Prepared(one, None, why="payload-reference")
    request = EffectRequest(
        kind=Kind.UPDATE_DRAFT if one.original else Kind(one.kind),
        marker=one.marker,
        client_id=str(one.client_id),
        idempotency_key=idempotency_key_of(one.marker, one.key_generation),
        payload=payload,
        deadline_s=profile.deadline_s,
        files={found.sha256: found} if found else {},
        replay=one.replay,
        original=one.original,
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


def _files(items: Sequence[Claimed]) -> dict[tuple[int, str], FileBytes | None]:
    """The files that these need; None for those that would be too much to hold at once."""
    wanted = list(
        dict.fromkeys((one.project_id, _sha256(one.payload)) for one in items if _sha256(one.payload))
    )
    if not wanted:
        return {}
    rows = StoredFile.objects.filter(
        project_id__in={project_id for project_id, _ in wanted}, sha256__in={sha256 for _, sha256 in wanted}
    )
    size = Func(F("data"), function="octet_length", output_field=IntegerField())
    sizes = {row[:2]: row[2] for row in rows.values_list("project_id", "sha256", size)}
    chosen: set[tuple[int, str]] = set()
    bytes_left = GROUP_BYTES
    for key in wanted:
        if key in sizes and (sizes[key] <= bytes_left or not chosen):
            chosen.add(key)
            bytes_left -= sizes[key]
    found: dict[tuple[int, str], FileBytes | None] = dict.fromkeys(sizes)
    for row in rows.filter(sha256__in={sha256 for _, sha256 in chosen}):
        found[row.project_id, row.sha256] = FileBytes(
            name=row.name, media_type=row.media_type, sha256=row.sha256, data=bytes(row.data)
        )
    return found


def _sha256(payload: Mapping[str, Any]) -> str:
    file = payload.get("file")
    found = file.get("sha256", "") if isinstance(file, Mapping) else ""
    return found if isinstance(found, str) else ""
