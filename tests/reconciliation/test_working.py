"""Work on one case: two at once, handing over, putting off, comments."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction

from once_delivery.accounts.models import Role, User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.notices.models import Event
from once_delivery.targets.base import Answer, Outcome
from reconciliation.decisions import Decision
from reconciliation.models import (
    Case,
    CaseEvent,
)
from reconciliation.services.approvals import propose
from reconciliation.services.decide_case import decide_case
from reconciliation.services.open_cases import open_cases
from reconciliation.services.undo_step import undo
from reconciliation.services.work_on_case import comment, hand_over, look_again, snooze
from tests.builders import a_batch, a_project, a_target, a_user, the_action
from tests.fakes.connector import FakeTarget, refused
from tests.reconciliation.given import again, events, later, member, told

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_people_decide_at_once(case: Case, ops: User) -> None:
    seen = again(case).revision

    def decide(name: str) -> str:
        try:
            decide_case(case=case, decision=Decision.GIVE_UP, user=a_user(name), revision=seen)
        except DomainError as error:
            return error.code
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(2) as pool:
        said = sorted(pool.map(decide, ["ops", "deputy"]))
    assert said in (["case-changed", "done"], ["case-closed", "done"])


def test_who_saw_an_older_case_is_told(case: Case, ops: User) -> None:
    seen = again(case).revision
    hand_over(case=case, to=a_user("deputy"), user=ops)
    for act in (
        lambda: decide_case(case=case, decision=Decision.GIVE_UP, user=ops, revision=seen),
        lambda: snooze(case=case, until=later(), reason="r", user=ops, revision=seen),
        lambda: hand_over(case=case, to=ops, user=ops, revision=seen),
        lambda: propose(case=case, decision=Decision.ABSENT, user=ops, revision=seen),
    ):
        with pytest.raises(DomainError, match="case-changed"):
            act()


def test_handing_over_and_taking_it_back(case: Case, ops: User) -> None:
    deputy = a_user("deputy")
    User.objects.filter(pk=deputy.pk).update(email="deputy@example.com")
    deputy.refresh_from_db()
    with pytest.raises(DomainError, match="not-yours-to-decide"):
        hand_over(case=case, to=member("vera", Role.VIEWER), user=ops)
    hand_over(case=case, to=deputy, user=ops, words="You know this client.")
    assert again(case).owner == deputy
    assert told()[-1] == (Event.CASE_HANDED, "deputy@example.com")
    with pytest.raises(DomainError, match="nothing-to-undo"):
        undo(case=case, user=deputy)
    undo(case=case, user=ops)
    assert again(case).owner == ops
    with pytest.raises(DomainError, match="nothing-to-undo"):
        undo(case=case, user=ops)


def test_putting_off(case: Case, ops: User) -> None:
    for until, reason in ((later(), " "), (database_now(), "r"), (database_now() + timedelta(days=8), "r")):
        with pytest.raises(DomainError, match="bad-snooze"):
            snooze(case=case, until=until, reason=reason, user=ops)
    snooze(case=case, until=later(), reason="The site is down until noon.", user=ops)
    assert again(case).snoozed_until is not None
    undo(case=case, user=ops)
    assert again(case).snoozed_until is None


def test_comments_stand_with_the_case(case: Case, ops: User) -> None:
    with pytest.raises(DomainError, match="empty-comment"):
        comment(case=case, user=ops, text=" ")
    comment(case=case, user=member("vera", Role.VIEWER), text="I saw two.")
    with pytest.raises(DomainError, match="not-yours-to-decide"):
        comment(case=case, user=a_user("stranger"), text="hello")
    with pytest.raises(IntegrityError), transaction.atomic():
        CaseEvent.objects.filter(kind="commented").update(kind="opened")


@pytest.mark.parametrize("state", ["planned", "refused"])
def test_what_made_nothing_is_not_looked_for(fake: FakeTarget, ops: User, state: str) -> None:
    """A look-up of something that was never made is nobody's: it would rest there without a next step (R13)."""
    project = a_project()
    a_target(project)
    ours = Answer(Outcome.NOT_SENT, "file-missing")
    fake.scripted = [refused if state == "refused" else lambda target, request: ours]
    batch = a_batch(project)
    resume_batch(batch=batch, wait_s=2.0)
    assert the_action(batch).state == state
    open_cases()
    case = Case.objects.get()
    with pytest.raises(DomainError, match="decision-does-not-fit"):
        look_again(case=case, user=ops)
    assert (again(case).action.next_step, events(case)) == ("person", ["opened"])


def test_looking_again_is_asked_for(case: Case, ops: User) -> None:
    look_again(case=case, user=ops)
    assert (again(case).action.next_step, events(case)[-1]) == ("look_up", "looked")
