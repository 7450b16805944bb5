"""What is wrong on our own side: told to a person, not tried for ever, and no burden to others."""

from __future__ import annotations

import hashlib
import math
import threading
from typing import Any

import pytest

from once_delivery.ledger import preparing
from once_delivery.ledger.models import Action, ActionNeed, Batch
from once_delivery.ledger.requests import ActionRequest
from once_delivery.ledger.services import decide
from once_delivery.ledger.states import NextStep, State
from once_delivery.targets.base import Answer, EffectRequest, FileBytes, Kind, Outcome
from reconciliation.models import Case, CaseKind
from reconciliation.services.open_cases import open_cases
from tests.builders import a_batch, a_delivery, a_draft, a_project, actions_of, the_action
from tests.fakes.clock import DatabaseClock
from tests.fakes.connector import FakeTarget
from tests.ledger.given import a_batch_of, a_real_target, claim, perform, put, said

pytestmark = pytest.mark.django_db(transaction=True)


def a_file(content: bytes) -> FileBytes:
    return FileBytes("hero.png", "image/png", hashlib.sha256(content).hexdigest(), content)


def uploads(*files: FileBytes, kept: bool = True) -> Batch:
    """A batch that uploads each of these files; ``kept``: their bytes came with it."""
    project = a_project()
    a_real_target(project)
    deliveries = [
        a_delivery(
            f"product-{n}",
            actions=(ActionRequest("cms", Kind.UPLOAD_FILE, "hero", {"file": {"sha256": file.sha256}}),),
        )
        for n, file in enumerate(files)
    ]
    return a_batch(project, *deliveries, files={file.sha256: file for file in files} if kept else {})


def test_a_file_that_is_not_there_is_for_a_person(clock: DatabaseClock, fake: FakeTarget) -> None:
    """R13: waiting makes it no better; somebody is told."""
    batch = uploads(a_file(b"image"), kept=False)

    perform(batch, fake)
    open_cases()

    action = the_action(batch)
    assert (action.state, action.next_step, action.reason) == (State.PLANNED, NextStep.PERSON, "file-missing")
    case = Case.objects.get(action=action)
    assert (case.kind, case.owner.username) == (CaseKind.STUCK, "ops")
    clock.forward(86_400)
    assert claim(batch) is None
    assert fake.creates == []


def test_when_the_file_is_there_a_person_lets_it_go_on(clock: DatabaseClock, fake: FakeTarget) -> None:
    image = a_file(b"image")
    batch = uploads(image, kept=False)
    perform(batch, fake)
    a_batch(batch.project, a_delivery("another"), name="with the file", files={image.sha256: image})

    decide.retry_refused(action=the_action(batch))
    perform(batch, fake)

    assert the_action(batch).state == State.CONFIRMED
    assert [file.data for file in fake.creates[0].files.values()] == [b"image"]


def test_a_reference_that_cannot_be_filled_in_is_for_a_person(fake: FakeTarget) -> None:
    """Nothing is sent with a hole in it."""
    batch = a_batch_of()
    with_hole: dict[str, Any] = {"actions": (a_draft(featured={"$result": "hero"}), a_draft(slot="hero"))}
    batch = a_batch(batch.project, a_delivery("another", **with_hole), name="with a reference")
    perform(batch, fake)
    ActionNeed.objects.all().delete()

    perform(batch, fake)

    action = Action.objects.get(task__references__batch=batch, slot="main")
    assert (action.state, action.next_step, action.reason) == ("planned", "person", "payload-reference")
    assert len(fake.creates) == 1


def test_a_group_holds_no_more_bytes_than_it_may(fake: FakeTarget, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five hundred large files at once would be the end of the process."""
    monkeypatch.setattr(preparing, "GROUP_BYTES", 25)
    batch = uploads(*(a_file(bytes([65 + number]) * 10) for number in range(5)))
    held: list[int] = []

    def count(target: FakeTarget, request: EffectRequest) -> Answer:
        held.append(sum(len(file.data) for file in request.files.values()))
        return target.create(request)

    fake.scripted = [count] * 5
    performed = perform(batch, fake)

    assert performed is not None
    assert (performed.claimed, performed.released, held) == (5, 3, [10, 10])
    assert [action.state for action in actions_of(batch)] == ["confirmed"] * 2 + ["planned"] * 3
    perform(batch, fake)
    perform(batch, fake)
    assert {action.state for action in actions_of(batch)} == {"confirmed"}


def test_a_file_larger_than_that_is_sent_alone(fake: FakeTarget, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "GROUP_BYTES", 5)
    batch = uploads(a_file(b"A" * 10), a_file(b"B" * 10))

    perform(batch, fake)
    perform(batch, fake)

    assert {action.state for action in actions_of(batch)} == {"confirmed"}


@pytest.mark.parametrize(
    "wait", [math.inf, math.nan, 1e12, -5.0], ids=["for ever", "not a number", "30,000 years", "in the past"]
)
@pytest.mark.parametrize("outcome", [Outcome.NOT_DONE, Outcome.UNKNOWN])
def test_a_senseless_retry_after_neither_breaks_nor_stops_the_target_for_ever(
    outcome: Outcome, wait: float, clock: DatabaseClock, fake: FakeTarget
) -> None:
    """One answer with a bad header must not cost the answers of the group."""
    batch = a_batch_of(3)

    def odd(target: FakeTarget, request: EffectRequest) -> Answer:
        return said(outcome, "http-503", http_status=503, retry_after_s=wait)

    fake.scripted = [odd]
    performed = perform(batch, fake)

    assert performed is not None
    assert min(action.state for action in actions_of(batch)) == "confirmed"
    assert State.SENDING not in {action.state for action in actions_of(batch)}
    clock.forward(7 * 86_400)
    # whichever of the three had the odd answer: they are sent at once
    (odd_one,) = [action for action in actions_of(batch) if action.state != State.CONFIRMED]
    put(odd_one, next_step_at=clock.now())
    assert claim(batch) is not None or outcome == Outcome.UNKNOWN


@pytest.mark.parametrize(
    "answer",
    [
        Answer(Outcome.DONE, "created", "obj-\x00"),
        Answer(Outcome.DONE, "created", "x" * 301),
        Answer(Outcome.DONE, "created", ""),
        Answer(Outcome.ACCEPTED, "created", ""),
        Answer(Outcome.DONE, "created", "obj-9", "once-another"),
        Answer(Outcome.DONE, "created", "obj-9\ud800"),
    ],
    ids=["NUL", "too long", "empty", "no job", "another's", "surrogate"],
)
def test_a_result_that_is_not_certainly_ours_is_unknown(answer: Answer, fake: FakeTarget) -> None:
    """R3, FAULTS 19: and the answers of the others are kept."""
    batch = a_batch_of(3)
    fake.scripted = [lambda target, request: answer]

    perform(batch, fake)

    assert sorted(action.state for action in actions_of(batch)) == ["confirmed", "confirmed", "uncertain"]


@pytest.mark.parametrize(
    "values",
    [
        {"detail": "nul \x00"},
        {"excerpt": "\ud800"},
        {"url": "http://x/" + "y" * 2000},
        {"usage": {"tokens": math.nan}},
        {"usage": {"text": "\x00", "deep": [{"a\x00": math.inf}]}},
        {"http_status": 99_999},
        {"code": "c" * 500},
    ],
    ids=["NUL", "surrogate", "long address", "NaN", "deep", "status", "long code"],
)
def test_what_cannot_be_stored_does_not_cost_the_result(values: dict[str, Any], fake: FakeTarget) -> None:
    """R8: the ID counts, the trimmings do not."""
    batch = a_batch_of(2)
    lock = threading.Lock()

    def odd(target: FakeTarget, request: EffectRequest) -> Answer:
        with lock:
            made = target.numbers.__next__()
        return Answer(
            Outcome.DONE, **{"code": "created", "result_id": f"odd-{made}", "http_status": 201, **values}
        )

    fake.scripted = [odd]

    perform(batch, fake)

    assert [action.state for action in actions_of(batch)] == ["confirmed", "confirmed"]
    assert sum(action.result_id.startswith("odd-") for action in actions_of(batch)) == 1
