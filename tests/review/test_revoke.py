"""An acceptance that was taken back counts on until the client agrees."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from once_delivery.accounts.models import Membership, Role, User
from once_delivery.ledger.models import Task
from once_delivery.notices.models import Message
from once_delivery.review.drafts import draft_action_of
from once_delivery.review.models import Asset, Review, Revocation, Verdict
from once_delivery.review.revocations import REVOKED, is_revoked, waiting_revocations
from once_delivery.review.services import revoke
from once_delivery.review.services.approval_links import make_link
from once_delivery.review.services.decide import Decider, decide_draft, take_back
from once_delivery.review.services.fetch_draft import fetch_draft
from once_delivery.review.services.revoke import (
    NotYoursToAnswerError,
    RevocationOverError,
    answer_revocation,
    approvers_of,
)
from tests.builders import a_user
from tests.fakes.connector import FakeTarget

SLIP = revoke.SLIP
pytestmark = pytest.mark.django_db(transaction=True)


def member(task: Task, name: str, role: Role) -> User:
    user = a_user(name)
    user.email = f"{name}@example.org"
    user.save()
    Membership.objects.update_or_create(project=task.project, user=user, defaults={"role": role})
    return user


@pytest.fixture
def lead(task: Task) -> User:
    return member(task, "lead", Role.MARKETING_LEAD)


@pytest.fixture
def client(task: Task) -> User:
    return member(task, "client", Role.CLIENT_APPROVER)


@pytest.fixture(autouse=True)
def nothing_is_a_slip(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything in a test happens at once; but for the tests of slips that is long after."""
    monkeypatch.setattr(revoke, "SLIP", timedelta(0))


@pytest.fixture
def slips(nothing_is_a_slip: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(revoke, "SLIP", SLIP)


def decide(task: Task, user: User, verdict: Verdict = Verdict.ACCEPTED, text: str = "") -> Review:
    shown = fetch_draft(action=draft_action_of(task)).content_hash
    return decide_draft(task=task, verdict=verdict, decider=Decider(user=user), content_hash=shown, text=text)


def the_revocation(task: Task) -> Revocation:
    return Revocation.objects.select_related("review", "project", "asset__task").get(asset__task=task)


def standing(task: Task) -> list[bool]:
    """Of each asset, whether it counts."""
    return [not is_revoked(one) for one in Asset.objects.filter(task=task).order_by("pk")]


@pytest.mark.parametrize("how", ["undone", "rejected", "changes"])
def test_it_counts_until_the_client_agrees(task: Task, lead: User, client: User, how: str) -> None:
    decide(task, lead)
    if how == "undone":
        take_back(task=task, decider=Decider(user=lead))
    else:
        decide(task, lead, Verdict(how), "the handle is wrong")
    found = the_revocation(task)
    assert (found.status, standing(task)) == ("asked", [True])
    assert Asset.objects.get().withdrawn_at is not None
    assert Message.objects.get(event="approval.asked").address == client.email
    answer_revocation(revocation=found, user=client, agree=True, words="so it is")
    assert (the_revocation(task).status, standing(task)) == ("given", [False])
    assert Message.objects.get(event="approval.given").address == lead.email


def test_a_client_that_holds_to_it_keeps_it_counted(task: Task, lead: User, client: User) -> None:
    decide(task, lead)
    take_back(task=task, decider=Decider(user=lead))
    answer_revocation(revocation=the_revocation(task), user=client, agree=False)
    assert (the_revocation(task).status, standing(task)) == ("denied", [True])
    with pytest.raises(RevocationOverError):
        answer_revocation(revocation=the_revocation(task), user=client, agree=True)
    assert standing(task) == [True]


def test_accepted_again_the_new_acceptance_takes_the_place(task: Task, lead: User, client: User) -> None:
    decide(task, lead)
    take_back(task=task, decider=Decider(user=lead))
    asked = the_revocation(task)
    decide(task, lead)
    assert (the_revocation(task).status, standing(task)) == ("again", [False, True])
    with pytest.raises(RevocationOverError):
        answer_revocation(revocation=asked, user=client, agree=True)


def test_what_the_client_holds_to_gives_way_to_a_new_acceptance(task: Task, lead: User, client: User) -> None:
    decide(task, lead)
    take_back(task=task, decider=Decider(user=lead))
    answer_revocation(revocation=the_revocation(task), user=client, agree=False, words="we like it")
    decide(task, lead)
    found = the_revocation(task)
    assert (found.status, found.answered_by, found.words) == ("again", client, "we like it")
    assert standing(task) == [False, True]


@pytest.mark.usefixtures("slips")
def test_who_undoes_at_once_what_they_accepted_asks_nobody(task: Task, lead: User, client: User) -> None:
    decide(task, lead)
    take_back(task=task, decider=Decider(user=lead))
    assert (the_revocation(task).status, standing(task)) == ("slip", [False])
    assert not Message.objects.exists()


@pytest.mark.usefixtures("slips")
def test_somebody_elses_undo_is_no_slip(task: Task, lead: User, client: User) -> None:
    decide(task, lead)
    take_back(task=task, decider=Decider(user=member(task, "another", Role.MARKETING_LEAD)))
    assert the_revocation(task).status == "asked"


def test_the_client_itself_needs_nobody(task: Task, lead: User, client: User) -> None:
    decide(task, lead)
    take_back(task=task, decider=Decider(user=client))
    assert (the_revocation(task).status, standing(task)) == ("given", [False])


@pytest.mark.usefixtures("slips")
@pytest.mark.parametrize("accepted_by", ["lead", "link"])
@pytest.mark.parametrize("how", ["undone", "rejected"])
def test_through_a_link_the_client_is_asked_all_the_same(
    task: Task, lead: User, client: User, how: str, accepted_by: str
) -> None:
    """Who made the link could have used it: it is no way around the client, not even at once."""
    link, _ = make_link(task=task, approver="Legal", days=7, user=lead)
    by_link = Decider(link=link)
    shown = fetch_draft(action=draft_action_of(task)).content_hash
    first = Decider(user=lead) if accepted_by == "lead" else by_link
    decide_draft(task=task, verdict=Verdict.ACCEPTED, decider=first, content_hash=shown)
    if how == "undone":
        take_back(task=task, decider=by_link)
    else:
        decide_draft(task=task, verdict=Verdict.REJECTED, decider=by_link, content_hash=shown, text="no")
    assert (the_revocation(task).status, standing(task)) == ("asked", [True])
    answer_revocation(revocation=the_revocation(task), user=client, agree=True)
    assert standing(task) == [False]


def test_who_made_the_link_does_not_answer_what_came_by_it(task: Task, lead: User, client: User) -> None:
    link, _ = make_link(task=task, approver="Legal", days=7, user=client)
    decide(task, lead)
    take_back(task=task, decider=Decider(link=link))
    found = the_revocation(task)
    with pytest.raises(NotYoursToAnswerError):
        answer_revocation(revocation=found, user=client, agree=True)
    assert not waiting_revocations(client)
    other = member(task, "other-client", Role.CLIENT_APPROVER)
    assert [one.pk for one in waiting_revocations(other)] == [found.pk]
    answer_revocation(revocation=found, user=other, agree=True)
    assert standing(task) == [False]


@pytest.mark.parametrize("verdict", [Verdict.REJECTED, Verdict.CHANGES])
@pytest.mark.parametrize("by_link", [False, True])
def test_the_clients_own_rejection_answers_what_is_asked(
    task: Task, lead: User, client: User, verdict: Verdict, *, by_link: bool
) -> None:
    """The same decision that took it back, or another; also of who made the link, in the own name now."""
    decide(task, lead)
    if by_link:
        link, _ = make_link(task=task, approver="Legal", days=7, user=client)
        take_back(task=task, decider=Decider(link=link))
    else:
        decide(task, lead, Verdict.REJECTED, "the handle is wrong")
    decide(task, member(task, "another", Role.MARKETING_LEAD), verdict, "so I think")
    assert the_revocation(task).status == "asked"
    decide(task, client, verdict, "indeed it is")
    found = the_revocation(task)
    assert (found.status, found.answered_by, found.words) == ("given", client, "indeed it is")
    assert standing(task) == [False]


def test_who_may_answer(task: Task, lead: User) -> None:
    """Admins where the project has no client approver; never who took it back, and nobody of another project."""
    admin = member(task, "boss", Role.ADMIN)
    decide(task, lead)
    take_back(task=task, decider=Decider(user=admin))
    found = the_revocation(task)
    other = member(task, "second-boss", Role.ADMIN)
    assert approvers_of(found) == [other]
    assert [bool(waiting_revocations(one)) for one in (admin, other, lead)] == [False, True, False]
    client = member(task, "client", Role.CLIENT_APPROVER)
    assert approvers_of(found) == [client]
    assert [bool(waiting_revocations(one)) for one in (admin, other, client)] == [False, False, True]
    for nobody in (admin, other, lead, a_user("stranger")):
        with pytest.raises(NotYoursToAnswerError):
            answer_revocation(revocation=found, user=nobody, agree=True)
    assert standing(task) == [True]


def test_what_was_taken_back_before_there_was_a_question_counts_no_more(task: Task, lead: User) -> None:
    decide(task, lead)
    Asset.objects.update(withdrawn_at=Asset.objects.get().accepted_at)
    assert list(Asset.objects.filter(REVOKED)) == [Asset.objects.get()]


@pytest.mark.parametrize(
    "change",
    [
        {"status": "denied"},
        {"status": "asked", "answered_by": None, "answered_at": None},
        {"words": "other words"},
    ],
)
def test_an_answer_stays_as_it_was_given(
    task: Task, lead: User, client: User, change: dict[str, object]
) -> None:
    decide(task, lead)
    take_back(task=task, decider=Decider(user=lead))
    answer_revocation(revocation=the_revocation(task), user=client, agree=True)
    with pytest.raises(IntegrityError, match="an answer stays"), transaction.atomic():
        Revocation.objects.update(**change)
    with pytest.raises(IntegrityError, match="is kept"), transaction.atomic():
        Revocation.objects.all().delete()


@pytest.mark.usefixtures("slips")
@pytest.mark.parametrize("answered", [None, False], ids=["not yet answered", "denied"])
def test_accepting_again_to_undo_it_at_once_asks_the_client_all_the_same(
    task: Task, lead: User, client: User, answered: bool | None
) -> None:
    """Else whoever accepts and undoes within minutes takes out what the client was asked about, or holds to."""
    decide(task, client)
    take_back(task=task, decider=Decider(user=lead))
    if answered is not None:
        answer_revocation(revocation=the_revocation(task), user=client, agree=answered)
    decide(task, lead)
    take_back(task=task, decider=Decider(user=lead))
    assert standing(task) == [False, True]
    assert [one.asset.task for one in waiting_revocations(client)] == [task]


@pytest.mark.usefixtures("slips")
def test_what_stood_before_the_text_was_accepted_anew_is_no_slip(
    task: Task, lead: User, client: User, fake: FakeTarget
) -> None:
    """The client's acceptance, which somebody renewed after a change at the target, is not theirs to undo."""
    decide(task, client)
    fake.change(fake.objects[0], {**fake.objects[0].content, "title": "An editor's"})
    decide(task, lead)
    take_back(task=task, decider=Decider(user=lead))
    assert (the_revocation(task).status, standing(task)) == ("asked", [True])
