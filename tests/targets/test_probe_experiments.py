"""The experiments alone, on a target in memory: what no honest or lying sandbox can be brought to do."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from once_delivery.targets.base import (
    Answer,
    CheckResult,
    EffectRequest,
    FoundObject,
    InventoryError,
    Look,
    LookUpRequest,
    Outcome,
)
from once_delivery.targets.base import Verdict as Saw
from once_delivery.targets.probing.drafts import Draft
from once_delivery.targets.probing.experiments import run_all
from once_delivery.targets.probing.extent import Extent
from once_delivery.targets.probing.findings import Claim, Finding, Verdict
from once_delivery.targets.probing.lab import Lab
from once_delivery.targets.probing.pace import Pace
from once_delivery.targets.profile import Consistency, Guard, Profile
from tests.fakes.connector import FakeConnector, FakeTarget

PROFILE = Profile(
    guard=Guard.CLIENT_ID, look_up=True, consistency=Consistency.STRONG, deadline_s=1.0, settle_s=5.0, concurrency=8
)  # fmt: skip


class Notes:
    """What was written down, in order."""

    def __init__(self) -> None:
        self.said: list[tuple[str, str]] = []

    def intend(self, draft: Draft, *, requests: int, seconds: float) -> None:
        self.said.append(("intend", draft.marker))

    def answered(self, draft: Draft, answers: Iterable[Answer]) -> None:
        self.said.append(("answered", draft.marker))

    def saw(self, draft: Draft, objects: Iterable[FoundObject]) -> None:
        self.said += [("saw", one.result_id) for one in objects]


def probe(connector: FakeConnector, *, wait_s: float = 0.1, **profile: Any) -> dict[Claim, Finding]:
    claimed = replace(PROFILE, **profile)
    lab = Lab(connector, claimed, Notes(), Pace(claimed), Extent(rounds=1, looks=2, wait_s=wait_s))
    return {one.claim: one for one in run_all(lab)}


def honest() -> FakeConnector:
    return FakeConnector(FakeTarget(protects="client_id"))


def seen(findings: dict[Claim, Finding], claim: Claim) -> tuple[Verdict, str]:
    return findings[claim].verdict, findings[claim].seen


def test_one_that_keeps_its_word() -> None:
    found = probe(honest())
    assert {
        one.verdict for claim, one in found.items() if claim in {Claim.GUARD, Claim.LOOK_UP, Claim.UPDATE}
    } == {Verdict.CONFIRMED}
    assert seen(found, Claim.STAYS_DRAFT) == (Verdict.NOT_MEASURED, "no-status")
    assert seen(found, Claim.SETTLE) == (Verdict.NOT_MEASURED, "cannot-hang-up")


def test_every_request_is_noted_before_it_leaves() -> None:
    target = FakeTarget(protects="client_id")
    notes = Notes()

    class Watching(FakeConnector):
        def perform(self, request: EffectRequest) -> Answer:
            marker = request.original.marker if request.original else request.marker
            assert ("intend", marker) in notes.said
            return super().perform(request)

    list(run_all(Lab(Watching(target), PROFILE, notes, Pace(PROFILE), Extent(rounds=1, looks=1, wait_s=0.1))))
    assert {request.marker for request in target.creates if request.original is None} == {
        marker for what, marker in notes.said if what == "intend"
    }


def test_one_that_overwrites() -> None:
    class Overwriting(FakeConnector):
        def perform(self, request: EffectRequest) -> Answer:
            held = next((one for one in self.target.objects if one.marker == request.marker), None)
            if held is None or request.original is not None:
                return super().perform(request)
            changed = self.target.change(held, {"title": str(request.payload["title"])})
            return Answer(Outcome.DONE, "replaced", changed.result_id, request.marker)

    found = probe(Overwriting(FakeTarget()))
    assert seen(found, Claim.OTHER_CONTENT) == (Verdict.REFUTED, "overwritten")
    assert seen(found, Claim.SECOND_CREATE)[0] == Verdict.CONFIRMED
    assert seen(found, Claim.GUARD) == (Verdict.REFUTED, "overwritten")


def test_one_that_looks_before_it_makes() -> None:
    """One after the other is safe, at the same moment is not: only the race shows it."""

    class Looking(FakeConnector):
        def perform(self, request: EffectRequest) -> Answer:
            if request.original is None and self.target.ids(request.marker):
                return Answer(Outcome.EXISTS, "exists", http_status=409)
            time.sleep(0.05)
            return super().perform(request)

    found = probe(Looking(FakeTarget()))
    assert found[Claim.SECOND_CREATE].verdict == Verdict.CONFIRMED
    assert seen(found, Claim.AT_ONCE) == (Verdict.REFUTED, "several-in-a-round")
    assert seen(found, Claim.GUARD) == (Verdict.REFUTED, "several-in-a-round")


def test_a_look_up_that_shows_something_else() -> None:
    class Confusing(FakeConnector):
        def look_up(self, request: LookUpRequest) -> Look:
            other = FoundObject("obj-of-another", request.marker)
            return Look(Saw.FOUND, "memory", complete=True, objects=(other,))

    found = probe(Confusing(FakeTarget(protects="client_id")))
    assert seen(found, Claim.ABSENCE) == (Verdict.REFUTED, "nobodys-found")
    assert seen(found, Claim.LOOK_UP) == (Verdict.REFUTED, "another-found")
    assert found[Claim.CONSISTENCY].verdict == Verdict.NOT_MEASURED


@pytest.mark.parametrize(
    ("look", "said"),
    [
        (Look(Saw.CANNOT_TELL, "memory", complete=False, code="http-503"), "cannot-tell"),
        (Look(Saw.ABSENT, "memory", complete=False), "absent-incomplete"),
    ],
)
def test_an_absence_that_says_nothing_confirms_nothing(look: Look, said: str) -> None:
    class Vague(FakeConnector):
        def look_up(self, request: LookUpRequest) -> Look:
            return look

    found = probe(Vague(FakeTarget(protects="client_id")))
    assert seen(found, Claim.ABSENCE) == (Verdict.NOT_MEASURED, said)
    assert found[Claim.CONSISTENCY].verdict == Verdict.NOT_MEASURED  # incomplete looks prove no lag


def test_a_connector_with_a_fault_confirms_nothing() -> None:
    class Broken(FakeConnector):
        def _fail(self, *_: Any, **__: Any) -> Any:
            raise KeyError("a fault")

        perform = look_up = read = inventory = check = _fail

    found = probe(Broken(FakeTarget()))
    assert {one.verdict for one in found.values()} == {Verdict.NOT_MEASURED}
    assert found[Claim.GUARD].numbers["code"] == "connector-error"


def test_a_target_that_refuses_us() -> None:
    class Shut(FakeConnector):
        def perform(self, request: EffectRequest) -> Answer:
            return Answer(Outcome.REFUSED, "unauthorized", http_status=401)

    found = probe(Shut(FakeTarget()))
    assert Verdict.REFUTED not in {one.verdict for one in found.values()}
    assert seen(found, Claim.GUARD) == (Verdict.NOT_MEASURED, "nothing-was-made")
    assert found[Claim.GUARD].numbers == {"code": "unauthorized"}


def test_what_was_not_processed_is_sent_again() -> None:
    connector = honest()

    def busy(_: FakeTarget, __: EffectRequest) -> Answer:
        return Answer(Outcome.NOT_DONE, "http-429", http_status=429, retry_after_s=0.01)

    connector.target.scripted = [busy, busy]
    found = probe(connector)
    assert found[Claim.GUARD].verdict == Verdict.CONFIRMED


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (CheckResult("cannot-publish", ok=True), (Verdict.CONFIRMED, "may-not-publish")),
        (CheckResult("cannot-publish", ok=False, code="may-publish"), (Verdict.REFUTED, "may-publish")),
        (CheckResult("cannot-publish", ok=False, code="http-500"), (Verdict.NOT_MEASURED, "cannot-tell")),
        (CheckResult("account", ok=True), (Verdict.NOT_MEASURED, "check-does-not-tell")),
    ],
)
def test_whether_the_account_may_publish(line: CheckResult, said: tuple[Verdict, str]) -> None:
    class Checked(FakeConnector):
        def check(self) -> list[CheckResult]:
            return [line]

    assert seen(probe(Checked(FakeTarget(protects="client_id"))), Claim.CANNOT_PUBLISH) == said


@pytest.mark.parametrize("word", ["publish", "Published", " live "])
def test_words_for_public(word: str) -> None:
    class Public(FakeConnector):
        def look_up(self, request: LookUpRequest) -> Look:
            look = super().look_up(request)
            return replace(look, objects=tuple(replace(one, status=word) for one in look.objects))

    found = probe(Public(FakeTarget(protects="client_id")))
    assert seen(found, Claim.STAYS_DRAFT) == (Verdict.REFUTED, "created-in-public")


def test_a_slow_target_is_doubtful() -> None:
    class Slow(FakeConnector):
        def perform(self, request: EffectRequest) -> Answer:
            answer = super().perform(request)
            time.sleep(0.06)
            return answer

    found = probe(Slow(FakeTarget(protects="client_id")), deadline_s=0.1)
    assert seen(found, Claim.DEADLINE) == (Verdict.DOUBTFUL, "near-the-deadline")


def test_an_update_that_does_nothing_is_refuted() -> None:
    class Idle(FakeConnector):
        def perform(self, request: EffectRequest) -> Answer:
            if request.original is not None:
                return Answer(Outcome.DONE, "updated", request.original.result_id, request.original.marker)
            return super().perform(request)

    assert seen(probe(Idle(FakeTarget(protects="client_id"))), Claim.UPDATE) == (
        Verdict.REFUTED,
        "update-changed-nothing",
    )


def test_a_list_that_is_cut_counts_nothing() -> None:
    class Cut(FakeConnector):
        def inventory(self, **_: Any) -> Any:
            raise InventoryError("deadline")

    found = probe(Cut(FakeTarget(protects="client_id")))
    assert found[Claim.SECOND_CREATE].numbers["by"] == ["look_up"]
    found = probe(Cut(FakeTarget(protects="client_id")), look_up=False, consistency=Consistency.UNKNOWN)
    assert seen(found, Claim.GUARD) == (Verdict.NOT_MEASURED, "cannot-be-counted")


def test_a_second_object_that_only_the_list_shows() -> None:
    class Hiding(FakeConnector):
        def look_up(self, request: LookUpRequest) -> Look:
            look = super().look_up(request)
            return replace(look, verdict=Saw.FOUND, objects=look.objects[:1]) if look.objects else look

    class Doubling(Hiding):
        def perform(self, request: EffectRequest) -> Answer:
            answer = super().perform(request)
            held = any(one.marker == request.marker for one in self.target.objects[:-1])
            return Answer(Outcome.EXISTS, "exists") if held and request.original is None else answer

    found = probe(Doubling(FakeTarget()))
    assert seen(found, Claim.SECOND_CREATE) == (Verdict.REFUTED, "second-made-another")


def test_a_request_that_lands_after_the_settle_time() -> None:
    """It was given up, and comes into sight later than the profile says that anything can."""

    class Late(FakeConnector):
        def perform(self, request: EffectRequest) -> Answer:
            if request.deadline_s < 0.9:
                self.target.create(request)
                made = self.target.objects[-1]
                self.target.made_at[made.result_id] = time.monotonic() + 0.2
                return Answer(Outcome.UNKNOWN, "deadline")
            return super().perform(request)

    found = probe(Late(FakeTarget(protects="client_id")), wait_s=3.0, settle_s=0.01)
    assert seen(found, Claim.SETTLE) == (Verdict.REFUTED, "landed-after-settle")
    found = probe(Late(FakeTarget(protects="client_id")), wait_s=3.0, settle_s=5.0)
    assert seen(found, Claim.SETTLE) == (Verdict.NOT_MEASURED, "landed-late")
