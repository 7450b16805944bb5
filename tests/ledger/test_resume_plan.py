"""The pure decision: evidence in, one step with its reason out. No clock, no database."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

import pytest

from once_delivery.ledger.facts import Evidence, Seen, Sent, is_protected, protected_until, settled_at
from once_delivery.ledger.resume import Step, Verb, next_step
from once_delivery.ledger.states import NextStep, State
from once_delivery.targets.base import Outcome, Verdict
from once_delivery.targets.profile import Profile

T0 = datetime(2026, 9, 1, 12, 0, tzinfo=UTC)
NUMBERS: dict[str, Any] = {
    "deadline_s": 30.0,
    "settle_s": 600.0,
    "window_s": 3600.0,
    "window_margin_s": 90.0,
    "patience_s": 1800.0,
    "attempts_max": 3,
}
LEASE_S = 62.0
SETTLED = LEASE_S + 600.0
GUARDS: dict[str, dict[str, Any]] = {
    "lookup": {"guard": "lookup", "look_up": True, "consistency": "strong"},
    "client_id": {"guard": "client_id", "look_up": True, "consistency": "strong"},
    "key": {"guard": "idempotency_key", "look_up": True, "consistency": "strong"},
    "key alone": {"guard": "idempotency_key", "look_up": False},
    "id alone": {"guard": "client_id", "look_up": False},
    "none": {"guard": "none", "look_up": False},
    "none but a look-up": {"guard": "none", "look_up": True, "consistency": "strong"},
}


def at(seconds: float) -> datetime:
    return T0 + timedelta(seconds=seconds)


def sent(second: float = 0.0, outcome: Outcome | None = None, *, after: float = 1.0, **values: Any) -> Sent:
    """An attempt taken at ``second``; with an outcome, it came back ``after`` seconds."""
    return Sent(
        **{
            "number": 1,
            "intended_at": at(second),
            "lease_until": at(second + LEASE_S),
            "key_generation": 1,
            "outcome": outcome,
            "received_at": at(second + after) if outcome is not None else None,
            **values,
        }
    )


def looked(second: float, verdict: Verdict = Verdict.ABSENT, *, proves: bool = False, code: str = "") -> Seen:
    return Seen(
        verdict=verdict,
        looked_at=at(second),
        complete=verdict != Verdict.CANNOT_TELL,
        proves_absence=proves,
        code=code,
    )


def known(state: State = State.UNCERTAIN, guard: str = "lookup", **values: Any) -> Evidence:
    profile = Profile.from_json({**NUMBERS, **GUARDS[guard], **values.pop("profile", {})})
    return Evidence(**{"state": state, "profile": profile, "attempts": [sent()], **values})


def short(step: Step) -> tuple[str, str]:
    return (step.verb, step.reason)


@dataclass(frozen=True)
class Case:
    """What is known ``now`` seconds after the first attempt was taken, and what must follow."""

    name: str
    guard: str
    step: tuple[Verb, str]
    now: float = 70.0
    attempts: list[Sent] = field(default_factory=lambda: [sent()])
    seen: list[Seen] = field(default_factory=list)
    profile: dict[str, Any] = field(default_factory=dict)


FAILING = Verdict.CANNOT_TELL
LAST_MOMENT = 3600.0 - 90.0
UNCERTAIN = [
    Case("nothing is sent before a look", "lookup", (Verb.LOOK_UP, "ask-the-target")),
    Case("absent before the settle time", "lookup", (Verb.WAIT, "not-visible-yet"), 71, seen=[looked(70)]),
    Case("absent, one second too early", "lookup", (Verb.WAIT, "not-visible-yet"), SETTLED - 1, seen=[looked(SETTLED - 2)]),
    Case("absent, early look only", "lookup", (Verb.LOOK_UP, "ask-the-target"), SETTLED, seen=[looked(70)]),
    Case("absent, after the settle time", "lookup", (Verb.PERFORM, "absence-proven"), SETTLED + 1, seen=[looked(SETTLED, proves=True)]),
    Case("looks fail for a while", "lookup", (Verb.LOOK_UP, "ask-the-target"), SETTLED + 1799, seen=[looked(70, FAILING, code="http-500")]),
    Case("looks fail for too long", "lookup", (Verb.PERSON, "target-cannot-tell"), SETTLED + 1800, seen=[looked(70, FAILING, code="http-500")]),
    Case("absent for too long but never proven", "lookup", (Verb.PERSON, "absence-cannot-be-proven"), SETTLED + 1800, seen=[looked(SETTLED)], profile={"consistency": "unknown"}),
    Case("not even a look for too long", "lookup", (Verb.LOOK_UP, "ask-the-target"), 10_000_000),
    Case("our own ID: look first", "client_id", (Verb.LOOK_UP, "look-first")),
    Case("our own ID: absent at once", "client_id", (Verb.REPLAY, "own-id-protects"), seen=[looked(70)]),
    Case("our own ID: the look fails", "client_id", (Verb.REPLAY, "own-id-protects"), seen=[looked(70, FAILING)]),
    Case("our own ID: no look-up", "id alone", (Verb.REPLAY, "own-id-protects")),
    Case("our own ID: a year later", "client_id", (Verb.REPLAY, "own-id-protects"), 31_536_000, seen=[]
         , profile={"look_up": False}),
    Case("key: look first", "key", (Verb.LOOK_UP, "look-first")),
    Case("key: absent", "key", (Verb.REPLAY, "key-protects"), seen=[looked(70)]),
    Case("key alone", "key alone", (Verb.REPLAY, "key-protects")),
    Case("key alone, just inside the margin", "key alone", (Verb.REPLAY, "key-protects"), LAST_MOMENT - 0.001),
    Case("key alone, just past it", "key alone", (Verb.PERSON, "protection-over"), LAST_MOMENT),
    Case("key, just past it: ask", "key", (Verb.LOOK_UP, "ask-the-target"), LAST_MOMENT),
    Case("key, past it, absence proven", "key", (Verb.PERFORM, "absence-proven"), LAST_MOMENT + 1, seen=[looked(LAST_MOMENT, proves=True)]),
    Case("key, counted from the first send", "key alone", (Verb.PERSON, "protection-over"), LAST_MOMENT, [sent(), sent(3000, number=2)]),
    Case("key, not counted from what never left", "key alone", (Verb.REPLAY, "key-protects"), LAST_MOMENT + 2999, [sent(0, Outcome.NOT_SENT), sent(3000, number=2)]),
    Case("key, a margin shorter than the lease", "key alone", (Verb.PERSON, "protection-over"), 3600 - LEASE_S, profile={"window_margin_s": 0.0}),
    Case("key, a window shorter than its margin", "key alone", (Verb.PERSON, "protection-over"), 0, profile={"window_s": 60.0}),
    Case("no protection", "none", (Verb.PERSON, "cannot-be-asked"), 1),
    Case("no protection: a look may still find it", "none but a look-up", (Verb.LOOK_UP, "look-first")),
    Case("no protection: absence sends nothing", "none but a look-up", (Verb.PERSON, "no-protection"), SETTLED + 1, seen=[looked(SETTLED, proves=True)]),
    Case("no protection: a look that fails", "none but a look-up", (Verb.PERSON, "no-protection"), seen=[looked(70, FAILING)]),
    Case("a late answer names the result", "none", (Verb.REUSE, "late-answer"), attempts=[sent(0, Outcome.DONE, result_id="obj-1")]),
    Case("a late answer of the first of two", "lookup", (Verb.REUSE, "late-answer"), 900, [sent(0, Outcome.DONE, result_id="obj-1"), sent(800, number=2)]),
    Case("too often, and absent again", "lookup", (Verb.PERSON, "too-many-attempts"), 3000, [sent(0), sent(1000), sent(2000)], [looked(2700, proves=True)]),
    Case("too often, but a look may find it", "lookup", (Verb.LOOK_UP, "ask-the-target"), 2100, [sent(0), sent(1000), sent(2000)]),
    Case("too often under our own ID", "id alone", (Verb.PERSON, "too-many-attempts"), 300, [sent(0), sent(100), sent(200)]),
    Case("too often under a key", "key alone", (Verb.PERSON, "too-many-attempts"), 300, [sent(0), sent(100), sent(200)]),
    Case("what never left does not count", "id alone", (Verb.REPLAY, "own-id-protects"), 300, [sent(0, Outcome.NOT_SENT), sent(50, Outcome.NOT_DONE), sent(100), sent(200)]),
    Case("nothing can have arrived: never left", "none", (Verb.PERFORM, "never-left"), 70, [sent(0, Outcome.NOT_SENT)]),
    Case("nothing can have arrived: not processed", "lookup", (Verb.PERFORM, "not-processed"), 70, [sent(0, Outcome.NOT_SENT), sent(20, Outcome.NOT_DONE)]),
    Case("nothing can have arrived: refused", "lookup", (Verb.PERSON, "target-refused"), 70, [sent(0, Outcome.REFUSED)]),
]  # fmt: skip


@pytest.mark.parametrize("case", UNCERTAIN, ids=lambda case: f"{case.guard}: {case.name}")
def test_what_follows_from_uncertain(case: Case) -> None:
    """R3, R4, R5: a second create needs protection at the moment of sending or earned absence."""
    evidence = known(guard=case.guard, attempts=case.attempts, seen=case.seen, profile=case.profile)

    assert short(next_step(evidence, at(case.now))) == case.step


BEFORE = [
    ("never sent", State.PLANNED, {"attempts": []}, (Verb.PERFORM, "never-sent")),
    ("absence was proven", State.PLANNED, {}, (Verb.PERFORM, "absence-proven")),
    ("waits for another", State.PLANNED, {"waits_for": ("hero",)}, (Verb.WAIT, "needs-another")),
    ("its time has not come", State.PLANNED, {"next_step_at": at(101)}, (Verb.WAIT, "asked-to-wait")),
    ("its time has come", State.PLANNED, {"next_step_at": at(100)}, (Verb.PERFORM, "absence-proven")),
    ("the target rests", State.PLANNED, {"blocked_by_gate_until": at(101)}, (Verb.WAIT, "target-resting")),
    ("the target has rested", State.PLANNED, {"blocked_by_gate_until": at(99)}, (Verb.PERFORM, "absence-proven")),
    ("a person must", State.PLANNED, {"next_step": NextStep.PERSON, "reason": "need-given-up"}, (Verb.PERSON, "need-given-up")),
    ("refused", State.REFUSED, {"next_step": NextStep.PERSON, "reason": "target-refused"}, (Verb.PERSON, "target-refused")),
    ("refused and allowed again", State.REFUSED, {}, (Verb.PERFORM, "refused-try-again")),
    ("held", State.SENDING, {"lease_until": at(101)}, (Verb.WAIT, "being-handled")),
    ("its lease is over", State.SENDING, {"lease_until": at(100)}, (Verb.LOOK_UP, "lease-expired")),
    ("a job runs", State.ACCEPTED, {"next_step_at": at(105)}, (Verb.LOOK_UP, "job-not-finished")),
    ("confirmed", State.CONFIRMED, {"result_id": "obj-1"}, (Verb.REUSE, "confirmed-reuse")),
    ("a person decides", State.RECONCILE, {"reason": "found-many"}, (Verb.PERSON, "found-many")),
    ("a person decides, no reason kept", State.RECONCILE, {}, (Verb.PERSON, "person-decides")),
    ("superseded", State.SUPERSEDED, {}, (Verb.NOTHING, "is-superseded")),
    ("cancelled", State.CANCELLED, {}, (Verb.NOTHING, "is-cancelled")),
]  # fmt: skip


@pytest.mark.parametrize(("_case", "state", "values", "step"), BEFORE, ids=[case[0] for case in BEFORE])
@pytest.mark.parametrize("guard", GUARDS)
def test_what_follows_from_every_other_state(
    guard: str, _case: str, state: State, values: dict[str, Any], step: tuple[Verb, str]
) -> None:
    """The guard makes no difference before anything was sent, or after all is known."""
    assert short(next_step(known(state, guard, **values), at(100))) == step


@pytest.mark.parametrize(
    "state", [State.CONFIRMED, State.SUPERSEDED, State.CANCELLED, State.RECONCILE, State.SENDING]
)
@pytest.mark.parametrize("guard", GUARDS)
def test_nothing_is_ever_sent_from_these(guard: str, state: State) -> None:
    """R2, R7: whatever else is known."""
    evidence = known(state, guard, seen=[looked(SETTLED, proves=True)], lease_until=at(70))

    for second in (0.0, 69.0, 71.0, SETTLED + 1, 31_536_000.0):
        assert next_step(evidence, at(second)).verb not in {Verb.PERFORM, Verb.REPLAY}


def test_waiting_says_until_when() -> None:
    waits = known(attempts=[sent(0, Outcome.UNKNOWN, after=30)], seen=[looked(70)])
    handled = known(State.SENDING, lease_until=at(LEASE_S))

    assert next_step(waits, at(71)).not_before == at(30 + 600)
    assert next_step(handled, at(1)).not_before == at(LEASE_S)


def test_the_settle_time_begins_when_the_sender_is_over() -> None:
    """R5: with its answer, or when the kernel has ended it; the lag of an index is added, and the last one counts."""
    answered = sent(0, Outcome.UNKNOWN, after=5)
    silent = sent(100, number=2)
    released = sent(900, Outcome.NOT_SENT, number=3)

    assert settled_at(known(attempts=[answered])) == at(605)
    assert settled_at(known(attempts=[answered, silent, released])) == at(100 + SETTLED)
    bounded = {"consistency": "bounded", "index_lag_s": 60.0}
    assert settled_at(known(attempts=[answered], profile=bounded)) == at(665)
    assert settled_at(known(attempts=[released])) is None


@pytest.mark.parametrize("guard", [name for name in GUARDS if not name.startswith("key")])
def test_only_a_key_has_a_protection_window(guard: str) -> None:
    assert protected_until(known(guard=guard)) is None


def test_a_new_generation_of_the_key_has_a_window_of_its_own() -> None:
    attempts = [sent(0, Outcome.REFUSED), sent(3600, number=2, key_generation=2)]

    evidence = known(guard="key alone", attempts=attempts, key_generation=2)

    assert protected_until(evidence) == at(3600 + LAST_MOMENT)
    assert short(next_step(evidence, at(4000))) == (Verb.REPLAY, "key-protects")


@pytest.mark.parametrize("guard", GUARDS)
def test_a_second_create_is_always_protected_or_earned(guard: str) -> None:
    """R4 over everything that may be known of one attempt."""
    seconds = (0.0, 70.0, LAST_MOMENT - 1, LAST_MOMENT, 100_000.0)
    for outcome, verdict, second in product([None, *Outcome], [None, *Verdict], seconds):
        seen = [looked(second, verdict)] if verdict else []
        evidence = known(guard=guard, attempts=[sent(0, outcome)], seen=seen)
        step = next_step(evidence, at(second))

        assert step.verb != Verb.REPLAY or is_protected(evidence, at(second))
        assert step.verb != Verb.PERFORM or outcome in {Outcome.NOT_SENT, Outcome.NOT_DONE}
