"""Random histories against an honest target: whatever happens, at most one object an identity, and all comes to rest.

Senders die between claim and send, answers get lost or come late, requests land long after everybody gave up,
look-ups fail or are concluded from too late, several workers act at once, and a person resumes at any moment.
"""

from __future__ import annotations

import itertools
import os
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run_machine

from once_delivery.ledger import gate
from once_delivery.ledger.claims import Claimed, claim_group
from once_delivery.ledger.looking import take_due_looks
from once_delivery.ledger.models import Action, Batch, Run
from once_delivery.ledger.preparing import prepare
from once_delivery.ledger.sending import Prepared
from once_delivery.ledger.services import decide
from once_delivery.ledger.services.expire_leases import expire_leases
from once_delivery.ledger.services.look_up import look_up_due
from once_delivery.ledger.services.perform_group import perform_group
from once_delivery.ledger.services.record_answers import record_answers
from once_delivery.ledger.services.record_looks import Looked, record_looks
from once_delivery.ledger.states import FINAL, NextStep, State
from once_delivery.ledger.transitions import reschedule
from once_delivery.targets.base import Answer, Outcome
from once_delivery.targets.models import Target
from once_delivery.targets.profile import Profile
from tests.builders import a_batch, a_delivery, a_project, a_target
from tests.fakes.clock import DatabaseClock
from tests.fakes.model_target import FAULTS, ModelTarget
from tests.ledger.given import ACTOR, a_run

pytestmark = pytest.mark.django_db(transaction=True)

CI = bool(os.environ.get("CI"))
HISTORIES = int(os.environ.get("ONCE_TEST_HISTORIES", "40" if CI else "6"))  # for each guard
STEPS = 40 if CI else 30
ACTIONS = 3
# a history that fails is told as it is where shrinking would take minutes
PHASES = tuple(Phase) if os.environ.get("ONCE_TEST_SHRINK") else (Phase.explicit, Phase.reuse, Phase.generate)
SETTLE_S, LAG_S, WINDOW_S, DEADLINE_S = 60.0, 30.0, 600.0, 10.0
LEASE_S = DEADLINE_S * 2 + 2.0
NUMBERS: dict[str, Any] = {
    "deadline_s": DEADLINE_S,
    "settle_s": SETTLE_S,
    "look_up_every_s": 5.0,
    "patience_s": 600.0,
    "window_margin_s": 0.0,
    "attempts_max": 6,
}
GUARDS: dict[str, dict[str, Any]] = {
    "client_id": {"guard": "client_id"},
    "client_id, blind": {"guard": "client_id", "look_up": False},
    "key": {"guard": "idempotency_key", "window_s": WINDOW_S},
    "key, blind": {"guard": "idempotency_key", "window_s": WINDOW_S, "look_up": False},
    "lookup": {"guard": "lookup"},
    "lookup, lagging": {"guard": "lookup", "consistency": "bounded", "index_lag_s": LAG_S},
    "none": {"guard": "none", "look_up": False},
    "none, with a look-up": {"guard": "none"},
}
# what may be left to a person at the end, when the target is well again
ALWAYS = {"target-refused", "too-many-attempts"}
LEFT = {
    "key, blind": {"protection-over"},
    "lookup": {"target-cannot-tell"},
    "lookup, lagging": {"target-cannot-tell", "absence-cannot-be-proven"},
    "key": {"target-cannot-tell"},
    "client_id": {"target-cannot-tell", "absence-cannot-be-proven"},
    "none": {"cannot-be-asked"},
    "none, with a look-up": {"no-protection"},
}
names = itertools.count()
SILENT = ("dies before", "dies, flies", "dies, landed")
HELD = tuple(
    fault for fault in FAULTS if fault not in {"breaks", "garbled", "no_id"}
)  # those are perform_group's
fault_tuples = st.tuples(*[st.sampled_from(FAULTS)] * ACTIONS)
how_tuples = st.tuples(*[st.sampled_from((*SILENT, *HELD))] * ACTIONS)


@dataclass
class Held:
    """A sender that has its answer and has not written it down yet."""

    claimed: Claimed
    answer: Answer


class Histories(RuleBasedStateMachine):
    """One batch at one target; the clock stands still but for :meth:`forward`."""

    clock: DatabaseClock  # given by the test
    guard: str

    @initialize(hows=how_tuples, writes=st.integers(0, ACTIONS))
    def begin(self, hows: tuple[str, ...], writes: int) -> None:
        """Every action is sent once, and that goes wrong in one way or another."""
        project = a_project(f"machine-{next(names)}")
        self.target: Target = a_target(project, **{**NUMBERS, **GUARDS[self.guard]})
        self.profile: Profile = self.target.profile
        kind = {"idempotency_key": "key"}.get(self.profile.guard, str(self.profile.guard))
        lag = LAG_S if self.profile.consistency == "bounded" else 0.0
        self.model = ModelTarget(kind, SETTLE_S, lag, WINDOW_S)
        deliveries = [a_delivery(f"product-{number}") for number in range(ACTIONS)]
        self.batch: Batch = a_batch(project, *deliveries)
        self.run: Run = a_run(project)
        self.markers = list(self.actions().values_list("marker", flat=True))
        self.confirmed: dict[str, str] = {}
        self.held: list[Held] = []
        self.looks: list[Looked] = []
        for one in prepare(self.claim(ACTIONS), self.profile):
            how, written = (
                hows[self.markers.index(one.claimed.marker)],
                one.claimed.marker in self.markers[:writes],
            )
            self._send(one, how)
            if written and how not in SILENT:
                self._write(self.held.pop())

    def actions(self) -> Any:
        return Action.objects.filter(target=self.target).order_by("pk")

    def tick(self, seconds: float = 0.001) -> None:
        self.clock.forward(seconds)
        self.model.now += seconds

    # ---- what senders do

    @rule(faults=fault_tuples, limit=st.integers(1, ACTIONS))
    def perform(self, faults: tuple[str, ...], limit: int) -> None:
        self.tick()
        self.model.faults = dict(zip(self.markers, faults, strict=True))
        perform_group(
            target_id=self.target.pk,
            profile=self.profile,
            connector=self.model,
            run_id=self.run.pk,
            actor=ACTOR,
            limit=limit,
        )
        self.model.faults = {}

    def claim(self, limit: int) -> tuple[Claimed, ...]:
        self.tick()
        group = claim_group(
            target_id=self.target.pk, profile=self.profile, run_id=self.run.pk, actor=ACTOR, limit=limit
        )
        if group is None:
            return ()
        gate.give_back_lane(holder=group.lane)
        return group.items

    @rule(hows=how_tuples, limit=st.integers(1, ACTIONS))
    def senders_die_or_hold_their_answers(self, hows: tuple[str, ...], limit: int) -> None:
        by_marker = dict(zip(self.markers, hows, strict=True))
        for one in prepare(self.claim(limit), self.profile):
            self._send(one, by_marker[one.claimed.marker])

    def _send(self, one: Prepared, how: str) -> None:
        if one.request is None:
            self.held.append(Held(one.claimed, Answer(Outcome.NOT_SENT, one.why)))
        elif how in SILENT:
            if how == "dies before":
                return
            self.model.leave(one.request)
            if how == "dies, landed":
                self.model.arrive(one.request)
            else:
                self.model.fly(one.request, until=self.model.now + LEASE_S + SETTLE_S)
        else:
            self.model.faults[one.request.marker] = how
            self.held.append(Held(one.claimed, self.model.perform(one.request)))

    @precondition(lambda self: self.held)
    @rule(data=st.data(), again=st.booleans())
    def answer_is_written(self, data: st.DataObject, again: bool) -> None:
        self.tick()
        one = self.held.pop(data.draw(st.integers(0, len(self.held) - 1)))
        for _ in range(1 + again):
            self._write(one)

    def _write(self, one: Held) -> None:
        record_answers([(one.claimed, one.answer)], profile=self.profile, actor=ACTOR)

    # ---- what the target does

    @precondition(lambda self: self.model.in_flight)
    @rule(data=st.data())
    def request_lands(self, data: st.DataObject) -> None:
        self.tick()
        self.model.land(data.draw(st.integers(0, len(self.model.in_flight) - 1)))

    @precondition(lambda self: not self.model.looks_fail)
    @rule()
    def look_ups_begin_to_fail(self) -> None:
        self.model.looks_fail = True

    @precondition(lambda self: self.model.looks_fail)
    @rule()
    def look_ups_work_again(self) -> None:
        self.model.looks_fail = False

    @rule(seconds=st.sampled_from([1.0, 6.0, 25.0, 50.0, 65.0, 100.0, 700.0]), lands=st.booleans())
    def forward(self, seconds: float, lands: bool) -> None:
        """What may land lands at the very last moment, or never."""
        until = self.model.now + seconds
        for one in [one for one in self.model.in_flight if one.until < until]:
            if lands:
                self.tick(max(0.0, one.until - self.model.now))
                self.model.land(self.model.in_flight.index(one))
            else:
                self.model.in_flight.remove(one)
        self.tick(max(0.0, until - self.model.now))

    # ---- what looks for truth

    @rule(seconds=st.sampled_from([25.0, 65.0, 100.0, 700.0]), lands=st.booleans(), faults=fault_tuples)
    def workers_go_on(self, seconds: float, lands: bool, faults: tuple[str, ...]) -> None:
        """Time passes, and what is due is done; it may go wrong again."""
        self.forward(seconds, lands)
        expire_leases(target_id=self.target.pk)
        self.look()
        self.perform(faults, ACTIONS)

    def look(self, *, checks: bool = False) -> int:
        self.tick()
        return look_up_due(
            target_id=self.target.pk,
            profile=self.profile,
            connector=self.model,
            actor=ACTOR,
            limit=10,
            run_id=self.run.pk,
            checks=checks,
        )

    @rule(checks=st.booleans())
    def look_up(self, checks: bool) -> None:
        self.look(checks=checks)

    @precondition(lambda self: self.profile.consistency == "strong")
    @rule()
    def look_up_is_begun(self) -> None:
        self.tick()
        for due in take_due_looks(target_id=self.target.pk, profile=self.profile, limit=10):
            self.looks.append(Looked(due, self.model.look_up(due.request)))

    @precondition(lambda self: self.looks)
    @rule(data=st.data())
    def look_up_is_concluded(self, data: st.DataObject) -> None:
        self.tick()
        one = self.looks.pop(data.draw(st.integers(0, len(self.looks) - 1)))
        record_looks([one], profile=self.profile, actor=ACTOR)

    @rule()
    def sweep(self) -> None:
        self.tick()
        expire_leases(target_id=self.target.pk)

    @rule(retry_refused=st.booleans())
    def a_person_resumes(self, retry_refused: bool) -> None:
        """Look-ups need not wait for their pause, and what was refused is tried again."""
        self.tick()
        for action in self.actions():
            if action.next_step == NextStep.LOOK_UP and action.state in {State.UNCERTAIN, State.ACCEPTED}:
                reschedule(
                    action_id=action.pk,
                    revision=action.revision,
                    next_step=NextStep.LOOK_UP,
                    at=self.clock.now(),
                )
            elif action.state == State.REFUSED and retry_refused:
                decide.retry_refused(action=action)

    # ---- what must hold

    @invariant()
    def at_most_one_object_an_identity(self) -> None:
        assert self.model.broken_rules == []
        assert [self.model.ids(marker) for marker in self.markers if len(self.model.ids(marker)) > 1] == []

    @invariant()
    def what_is_confirmed_is_there_and_stays(self) -> None:
        """R7, and R13 for the others."""
        for action in self.actions():
            first = (
                self.confirmed.setdefault(action.marker, action.result_id)
                if action.state == "confirmed"
                else ""
            )
            if action.marker in self.confirmed:
                assert (action.state, action.result_id) == ("confirmed", self.confirmed[action.marker])
            assert first == "" or first in self.model.ids(action.marker)
            assert action.state in FINAL or (
                action.next_step != NextStep.NONE and action.next_step_at is not None
            )

    def teardown(self) -> None:
        """The target is well again, every answer is written, and time goes on: all comes to rest."""
        if not hasattr(self, "model"):
            return
        self.model.looks_fail = False
        self._let_everything_arrive()
        self._until_all_rests()
        self.forward(1000.0, lands=True)  # what is still on its way lands now
        self._until_all_rests()
        self.at_most_one_object_an_identity()
        self.what_is_confirmed_is_there_and_stays()
        for action in self.actions():
            assert self._rests(action), (action.state, action.reason, action.next_step_at)
            self._rests_where_it_may(action)

    def _until_all_rests(self) -> None:
        for _ in range(60):
            if all(self._rests(action) for action in self.actions()):
                self.tick()
                self.look(checks=True)
                return
            self._one_round()

    def _let_everything_arrive(self) -> None:
        for held in self.held:
            self._write(held)
        for looked in self.looks:
            record_looks([looked], profile=self.profile, actor=ACTOR)

    def _one_round(self) -> None:
        moments = [
            action.lease_until or action.next_step_at for action in self.actions() if not self._rests(action)
        ]
        opens = gate.opens_at(target_id=self.target.pk)
        ahead = max(0.0, (min(moments) - self.clock.now()).total_seconds())
        if opens is not None:
            ahead = max(ahead, (opens - self.clock.now()).total_seconds())
        self.forward(ahead + 0.01, lands=True)
        expire_leases(target_id=self.target.pk)
        self.look()
        self.look(checks=True)
        self.perform(("ok",) * ACTIONS, ACTIONS)

    def _rests(self, action: Action) -> bool:
        return action.state in FINAL or action.next_step == NextStep.PERSON

    def _rests_where_it_may(self, action: Action) -> None:
        made = self.model.ids(action.marker)
        if action.state == State.CONFIRMED:
            assert made == [action.result_id]
            assert action.presence in {"present", "unchecked"}
            return
        assert action.reason in ALWAYS | LEFT.get(self.guard, set())
        assert not action.receipts.filter(outcome="done").exists()  # R8: a result that is known is used
        if action.state == State.REFUSED:
            assert made == []


@pytest.mark.parametrize("guard", GUARDS)
def test_random_histories_never_make_two_and_come_to_rest(
    guard: str, clock: DatabaseClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R1 to R13 together."""
    clock.stop()
    monkeypatch.setattr(Histories, "clock", clock, raising=False)
    monkeypatch.setattr(Histories, "guard", guard, raising=False)

    run_machine(
        Histories, settings=settings(max_examples=HISTORIES, stateful_step_count=STEPS, phases=PHASES)
    )
