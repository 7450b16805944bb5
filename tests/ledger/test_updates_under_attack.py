"""Updates in place where something speaks against them: a refuted check, a long chain, an object that lies."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest
from django.db import connection

from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.models import Action, Attempt, Batch
from once_delivery.ledger.services import decide
from once_delivery.ledger.services.plan_batch import plan_batch
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.ledger.states import NextStep, State
from once_delivery.targets.models import Target
from once_delivery.targets.profile import Guard
from tests.builders import (
    a_batch,
    a_delivery,
    a_draft,
    a_project,
    a_target,
    a_user,
    actions_of,
    the_action,
)
from tests.fakes.connector import FakeTarget, answer_lost
from tests.ledger.given import perform
from tests.ledger.test_refuted_guard import SEEN

pytestmark = pytest.mark.django_db(transaction=True)


def a_project_that_updates(guard: str = "client_id", **profile: Any) -> Any:
    project = a_project()
    a_target(project, guard=guard, on_new_version="update_existing", **profile)
    return project


def version(project: Any, number: int, body: str = "") -> Batch:
    return a_batch(
        project,
        a_delivery(
            "kettle",
            input_version=number,
            brief={"text": f"kettle {number}"},
            actions=(a_draft(f"kettle v{number}", body=body or f"<p>body {number}</p>"),),
        ),
        name=f"version {number}",
    )


def resume(batch: Batch) -> Action:
    resume_batch(batch=batch, wait_s=5.0)
    return the_action(batch)


def an_editor_writes(fake: FakeTarget, body: str = "own words") -> None:
    (held,) = fake.objects
    fake.change(held, {"title": held.title, "body": body})


def test_a_person_keeps_the_editors_words_after_several_versions(fake: FakeTarget) -> None:
    """The object is the result of every version before; none of them takes it from the next (R6)."""
    project = a_project_that_updates()
    for number in (1, 2, 3):
        assert resume(version(project, number)).state == State.CONFIRMED
    an_editor_writes(fake)
    fourth = resume(version(project, 4))
    assert (fourth.state, fourth.reason) == (State.RECONCILE, "changed-meanwhile")
    decide.adopt(action=fourth, result_id="obj-1", user=a_user())
    assert the_action(Batch.objects.get(name="version 4")).result_id == "obj-1"


@pytest.mark.parametrize("lost", [False, True])
def test_no_update_is_sent_while_its_check_stands_refuted(fake: FakeTarget, *, lost: bool) -> None:
    """A probe saw the target take an update for a state that was over: an editor's words could be lost."""
    project = a_project_that_updates()
    resume(version(project, 1))
    second = version(project, 2)
    if lost:
        fake.scripted = [answer_lost]
        fake.tells_version = True
        perform(second, fake)
        Action.objects.filter(pk=the_action(second).pk).update(next_step=NextStep.REPLAY)
        fake.objects.clear()
    sent = len(fake.creates)
    Target.objects.filter(project=project).update(refuted={"update_existing": SEEN})
    held = resume(second)
    assert held.state in {State.PLANNED, State.UNCERTAIN, State.RECONCILE}
    assert len(fake.creates) == sent
    if not lost:
        assert {step.step.reason for step in plan_batch(batch=second)} == {"guard-refuted"}
        Target.objects.filter(project=project).update(refuted={})
        assert resume(second).state == State.CONFIRMED


def test_words_behind_what_is_kept_as_evidence_are_an_editors_too(fake: FakeTarget) -> None:
    """Evidence keeps the beginning of a long text; whether it is ours is judged by all of it."""
    project = a_project_that_updates()
    fake.tells_version = False
    text = "a" * 100_000
    resume(version(project, 1, text))
    an_editor_writes(fake, text + " and an editor's own words")
    second = resume(version(project, 2))
    assert (second.state, second.reason) == (State.PLANNED, "changed-meanwhile")
    assert len(fake.creates) == 1


def test_letting_the_new_version_win_is_another_request(fake: FakeTarget) -> None:
    """Under a key the target would answer as it did before, or call it another content."""
    project = a_project_that_updates(Guard.IDEMPOTENCY_KEY, window_s=600.0)
    resume(version(project, 1))
    an_editor_writes(fake)
    second = resume(version(project, 2))
    assert second.reason == "changed-meanwhile"
    decide.overwrite(action=second, user=a_user())
    assert resume(Batch.objects.get(name="version 2")).state == State.CONFIRMED
    keys = list(
        Attempt.objects.filter(action=second).order_by("number").values_list("key_generation", "base_version")
    )
    assert keys == [(1, "1"), (2, "2")]


def test_two_people_give_one_object_to_two_actions(fake: FakeTarget, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the same moment: one object is the result of one action (R6)."""
    project = a_project()
    a_target(project, guard="none", look_up=False)
    fake.scripted = [answer_lost] * 2
    batch = a_batch(project, a_delivery("kettle"), a_delivery("lamp"))
    resume_batch(batch=batch, wait_s=2.0)
    waiting = actions_of(batch)
    assert {one.state for one in waiting} == {State.RECONCILE}
    together, decided = Barrier(2), decide._decided

    def both_have_looked(action: Action, user: User, **values: object) -> None:
        with suppress(BrokenBarrierError):  # the other one is held back: as it should be
            together.wait(1.0)
        decided(action, user, **values)

    monkeypatch.setattr(decide, "_decided", both_have_looked)

    def adopt(action: Action) -> str:
        try:
            decide.adopt(action=action, result_id="obj-1", user=User.objects.get(username="ops"))
        except DomainError as error:
            return error.code
        finally:
            connection.close()
        return "adopted"

    with ThreadPoolExecutor(2) as pool:
        said = sorted(pool.map(adopt, waiting))
    assert said == ["adopted", "result-taken"]
    assert len([one for one in actions_of(batch) if one.result_id == "obj-1"]) == 1


@pytest.mark.parametrize(
    "words",
    [
        '<p>the same <a href="https://elsewhere.example/">words</a></p>',
        '<p>the same <a href="https://shop.example/kettle">words</a></p><img src="/another.png">',
    ],
)
def test_an_editors_links_and_pictures_are_his_words_too(fake: FakeTarget, words: str) -> None:
    """Nothing reads differently, and yet what he did would be lost."""
    project = a_project_that_updates()
    fake.tells_version = False
    resume(version(project, 1, '<p>the same <a href="https://shop.example/kettle">words</a></p>'))
    an_editor_writes(fake, words)
    second = resume(version(project, 2))
    assert (second.state, second.reason) == (State.PLANNED, "changed-meanwhile")
