"""``on_new_version: update_existing``: a newer input version takes the older one's draft on (DESIGN section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from once_delivery.ledger.models import Action, Attempt, Batch
from once_delivery.ledger.services import decide
from once_delivery.ledger.services.decide import DecisionDoesNotFitError
from once_delivery.ledger.services.plan_batch import plan_batch
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.ledger.states import NextStep, State
from once_delivery.targets.base import Answer, Kind, Outcome
from tests.builders import a_batch, a_delivery, a_draft, a_project, a_target, a_user, actions_of, the_action
from tests.fakes.connector import FakeTarget, answer_lost, lost_before
from tests.ledger.given import perform

pytestmark = pytest.mark.django_db(transaction=True)
PRODUCTS = ("kettle",)


@pytest.fixture(params=["lookup", "client_id"])
def guard(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def project(guard: str) -> Any:
    project = a_project()
    a_target(project, guard=guard, on_new_version="update_existing")
    return project


def version(project: Any, number: int, *, products: Sequence[str] = PRODUCTS) -> Batch:
    return a_batch(
        project,
        *(
            a_delivery(
                product,
                input_version=number,
                brief={"text": f"{product} {number}"},
                actions=(a_draft(f"{product} v{number}", body=f"<p>body {number}</p>"),),
            )
            for product in products
        ),
        name=f"version {number}",
    )


def resume(batch: Batch) -> Action:
    resume_batch(batch=batch, wait_s=10.0)
    return actions_of(batch)[0]


def test_the_older_draft_is_updated(project: Any, fake: FakeTarget) -> None:
    first = resume(version(project, 1))
    second = resume(version(project, 2))
    third = resume(version(project, 3))

    assert [one.state for one in (first, second, third)] == [State.CONFIRMED] * 3
    assert {one.result_id for one in (first, second, third)} == {"obj-1"}
    (held,) = fake.objects
    assert (held.content["title"], held.version, held.marker) == ("kettle v3", "3", first.marker)
    assert [request.kind for request in fake.creates] == [
        Kind.CREATE_DRAFT,
        Kind.UPDATE_DRAFT,
        Kind.UPDATE_DRAFT,
    ]
    assert [request.original.version for request in fake.creates if request.original] == ["1", "2"]
    third.refresh_from_db()
    assert (third.original_id, third.object_marker, third.base_version) == (second.pk, first.marker, "2")
    assert third.check_due_at is None
    attempt = Attempt.objects.get(action=third)
    assert (attempt.effect, attempt.base_version) == ("update_draft", "2")


def test_the_plan_says_what_is_updated(project: Any, fake: FakeTarget) -> None:
    resume(version(project, 1))
    (step,) = plan_batch(batch=version(project, 2))
    assert (step.step.verb, step.step.reason) == ("perform", "updates-original")
    assert "obj-1" in step.reason


def test_asking_again_makes_nothing_new(project: Any, fake: FakeTarget) -> None:
    resume(version(project, 1))
    second = resume(version(project, 2))
    assert resume(version(project, 2)).pk == second.pk
    assert len(fake.creates) == 2


def test_the_answer_of_the_update_is_lost(project: Any, fake: FakeTarget) -> None:
    resume(version(project, 1))
    fake.scripted = [answer_lost]
    second = resume(version(project, 2))
    assert (second.state, second.result_id, second.result_version) == (State.CONFIRMED, "obj-1", "2")
    assert len(fake.creates) == 2


def test_the_update_never_arrived(project: Any, fake: FakeTarget) -> None:
    resume(version(project, 1))
    fake.scripted = [lost_before]
    second = resume(version(project, 2))
    assert second.state == State.CONFIRMED
    (held,) = fake.objects
    assert (held.content["title"], held.version) == ("kettle v2", "2")
    assert [request.original.version for request in fake.creates if request.original] == ["1", "1"]


def an_editor_writes(fake: FakeTarget) -> None:
    (held,) = fake.objects
    fake.change(held, {"title": "An editor's", "body": "own words"})


def changed_meanwhile(project: Any, fake: FakeTarget) -> Action:
    resume(version(project, 1))
    an_editor_writes(fake)
    second = resume(version(project, 2))
    assert (second.state, second.reason, second.next_step) == (
        State.RECONCILE,
        "changed-meanwhile",
        NextStep.PERSON,
    )
    return second


def test_an_editor_was_there_before_the_lost_draft_was_found(project: Any, fake: FakeTarget) -> None:
    """What the look-up shows is not known to be ours: it must not become the state that an update is for."""
    fake.scripted = [answer_lost]
    first = version(project, 1)
    perform(first, fake)
    an_editor_writes(fake)
    assert (resume(first).state, the_action(first).result_version) == (State.CONFIRMED, "")
    second = resume(version(project, 2))
    assert (second.state, second.next_step, second.reason) == (
        State.PLANNED,
        NextStep.PERSON,
        "changed-meanwhile",
    )
    (held,) = fake.objects
    assert held.content["title"] == "An editor's"


def test_what_an_editor_changed_is_a_persons_to_decide(project: Any, fake: FakeTarget) -> None:
    second = changed_meanwhile(project, fake)
    (held,) = fake.objects
    assert held.content["title"] == "An editor's"
    shown = second.observations.order_by("-looked_at")[0].candidates
    assert [(one["content"]["title"], one["version"]) for one in shown] == [("An editor's", "2")]


def test_a_person_lets_the_new_version_win(project: Any, fake: FakeTarget) -> None:
    second = changed_meanwhile(project, fake)
    decide.overwrite(action=second, user=a_user())
    second = resume(Batch.objects.get(name="version 2"))
    assert (second.state, second.base_version) == (State.CONFIRMED, "2")
    (held,) = fake.objects
    assert held.content["title"] == "kettle v2"


def test_an_editor_is_faster_than_the_person(project: Any, fake: FakeTarget) -> None:
    second = changed_meanwhile(project, fake)
    decide.overwrite(action=second, user=a_user())
    an_editor_writes(fake)
    second = resume(Batch.objects.get(name="version 2"))
    assert (second.state, second.reason) == (State.RECONCILE, "changed-meanwhile")
    (held,) = fake.objects
    assert held.content["title"] == "An editor's"


def test_a_person_keeps_the_editors_words(project: Any, fake: FakeTarget) -> None:
    """The editor has worked the new version in: the draft is the result of both."""
    second = changed_meanwhile(project, fake)
    decide.adopt(action=second, result_id="obj-1", user=a_user())
    second.refresh_from_db()
    assert (second.state, second.result_id) == (State.CONFIRMED, "obj-1")
    an_editor_writes(fake)
    third = resume(version(project, 3))
    assert (third.state, third.next_step, third.reason) == (
        State.PLANNED,
        NextStep.PERSON,
        "changed-meanwhile",
    )
    decide.overwrite(action=third, user=a_user())
    assert resume(Batch.objects.get(name="version 3")).state == State.CONFIRMED
    (held,) = fake.objects
    assert held.content["title"] == "kettle v3"


def test_there_is_nothing_to_overwrite(project: Any, fake: FakeTarget) -> None:
    fake.scripted = [answer_lost]
    fake.scripted_looks = []
    batch = version(project, 1)
    with pytest.raises(DecisionDoesNotFitError):
        decide.overwrite(action=the_action(batch), user=a_user())


def test_the_draft_is_gone(project: Any, fake: FakeTarget) -> None:
    resume(version(project, 1))
    fake.objects.clear()
    fake.scripted = [lost_before]
    second = resume(version(project, 2))
    assert (second.state, second.reason) == (State.RECONCILE, "original-gone")
    assert fake.objects == []


def test_the_state_is_learnt_where_the_creation_did_not_tell_it(project: Any, fake: FakeTarget) -> None:
    fake.tells_version = False
    first = resume(version(project, 1))
    assert first.result_version == ""
    second = resume(version(project, 2))
    assert (second.state, second.base_version) == (State.CONFIRMED, "1")
    first.refresh_from_db()
    assert first.result_version == "1"
    # an update's answer tells it
    assert second.result_version == "2"


def test_a_state_that_is_not_ours_is_not_learnt(project: Any, fake: FakeTarget) -> None:
    fake.tells_version = False
    resume(version(project, 1))
    an_editor_writes(fake)
    second = resume(version(project, 2))
    assert (second.state, second.next_step, second.reason) == (
        State.PLANNED,
        NextStep.PERSON,
        "changed-meanwhile",
    )
    assert len(fake.creates) == 1


def test_the_newer_waits_for_what_is_uncertain_and_then_updates_it(project: Any, fake: FakeTarget) -> None:
    fake.scripted = [answer_lost]
    first = version(project, 1)
    perform(first, fake)
    assert the_action(first).state == State.UNCERTAIN
    second = version(project, 2)
    perform(second, fake)
    assert the_action(second).state == State.PLANNED
    resume(first)
    assert resume(second).state == State.CONFIRMED
    assert [one.result_id for one in fake.objects] == ["obj-1"]


def test_what_was_never_made_is_not_updated(project: Any, fake: FakeTarget, guard: str) -> None:
    """The older one turns out to have made nothing: the newer one creates, under its own marker."""
    fake.scripted = [lost_before]
    first = version(project, 1)
    perform(first, fake)
    second = version(project, 2)
    assert the_action(second).original_id == the_action(first).pk
    resume_batch(batch=first, wait_s=5.0)
    made = resume(second)
    assert made.state == State.CONFIRMED
    held = [(one.content["title"], one.marker) for one in fake.objects]
    if guard == "lookup":
        assert the_action(first).state == State.SUPERSEDED
        assert held == [("kettle v2", made.marker)]
        assert (made.original_id, made.object_marker) == (None, "")
    else:  # under its own ID the first one was sent again before its absence could be proven
        assert held == [("kettle v2", the_action(first).marker)]


def test_an_update_that_was_never_performed_passes_its_draft_on(project: Any, fake: FakeTarget) -> None:
    first = resume(version(project, 1))
    version(project, 2)
    third = resume(version(project, 3))
    assert (third.original_id, third.result_id) == (first.pk, "obj-1")
    assert the_action(Batch.objects.get(name="version 2")).state == State.SUPERSEDED
    assert fake.objects[0].content["title"] == "kettle v3"


def test_the_target_refuses_the_update(project: Any, fake: FakeTarget) -> None:
    resume(version(project, 1))
    fake.scripted = [lambda target, request: Answer(Outcome.REFUSED, "http-422", http_status=422)]
    second = resume(version(project, 2))
    assert (second.state, second.next_step) == (State.REFUSED, NextStep.PERSON)
    assert fake.objects[0].content["title"] == "kettle v1"


def test_two_resumes_at_once_update_once(project: Any, fake: FakeTarget) -> None:
    resume(version(project, 1))
    batch = version(project, 2)

    def one(_: int) -> None:
        try:
            resume_batch(batch=batch, wait_s=5.0)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(one, range(4)))
    assert the_action(batch).state == State.CONFIRMED
    assert [request.kind for request in fake.creates] == [Kind.CREATE_DRAFT, Kind.UPDATE_DRAFT]
