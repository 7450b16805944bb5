"""Many drafts at once: what would be accepted, what not and why, and taking back just what was accepted."""

from __future__ import annotations

import pytest

from once_delivery.accounts.models import Membership, Role, User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.models import Action, Task
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.review.drafts import draft_action_of
from once_delivery.review.finding import Wanted, tasks_of
from once_delivery.review.models import Asset, Draft, Review, ReviewState, Seen, Verdict, VisibleDraft
from once_delivery.review.services.accept_many import accept_many, plan_accepting
from once_delivery.review.services.comment_on_task import comment_on_task
from once_delivery.review.services.decide import Decider, decide_draft, take_back
from once_delivery.review.services.fetch_draft import fetch_draft
from once_delivery.review.services.note_seen import note_seen
from once_delivery.review.waiting import oldest_waiting, waiting_for_review
from once_delivery.targets.base import Presence
from tests.builders import a_batch, a_delivery, a_draft, a_project, a_target, a_user
from tests.fakes.connector import FakeTarget

pytestmark = pytest.mark.django_db(transaction=True)
PRODUCTS = ("kettle", "lamp", "cup", "pot", "jug")


@pytest.fixture
def tasks(fake: FakeTarget) -> list[Task]:
    project = a_project()
    a_target(project, on_new_version="update_existing")
    resume_batch(batch=a_batch(project, *(a_delivery(product) for product in PRODUCTS)), wait_s=10)
    return list(Task.objects.select_related("project").order_by("pk"))


@pytest.fixture
def lead(tasks: list[Task]) -> Decider:
    user = a_user("lead")
    Membership.objects.create(project=tasks[0].project, user=user, role=Role.MARKETING_LEAD)
    return Decider(user=user)


def person(decider: Decider) -> User:
    assert decider.user is not None
    return decider.user


def edit(fake: FakeTarget, task: Task, title: str = "An editor's") -> None:
    held = fake.held(draft_action_of(task).result_id)
    assert held is not None
    fake.change(held, {"title": title, "body": "own words"})


def states(tasks: list[Task]) -> list[str]:
    found = dict(VisibleDraft.objects.values_list("task_id", "state"))
    return [found[task.pk] for task in tasks]


def test_the_plan_says_what_is_left_out_and_why(tasks: list[Task], lead: Decider, fake: FakeTarget) -> None:
    accepted, changed, twice, gone, _ = tasks
    hashed = fetch_draft(action=draft_action_of(accepted)).content_hash
    decide_draft(task=accepted, verdict=Verdict.ACCEPTED, decider=lead, content_hash=hashed)
    note_seen(task=changed, user=person(lead), draft=fetch_draft(action=draft_action_of(changed)))
    edit(fake, changed)
    Action.objects.filter(task=twice).update(presence=Presence.DUPLICATE)
    fake.objects.remove(fake.held(draft_action_of(gone).result_id))  # type: ignore[arg-type]

    plan = plan_accepting(tasks=tasks, decider=lead)

    assert [one.error.code if one.error else "" for one in plan] == [
        "stands-already",
        "changed-since-seen",
        "held-twice",
        "draft-gone",
        "",
    ]
    assert Review.objects.count() == 1


def test_each_is_accepted_as_it_was_planned_or_not_at_all(
    tasks: list[Task], lead: Decider, fake: FakeTarget
) -> None:
    plan = plan_accepting(tasks=tasks, decider=lead)
    hashes = {one.task.pk: one.draft.content_hash for one in plan if one.draft}
    edit(fake, tasks[1])
    Action.objects.filter(task=tasks[2]).update(presence=Presence.DUPLICATE)

    outcomes = accept_many(tasks=tasks, hashes=hashes, decider=lead)

    assert [one.error.code if one.error else "accepted" for one in outcomes] == [
        "accepted",
        "draft-changed",
        "held-twice",
        "accepted",
        "accepted",
    ]
    assert Asset.objects.filter(withdrawn_at=None).count() == 3


def test_only_the_decision_that_is_meant_is_taken_back(tasks: list[Task], lead: Decider) -> None:
    plan = plan_accepting(tasks=tasks[:1], decider=lead)
    (outcome,) = accept_many(
        tasks=tasks[:1],
        hashes={tasks[0].pk: plan[0].draft.content_hash if plan[0].draft else ""},
        decider=lead,
    )
    hashed = fetch_draft(action=draft_action_of(tasks[0])).content_hash
    decide_draft(
        task=tasks[0], verdict=Verdict.REJECTED, decider=lead, content_hash=hashed, reasons=["legal"]
    )
    with pytest.raises(DomainError, match="nothing-to-take-back"):
        take_back(task=tasks[0], decider=lead, only=outcome.review)
    assert states(tasks)[0] == ReviewState.REJECTED


@pytest.mark.parametrize("role", [Role.VIEWER, Role.OPS_OWNER, Role.FINANCE])
def test_who_may_not(tasks: list[Task], role: Role) -> None:
    user = User.objects.create(username="other")
    Membership.objects.create(project=tasks[0].project, user=user, role=role)
    for call in (
        lambda: plan_accepting(tasks=tasks, decider=Decider(user=user)),
        lambda: accept_many(tasks=tasks, hashes={}, decider=Decider(user=user)),
    ):
        with pytest.raises(DomainError, match="not-yours-to-review"):
            call()


def test_the_state_of_review_follows_the_text(tasks: list[Task], lead: Decider, fake: FakeTarget) -> None:
    assert states(tasks) == [ReviewState.WAITS] * 5
    confirmed = Action.objects.values_list("confirmed_at", flat=True)
    assert waiting_for_review([tasks[0].project_id]).oldest == min(at for at in confirmed if at is not None)
    for task, verdict in zip(
        tasks, (Verdict.ACCEPTED, Verdict.ACCEPTED, Verdict.CHANGES, Verdict.CHANGES, Verdict.REJECTED), strict=True
    ):  # fmt: skip
        hashed = fetch_draft(action=draft_action_of(task)).content_hash
        decide_draft(task=task, verdict=verdict, decider=lead, content_hash=hashed, text="why")
    for task in (tasks[1], tasks[3]):
        edit(fake, task)
        fetch_draft(action=draft_action_of(task))
    assert states(tasks) == [
        ReviewState.ACCEPTED,
        ReviewState.CHANGED,
        ReviewState.CHANGES,
        ReviewState.WAITS,
        ReviewState.REJECTED,
    ]
    waiting = waiting_for_review([tasks[0].project_id])
    again = Draft.objects.filter(content__title="An editor's").order_by("first_read_at")
    assert (waiting.count, waiting.oldest, waiting.more) == (2, again[0].first_read_at, False)
    assert [one.pk for one in oldest_waiting([tasks[0].project_id], many=5)] == [tasks[1].pk, tasks[3].pk]
    take_back(task=tasks[0], decider=lead)
    assert states(tasks)[0] == ReviewState.WAITS


def test_a_draft_that_a_newer_version_took_over_is_one_card(tasks: list[Task], lead: Decider) -> None:
    newer = a_delivery("kettle", input_version=2, brief={"text": "2"}, actions=(a_draft("kettle v2"),))
    resume_batch(batch=a_batch(tasks[0].project, newer, name="newer"), wait_s=5)
    of_object = VisibleDraft.objects.filter(action__result_id="obj-1")
    shown = [one.task.input_version.number for one in of_object]
    assert shown == [2]


def test_changed_since_i_looked(tasks: list[Task], lead: Decider, fake: FakeTarget) -> None:
    def changed() -> list[int]:
        return tasks_of(Wanted([tasks[0].project_id], changed_for=person(lead).pk), many=9)

    note_seen(task=tasks[0], user=person(lead), draft=fetch_draft(action=draft_action_of(tasks[0])))
    assert changed() == []
    edit(fake, tasks[0])
    now = fetch_draft(action=draft_action_of(tasks[0]))
    assert changed() == [tasks[0].pk]
    before = note_seen(task=tasks[0], user=person(lead), draft=now)
    assert before is not None
    assert before.content["title"] == "kettle de-DE"
    assert (changed(), Seen.objects.count()) == ([], 1)


def test_comments(tasks: list[Task], lead: Decider) -> None:
    comment = comment_on_task(task=tasks[0], user=person(lead), text="  Whose photograph is this?  ")
    assert comment.text == "Whose photograph is this?"
    with pytest.raises(DomainError, match="empty-comment"):
        comment_on_task(task=tasks[0], user=person(lead), text=" \n ")
    reader = User.objects.create(username="reader")
    with pytest.raises(DomainError, match="not-yours-to-comment"):
        comment_on_task(task=tasks[0], user=reader, text="x")
    Membership.objects.create(project=tasks[0].project, user=reader, role=Role.VIEWER)
    with pytest.raises(DomainError, match="not-yours-to-comment"):
        comment_on_task(task=tasks[0], user=reader, text="x")
