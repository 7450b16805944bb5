"""Random histories of one place whose draft is brought up to date, version after version, while editors write in it.

Whatever happens: never two objects, never an editor's words lost without a person's decision, and every version that
is confirmed stood at the target.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run_machine

from once_delivery.ledger import gate
from once_delivery.ledger.claims import claim_group
from once_delivery.ledger.models import Action, Run
from once_delivery.ledger.preparing import prepare
from once_delivery.ledger.services import decide
from once_delivery.ledger.services.expire_leases import expire_leases
from once_delivery.ledger.services.learn_versions import learn_versions
from once_delivery.ledger.services.look_up import look_up_due
from once_delivery.ledger.services.perform_group import perform_group
from once_delivery.ledger.services.record_answers import record_answers
from once_delivery.ledger.states import FINAL, NextStep, State
from once_delivery.targets.models import Target
from once_delivery.targets.profile import Profile
from tests.builders import a_batch, a_delivery, a_draft, a_project, a_target, a_user
from tests.fakes.clock import DatabaseClock
from tests.fakes.connector import FakeConnector
from tests.fakes.versioned_place import EDITOR, FAULTS, VersionedPlace, answered
from tests.ledger.given import ACTOR, a_run
from tests.ledger.test_machine import NUMBERS, SETTLE_S

pytestmark = pytest.mark.django_db(transaction=True)

CI = bool(os.environ.get("CI"))
HISTORIES = int(os.environ.get("ONCE_TEST_HISTORIES", "40" if CI else "6"))  # for each guard
STEPS = 40 if CI else 30
PHASES = tuple(Phase) if os.environ.get("ONCE_TEST_SHRINK") else (Phase.explicit, Phase.reuse, Phase.generate)
GUARDS: dict[str, dict[str, Any]] = {
    "client_id": {"guard": "client_id"},
    "key": {"guard": "idempotency_key", "window_s": 600.0},
    "lookup": {"guard": "lookup"},
    "none": {"guard": "none"},
}
VERSIONS = 6
faults = st.sampled_from(FAULTS)
names = itertools.count()


class Versions(RuleBasedStateMachine):
    """One place at one target; the clock stands still but for :meth:`forward`."""

    clock: DatabaseClock  # given by the test
    guard: str

    @initialize(tells_version=st.booleans(), fault=faults)
    def begin(self, tells_version: bool, fault: str) -> None:
        self.project = a_project(f"versions-{next(names)}")
        profile = {**NUMBERS, **GUARDS[self.guard], "on_new_version": "update_existing"}
        self.target: Target = a_target(self.project, **profile)
        self.profile: Profile = self.target.profile
        protects = {"client_id": "client_id", "idempotency_key": "key"}.get(self.profile.guard, "")
        self.place = VersionedPlace(protects, tells_version=tells_version)
        self.connector = FakeConnector(self.place)
        self.run: Run = a_run(self.project)
        self.adopted: set[int] = set()
        self.results: dict[int, str] = {}
        self.wanted = self.written = 0
        self.a_newer_version_is_wanted()
        self.perform(fault)

    def actions(self, **having: Any) -> list[Action]:
        return list(Action.objects.filter(target=self.target, **having).order_by("pk"))

    def tick(self, seconds: float = 0.001) -> None:
        self.clock.forward(seconds)
        self.place.now += seconds

    # ---- what is asked for, and what editors do

    @precondition(lambda self: self.wanted < VERSIONS)
    @rule()
    def a_newer_version_is_wanted(self) -> None:
        self.tick()
        self.wanted += 1
        number = self.wanted
        draft = a_draft(f"v{number}", body="the same")
        delivery = a_delivery(input_version=number, brief={"n": number}, actions=(draft,))
        a_batch(self.project, delivery, name=f"version {number}")

    @precondition(lambda self: self.place.objects)
    @rule()
    def an_editor_writes(self) -> None:
        self.written += 1
        (held,) = self.place.objects
        self.place.change(held, {"title": f"{EDITOR} {self.written}", "body": "the same"})

    # ---- what senders and the target do

    @rule(fault=faults)
    def perform(self, fault: str) -> None:
        self.tick()
        self.place.scripted = [partial(answered, fault, SETTLE_S)]
        perform_group(
            target_id=self.target.pk,
            profile=self.profile,
            connector=self.connector,
            run_id=self.run.pk,
            actor=ACTOR,
            limit=1,
        )
        self.place.scripted = []

    @rule(arrives=st.sampled_from(["never", "at once", "later"]), late=st.booleans())
    def a_sender_dies_or_is_late(self, arrives: str, late: bool) -> None:
        """Late: its answer is written down after its lease was lost (R8)."""
        self.tick()
        group = claim_group(
            target_id=self.target.pk, profile=self.profile, run_id=self.run.pk, actor=ACTOR, limit=1
        )
        if group is None:
            return
        gate.give_back_lane(holder=group.lane)
        for one in prepare(group.items, self.profile):
            if one.request is None or arrives == "never":
                continue
            if arrives == "later":
                self.place.flying.append((one.request, self.place.now + self.profile.lease_s + SETTLE_S))
                continue
            answer = self.place.arrive(one.request)
            if late:
                self.forward(self.profile.lease_s + 1.0)
                expire_leases(target_id=self.target.pk)
                record_answers([(one.claimed, answer)], profile=self.profile, actor=ACTOR)

    @precondition(lambda self: self.place.flying)
    @rule(data=st.data())
    def a_request_lands(self, data: st.DataObject) -> None:
        self.tick()
        request, _ = self.place.flying.pop(data.draw(st.integers(0, len(self.place.flying) - 1)))
        self.place.arrive(request)

    @rule(seconds=st.sampled_from([1.0, 6.0, 25.0, 65.0, 100.0, 700.0]))
    def forward(self, seconds: float) -> None:
        until = self.place.now + seconds
        for one in [one for one in self.place.flying if one[1] < until]:
            self.tick(max(0.0, one[1] - self.place.now))
            self.place.flying.remove(one)
            self.place.arrive(one[0])
        self.tick(max(0.0, until - self.place.now))

    # ---- what looks for truth

    @rule(seconds=st.sampled_from([0.0, 25.0, 65.0, 700.0]))
    def workers_go_on(self, seconds: float) -> None:
        self.forward(seconds)
        expire_leases(target_id=self.target.pk)
        values: dict[str, Any] = {
            "target_id": self.target.pk,
            "profile": self.profile,
            "connector": self.connector,
            "run_id": self.run.pk,
        }
        look_up_due(**values, actor=ACTOR, limit=10)
        look_up_due(**values, actor=ACTOR, limit=10, checks=True)
        learn_versions(**values, limit=10)

    @rule(data=st.data())
    def a_person_decides(self, data: st.DataObject) -> None:
        """Only what leaves no second object behind: an object that may be there is nobody's to give up here."""
        self.tick()
        waiting = self.actions(next_step=NextStep.PERSON)
        if waiting:
            action = data.draw(st.sampled_from(waiting))
            fitting = self._fitting(action)
            if fitting:
                data.draw(st.sampled_from(fitting))()

    def _fitting(self, action: Action) -> list[Callable[[], None]]:
        user = a_user()
        updates = action.original_id is not None
        found: list[Callable[[], None]] = []
        if action.state == State.REFUSED or (action.state == State.PLANNED and not updates):
            found.append(lambda: decide.retry_refused(action=action))
        if updates or action.state in {State.PLANNED, State.REFUSED}:
            found.append(lambda: decide.give_up(action=action, user=user))
        if updates and action.state in {State.RECONCILE, State.REFUSED} and self.place.objects:
            found.append(lambda: self._adopt(action))
        if updates and action.state == State.RECONCILE:  # the target's own check is left, whoever is wrong
            second = a_user("deputy")
            found.append(lambda: decide.declare_absent(action=action, user=user, second=second))
        if updates and action.reason == "changed-meanwhile":
            found.append(lambda: self._overwrite(action))
        return found

    def _adopt(self, action: Action) -> None:
        self.adopted.add(action.pk)
        decide.adopt(action=action, result_id=self.place.objects[0].result_id, user=a_user())

    def _overwrite(self, action: Action) -> None:
        seen = action.observations.order_by("-looked_at", "-pk")[0].candidates[0]
        self.place.agreed.add((action.marker, seen["version"]))
        decide.overwrite(action=action, user=a_user())

    # ---- what must hold

    @invariant()
    def never_two_objects(self) -> None:
        assert len(self.place.objects) <= 1

    @invariant()
    def no_words_of_an_editor_are_lost(self) -> None:
        assert self.place.broken == []

    @invariant()
    def what_is_confirmed_stood_there(self) -> None:
        for action in self.actions():
            if action.state == State.CONFIRMED:
                assert self.results.setdefault(action.pk, action.result_id) == action.result_id  # R7
                assert action.pk in self.adopted or action.payload["title"] in self.place.stood
            else:
                assert action.pk not in self.results
            assert action.state in FINAL or action.next_step_at is not None  # R13

    def teardown(self) -> None:
        """The target is well again, and time goes on: all comes to rest."""
        if not hasattr(self, "place"):
            return
        for _ in range(40):
            if all(self._rests(one) for one in self.actions()):
                break
            self.workers_go_on(65.0)
            self.perform("ok")
        else:
            raise AssertionError([(one.state, one.reason, one.next_step) for one in self.actions()])
        self.forward(1000.0)
        self.never_two_objects()
        self.no_words_of_an_editor_are_lost()
        self.what_is_confirmed_stood_there()

    def _rests(self, action: Action) -> bool:
        """Final, or a person's, or waiting for one that is a person's."""
        waits = action.needs.filter(needs__next_step=NextStep.PERSON)
        return action.state in FINAL or action.next_step == NextStep.PERSON or waits.exists()


@pytest.mark.parametrize("guard", GUARDS)
def test_random_versions_never_lose_words_and_come_to_rest(
    guard: str, clock: DatabaseClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock.stop()
    monkeypatch.setattr(Versions, "clock", clock, raising=False)
    monkeypatch.setattr(Versions, "guard", guard, raising=False)
    run_machine(Versions, settings=settings(max_examples=HISTORIES, stateful_step_count=STEPS, phases=PHASES))
