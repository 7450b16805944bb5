"""The verdict on one item and on the rest, from what the target holds and what was asked of it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from once_delivery.vendor_drill.evidence import Facts, ItemFacts
from once_delivery.vendor_drill.models import Declared, Fault
from once_delivery.vendor_drill.record import CallFact


@dataclass(frozen=True, slots=True)
class Verdict:
    """``why``: a code of ``wording.WHY``; ``item`` "" is all that belongs to no item."""

    item: str
    passed: bool
    why: str
    evidence: dict[str, Any] = field(default_factory=dict)


def judge(facts: Facts) -> list[Verdict]:
    """One for each item, and one for the rest."""
    return [*(_verdict(one) for one in facts.items), _rest(facts)]


def _verdict(facts: ItemFacts) -> Verdict:
    passed, why = _judged(facts)
    return Verdict(facts.item.letter, passed, why, _shown(facts))


def _judged(facts: ItemFacts) -> tuple[bool, str]:
    """First what no explanation mends: something is gone, or is there twice, or is not there."""
    struck = next((call for call in facts.calls if call.fault), None)
    wrong = _wrong(facts, struck)
    if wrong:
        return False, wrong
    if facts.item.fault is None:
        return _left_alone(facts)
    if struck is None:
        return False, "not-struck"
    match facts.item.fault:
        case Fault.ERROR_BEFORE:
            return True, "created-once"
        case Fault.TWO_AT_ONCE:
            return _raced(facts, struck)
        case _:
            return _after_loss(facts, struck)


def _wrong(facts: ItemFacts, struck: CallFact | None) -> str:
    if facts.gone or any(one.trashed for one in facts.held):
        return "recreated" if facts.live else "deleted"
    if len(facts.live) > 1:
        raced = facts.item.fault == Fault.TWO_AT_ONCE and struck is not None and struck.raced
        return "not-race-safe" if raced else "duplicate"
    return "" if facts.live else "missing"


def _left_alone(facts: ItemFacts) -> tuple[bool, str]:
    first = next((call.number for call in facts.calls if call.made), None)
    if first is not None and _sent([call for call in facts.calls if call.number > first]):
        return True, "sent-again"
    return True, "reused" if facts.item.letter == "A" else "created-once"


def _after_loss(facts: ItemFacts, struck: CallFact) -> tuple[bool, str]:
    if not struck.is_ok:  # the target had made nothing, so that nothing was lost
        return False, "not-struck"
    if struck.given is not None:
        return True, "waited"
    if _sent([call for call in facts.calls if call.number > struck.number]):
        return True, "sent-again"
    if any(read.number > struck.number for read in facts.reads):
        return True, "found-again"
    if any(one.kind == Declared.STOPPED for one in facts.said):
        return True, "stopped"
    return False, "left-unknown"


def _raced(facts: ItemFacts, struck: CallFact) -> tuple[bool, str]:
    if struck.raced:
        together = [call for call in facts.calls if call.raced and call.forwarded]
        met = len(together) > 1 and any(call.made for call in together)
        return (True, "race-safe") if met else (False, "not-struck")
    if any(one.kind == Declared.SECOND_RUN for one in facts.said):
        return True, "only-one-asked"
    return False, "not-raced"


def _sent(calls: Sequence[CallFact]) -> list[CallFact]:
    return [call for call in calls if call.creates and call.forwarded]


def _rest(facts: Facts) -> Verdict:
    evidence = {
        "strays": [asdict(one) for one in facts.strays],
        "vanished": [asdict(one) for one in facts.vanished],
        "held_before": facts.held_before,
        "held_after": facts.held_after,
    }
    if facts.vanished:
        return Verdict("", passed=False, why="others-deleted", evidence=evidence)
    if facts.strays:
        return Verdict("", passed=False, why="strays", evidence=evidence)
    return Verdict("", passed=True, why="rest-untouched", evidence=evidence)


def _shown(facts: ItemFacts) -> dict[str, Any]:
    """What the verdict rests on; ``calls`` and ``reads`` are numbers in the record."""
    return {
        "calls": [call.number for call in facts.calls],
        "sent": len(_sent(facts.calls)),
        "reads": [call.number for call in facts.reads],
        "held": [asdict(one) for one in facts.held],
        "made": [list(group) for group in facts.made],
        "gone": [list(group) for group in facts.gone],
        "deleted_by": list(facts.deleted_by),
        "said": [asdict(one) for one in facts.said],
    }
