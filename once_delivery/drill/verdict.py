"""The verdict on one item, from what the target held before and holds now. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from once_delivery.drill.judge import Call, Held
from once_delivery.drill.scenario import Letter


@dataclass(frozen=True, slots=True)
class Account:
    """What the ledger says of the item after recovery, to be held against the target."""

    state: str
    result_id: str
    owner: str = ""  # of its open case


@dataclass(frozen=True, slots=True)
class Facts:
    """One item's objects and calls: before the recovery, and after it."""

    letter: Letter
    before: Sequence[Held]
    after: Sequence[Held]
    sent_before: Sequence[Call]
    sent_after: Sequence[Call]
    account: Account
    can_be_recovered: bool  # the target can be asked, or protects a second send


@dataclass(frozen=True, slots=True)
class Verdict:
    """Passed or not, and why (``why`` is a code of wording.py)."""

    passed: bool
    why: str


def judge(facts: Facts) -> Verdict:
    """Hold one item against DESIGN section 8."""
    live = [one for one in facts.after if not one.deleted]
    if any(one.deleted for one in facts.after):
        return Verdict(passed=False, why="deleted")
    if len(live) > 1:
        return Verdict(passed=False, why="duplicate")
    match facts.letter:
        case Letter.A:
            return _reused(facts, live)
        case Letter.B:
            return _recovered(facts, live) if facts.can_be_recovered else _left_to_person(facts, live)
        case _:
            return _performed(facts, live)


def _reused(facts: Facts, live: Sequence[Held]) -> Verdict:
    if len(facts.before) != 1:
        return Verdict(passed=False, why="not-set-up")
    if [one.result_id for one in live] != [facts.before[0].result_id]:
        return Verdict(passed=False, why="original-gone")
    if facts.sent_after:
        return Verdict(passed=False, why="sent-again")
    if not _account_is(facts, live):
        return Verdict(passed=False, why="ledger-differs")
    return Verdict(passed=True, why="original-reused")


def _recovered(facts: Facts, live: Sequence[Held]) -> Verdict:
    if len(facts.before) != 1:
        return Verdict(passed=False, why="not-set-up")
    if [one.result_id for one in live] != [facts.before[0].result_id]:
        return Verdict(passed=False, why="original-gone")
    if any(call.created for call in facts.sent_after):
        return Verdict(passed=False, why="created-again")
    if not _account_is(facts, live):
        return Verdict(passed=False, why="ledger-differs")
    return Verdict(passed=True, why="protected-replay" if facts.sent_after else "found-again")


def _left_to_person(facts: Facts, live: Sequence[Held]) -> Verdict:
    if len(facts.before) != 1 or len(live) != 1:
        return Verdict(passed=False, why="not-set-up")
    if facts.sent_after:
        return Verdict(passed=False, why="sent-again")
    if facts.account.state != "reconcile" or not facts.account.owner:
        return Verdict(passed=False, why="nobody-told")
    return Verdict(passed=True, why="person-named")


def _performed(facts: Facts, live: Sequence[Held]) -> Verdict:
    if facts.before or facts.sent_before:
        return Verdict(passed=False, why="not-set-up")
    if not live:
        return Verdict(passed=False, why="missing")
    if sum(call.created for call in facts.sent_after) != 1:
        return Verdict(passed=False, why="created-again")
    if not _account_is(facts, live):
        return Verdict(passed=False, why="ledger-differs")
    return Verdict(passed=True, why="performed-once")


def _account_is(facts: Facts, live: Sequence[Held]) -> bool:
    return facts.account.state == "confirmed" and facts.account.result_id == live[0].result_id
