"""People decide about the draft that the target holds; accepting makes the asset that is counted."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction

from once_delivery.accounts.models import Membership, Role, User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Task
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.review.drafts import draft_action_of
from once_delivery.review.models import ApprovalLink, Asset, Review, Verdict
from once_delivery.review.services.approval_links import make_link, open_link, revoke_link
from once_delivery.review.services.decide import Decider, decide_draft, standing_review, take_back
from once_delivery.review.services.fetch_draft import fetch_draft
from tests.builders import a_batch, a_delivery, a_draft, a_project, a_user
from tests.fakes.connector import FakeTarget

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def lead(task: Task) -> Decider:
    user = a_user("lead")
    Membership.objects.get_or_create(project=task.project, user=user, defaults={"role": Role.MARKETING_LEAD})
    return Decider(user=user)


def shown_hash(task: Task) -> str:
    return fetch_draft(action=draft_action_of(task)).content_hash


def an_editor_writes(fake: FakeTarget, title: str = "An editor's") -> None:
    fake.change(fake.objects[0], {"title": title, "body": "own words"})


def accept(task: Task, decider: Decider, content_hash: str = "") -> Review:
    return decide_draft(
        task=task,
        verdict=Verdict.ACCEPTED,
        decider=decider,
        content_hash=content_hash or shown_hash(task),
    )


def assets(task: Task) -> list[bool]:
    """Of each asset, whether it counts."""
    return [one.withdrawn_at is None for one in Asset.objects.filter(task=task).order_by("pk")]


def test_accepting_makes_one_asset(task: Task, lead: Decider) -> None:
    review = accept(task, lead)
    again = accept(task, lead)
    assert (again.pk, assets(task)) == (review.pk, [True])
    asset = Asset.objects.get()
    assert (asset.action.result_id, asset.draft.content["title"]) == ("obj-1", "kettle de-DE")


@pytest.mark.parametrize("verdict", [Verdict.CHANGES, Verdict.REJECTED])
def test_what_goes_back_has_a_reason(task: Task, lead: Decider, verdict: Verdict) -> None:
    values = {"task": task, "verdict": verdict, "decider": lead, "content_hash": shown_hash(task)}
    with pytest.raises(DomainError, match="reason-needed"):
        decide_draft(**values)  # type: ignore[arg-type]
    with pytest.raises(DomainError, match="unknown-reason"):
        decide_draft(**values, reasons=["because"])  # type: ignore[arg-type]
    decide_draft(**values, reasons=["tone", "facts", "tone"], text="  Too loud. ")  # type: ignore[arg-type]
    standing = standing_review(task)
    assert standing is not None
    assert (standing.verdict, standing.reasons, standing.text) == (verdict, ["facts", "tone"], "Too loud.")
    assert assets(task) == []


def test_words_behind_what_is_kept_are_a_change_too(task: Task, lead: Decider, fake: FakeTarget) -> None:
    """A very long text is kept by its beginning; what was accepted is all of it."""
    long = "a" * 100_000
    fake.change(fake.objects[0], {"title": "x", "body": long})
    opened = shown_hash(task)
    fake.change(fake.objects[0], {"title": "x", "body": long + " and more"})
    with pytest.raises(DomainError, match="draft-changed"):
        accept(task, lead, opened)
    assert assets(task) == []


def test_a_draft_that_changed_meanwhile_is_not_accepted(task: Task, lead: Decider, fake: FakeTarget) -> None:
    opened = shown_hash(task)
    an_editor_writes(fake)
    with pytest.raises(DomainError, match="draft-changed"):
        accept(task, lead, opened)
    assert (assets(task), Review.objects.count()) == ([], 0)


def test_the_same_text_again_is_the_same_draft(task: Task, lead: Decider, fake: FakeTarget) -> None:
    first = fetch_draft(action=draft_action_of(task))
    an_editor_writes(fake)
    fake.change(fake.objects[0], dict(first.content))
    assert fetch_draft(action=draft_action_of(task)).pk == first.pk


def test_accepted_again_after_a_change_it_is_the_same_asset(
    task: Task, lead: Decider, fake: FakeTarget
) -> None:
    accept(task, lead)
    an_editor_writes(fake)
    accept(task, lead)
    assert assets(task) == [True]
    assert Asset.objects.get().draft.content["title"] == "An editor's"


def test_rejecting_takes_the_asset_back(task: Task, lead: Decider) -> None:
    accept(task, lead)
    decide_draft(
        task=task,
        verdict=Verdict.REJECTED,
        decider=lead,
        content_hash=shown_hash(task),
        reasons=["legal"],
    )
    assert assets(task) == [False]
    accept(task, lead)
    assert assets(task) == [False, True]


def test_taking_back(task: Task, lead: Decider) -> None:
    with pytest.raises(DomainError, match="nothing-to-take-back"):
        take_back(task=task, decider=lead)
    accept(task, lead)
    take_back(task=task, decider=lead)
    assert (standing_review(task), assets(task)) == (None, [False])
    with pytest.raises(DomainError, match="nothing-to-take-back"):
        take_back(task=task, decider=lead)


@pytest.mark.parametrize("role", [Role.VIEWER, Role.OPS_OWNER, Role.FINANCE, None])
def test_who_may_not(task: Task, role: Role | None) -> None:
    user = User.objects.create(username="other")
    if role is not None:
        Membership.objects.create(project=task.project, user=user, role=role)
    with pytest.raises(DomainError, match="not-yours-to-review"):
        accept(task, Decider(user=user))
    assert Review.objects.count() == 0


def test_another_projects_lead_may_not(task: Task) -> None:
    """R14"""
    user = User.objects.create(username="neighbour")
    Membership.objects.create(project=a_project("other"), user=user, role=Role.ADMIN)
    with pytest.raises(DomainError, match="not-yours-to-review"):
        accept(task, Decider(user=user))


def test_a_draft_that_went_to_a_newer_version_is_reviewed_there(task: Task, lead: Decider) -> None:
    opened = shown_hash(task)
    newer = a_delivery(input_version=2, brief={"text": "2"}, actions=(a_draft("kettle v2"),))
    batch = a_batch(task.project, newer, name="newer")
    resume_batch(batch=batch, wait_s=5)
    with pytest.raises(DomainError, match="newer-version"):
        accept(task, lead, opened)
    second = Task.objects.exclude(pk=task.pk).get()
    accept(second, lead)
    assert assets(second) == [True]


def test_the_target_shows_nothing(task: Task, lead: Decider, fake: FakeTarget) -> None:
    opened = shown_hash(task)
    fake.objects.clear()
    with pytest.raises(DomainError, match="draft-gone"):
        accept(task, lead, opened)
    assert Review.objects.count() == 0


def test_ten_accepts_at_once_make_one_asset(task: Task, lead: Decider) -> None:
    opened = shown_hash(task)

    def one(_: int) -> int:
        try:
            return accept(task, lead, opened).pk
        finally:
            connection.close()

    with ThreadPoolExecutor(10) as pool:
        reviews = set(pool.map(one, range(10)))
    assert (len(reviews), assets(task)) == (1, [True])


def test_a_link_decides_once_for_somebody_without_an_account(task: Task, lead: Decider) -> None:
    assert lead.user is not None
    link, secret = make_link(task=task, approver="Aurora legal", days=7, user=lead.user)
    assert secret not in str(ApprovalLink.objects.values())
    review = accept(open_link(secret=secret).task, Decider(link=link))
    assert (review.user, review.link, assets(task)) == (None, link, [True])


def test_links_that_open_nothing(task: Task, lead: Decider) -> None:
    assert lead.user is not None
    revoked, secret = make_link(task=task, approver="a", days=1, user=lead.user)
    revoke_link(link=revoked, user=lead.user)
    expired, other = make_link(task=task, approver="b", days=1, user=lead.user)
    ApprovalLink.objects.filter(pk=expired.pk).update(expires_at=database_now() - timedelta(seconds=1))
    for tried in (secret, other, "", "x" * 43):
        with pytest.raises(DomainError, match="link-over"):
            open_link(secret=tried)
    for approver, days in (("", 7), ("  ", 7), ("c", 0), ("c", 31)):
        with pytest.raises(DomainError, match="bad-link"):
            make_link(task=task, approver=approver, days=days, user=lead.user)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE review_review SET verdict = 'rejected'",
        "DELETE FROM review_review",
        "DELETE FROM review_asset",
        "UPDATE review_asset SET accepted_at = accepted_at - interval '1 day'",
        "UPDATE review_asset SET task_id = task_id + 1",
    ],
)
def test_postgresql_keeps_what_was_decided(task: Task, lead: Decider, statement: str) -> None:
    """R10"""
    accept(task, lead)
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert assets(task) == [True]


def test_what_was_taken_back_stays_so(task: Task, lead: Decider) -> None:
    accept(task, lead)
    take_back(task=task, decider=lead)
    with pytest.raises(IntegrityError):
        Asset.objects.update(withdrawn_at=None)


def test_words_that_cannot_be_stored_are_left_out(task: Task, lead: Decider) -> None:
    opened = shown_hash(task)
    values = {"task": task, "verdict": Verdict.CHANGES, "decider": lead, "content_hash": opened}
    with pytest.raises(DomainError, match="reason-needed"):
        decide_draft(**values, text="\x00")  # type: ignore[arg-type]
    assert decide_draft(**values, text="too\x00 loud\ud800").text == "too loud"  # type: ignore[arg-type]
    assert lead.user is not None
    link, _ = make_link(task=task, approver="Ms\x00 Li", days=1, user=lead.user)
    assert link.approver == "Ms Li"
