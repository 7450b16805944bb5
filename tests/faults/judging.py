"""The verdict: what the target's own record says (inventory and log of calls), and FAULTS' acceptance list.

Whether something is there once, twice or never is read from the target alone. The ledger is read only for what it
claims: which ID it knows, where it stands, who was told.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from once_delivery.targets.profile import Guard
from tests.faults.world import Row, World

_PROTECTED = frozenset({Guard.IDEMPOTENCY_KEY, Guard.CLIENT_ID})
_OPEN_QUESTIONS = frozenset({"uncertain", "reconcile"})
_FINAL = frozenset({"confirmed", "superseded", "cancelled"})
_SHORT = 8


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a case."""

    name: str
    items: int
    objects: int
    create_calls: int
    states: dict[str, int]
    seconds: float
    cases: int
    owners: tuple[str, ...]
    problems: tuple[str, ...] = ()
    duplicates: int = 0
    lost: int = 0

    @property
    def passed(self) -> bool:
        return not self.problems

    def with_problem(self, problem: str) -> Verdict:
        return replace(self, problems=(*self.problems, problem))


@dataclass(slots=True)
class Truth:
    """The target's record, by marker."""

    ids: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    calls: dict[str, list[tuple[datetime, int]]] = field(default_factory=lambda: defaultdict(list))
    create_calls: int = 0
    objects: int = 0


def truth_of(world: World) -> Truth:
    """Every object that is or was there, and every request that could have made one."""
    truth = Truth()
    inventory = world.admin.inventory(world.space)
    for one in [*inventory["objects"], *inventory["deletions"]]:
        truth.ids[one["marker"] or ""].append(one["id"])
        truth.objects += 1
    for call in world.admin.log(world.space, operation="create"):
        truth.calls[call["marker"] or ""].append((datetime.fromisoformat(call["started_at"]), call["seq"]))
        truth.create_calls += 1
    return truth


def judge(world: World) -> Verdict:
    """Hold the case against the acceptance list. Call it when all has come to rest."""
    world.tell()
    truth = truth_of(world)
    actions = world.actions()
    cases = world.rows.read(
        """SELECT c.action_id, u.username, c.due_at FROM reconciliation_case c
           JOIN accounts_user u ON u.id = c.owner_id WHERE c.status = 'open'"""
    )
    told = {row["action_id"]: row["username"] for row in cases if row["due_at"] is not None}
    unsure = _unsure_times(world)
    problems: list[str] = []
    for action in actions:
        ids = truth.ids.get(action["marker"], [])
        found = [
            *_once(action, ids, world.guard),
            *_known_or_told(action, ids, told),
            *_not_sent_while_unsure(action, truth, unsure, world.guard),
        ]
        problems += [f"{action['marker'][: _SHORT + 5]} ({action['state']}): {one}" for one in found]
    problems += _strangers(truth, world.markers)
    return Verdict(
        name=world.name,
        items=len(actions),
        objects=truth.objects,
        create_calls=truth.create_calls,
        states=dict(Counter(action["state"] for action in actions)),
        seconds=max(0.0, world.rested - world.began),
        cases=len(cases),
        owners=tuple(sorted(set(told.values()))),
        problems=tuple(problems),
        duplicates=sum(max(0, len(ids) - 1) for ids in truth.ids.values()),
        lost=sum(not truth.ids.get(marker) for marker in world.markers),
    )


def _once(action: Row, ids: Sequence[str], guard: Guard) -> list[str]:
    """Exactly one object; where nothing protects and nothing can be asked, at most one until a person decides."""
    if len(ids) > 1:
        return [f"{len(ids)} objects: {', '.join(ids)}"]
    if not ids and not (guard == Guard.NONE and action["state"] == "reconcile"):
        return ["no object"]
    return []


def _known_or_told(action: Row, ids: Sequence[str], told: dict[int, str]) -> list[str]:
    """The original ID is known, or somebody with a name and a time has it on the desk. Nothing is stuck."""
    problems = []
    if action["state"] == "confirmed" and action["result_id"] not in ids:
        problems.append(f"claims {action['result_id']}, the target has {list(ids)}")
    if action["state"] not in _FINAL:
        if action["next_step"] != "person":
            problems.append(f"has not come to rest: {action['next_step']} at {action['next_step_at']}")
        elif action["id"] not in told:
            problems.append("waits for a person whom nobody told")
    return problems


def _unsure_times(world: World) -> dict[int, list[tuple[datetime, datetime | None]]]:
    """When each action was uncertain or to be reconciled, from its events."""
    events = world.rows.read(
        "SELECT action_id, to_state, at FROM ledger_event WHERE kind = 'state' ORDER BY action_id, revision"
    )
    times: dict[int, list[tuple[datetime, datetime | None]]] = defaultdict(list)
    for row in events:
        spans = times[row["action_id"]]
        if spans and spans[-1][1] is None:
            spans[-1] = (spans[-1][0], row["at"])
        if row["to_state"] in _OPEN_QUESTIONS:
            spans.append((row["at"], None))
    return times


def _not_sent_while_unsure(
    action: Row, truth: Truth, unsure: dict[int, list[tuple[datetime, datetime | None]]], guard: Guard
) -> list[str]:
    if guard in _PROTECTED:
        return []
    return [
        f"create call {number} came while it was uncertain"
        for at, number in truth.calls.get(action["marker"], [])
        for begun, over in unsure.get(action["id"], [])
        if begun < at and (over is None or at < over)
    ]


def _strangers(truth: Truth, markers: Sequence[str]) -> list[str]:
    return [f"an object of nobody's: {marker}" for marker in truth.ids if marker not in markers]
