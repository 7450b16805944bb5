"""A person decides: who may, on what evidence, and what it does to the ledger."""

from __future__ import annotations

import pytest

from once_delivery.accounts.models import Membership, Role, User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.models import Action, Batch
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.ledger.states import State
from reconciliation.decisions import Decision
from reconciliation.models import Case, CaseStatus
from reconciliation.services.approvals import answer, propose
from reconciliation.services.decide_case import decide_case
from reconciliation.services.open_cases import open_cases
from tests.builders import a_batch, a_delivery, a_draft, a_project, a_target, a_user, actions_of, the_action
from tests.fakes.connector import FakeTarget, answer_lost, refused

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def batch(fake: FakeTarget) -> Batch:
    """One action whose answer was lost at a target that cannot be asked."""
    fake.scripted = [answer_lost]
    project = a_project()
    a_target(project, guard="none", look_up=False)
    batch = a_batch(project)
    resume_batch(batch=batch)
    open_cases()
    return batch


def the_case(batch: Batch) -> Case:
    return Case.objects.get(action__task__references__batch=batch)


def member(name: str, role: Role, code: str = "aurora") -> User:
    user = a_user(name)
    Membership.objects.create(project=a_project(code), user=user, role=role)
    return user


def untouched(batch: Batch) -> bool:
    return the_action(batch).state == State.RECONCILE and the_case(batch).status == CaseStatus.OPEN


def refusal(batch: Batch, **decision: object) -> str:
    with pytest.raises(DomainError) as caught:
        decide_case(case=the_case(batch), **decision)  # type: ignore[arg-type]
    assert untouched(batch)
    return caught.value.code


def test_adopting_confirms_and_resolves(batch: Batch) -> None:
    decide_case(case=the_case(batch), decision=Decision.ADOPT, user=a_user("ops"), result_id="obj-1")

    assert (the_action(batch).state, the_action(batch).result_id) == (State.CONFIRMED, "obj-1")
    assert (the_case(batch).status, the_case(batch).resolution) == (CaseStatus.RESOLVED, "adopt")


@pytest.mark.parametrize("result_id", ["", "x" * 301, "a\x00b"], ids=["none", "long", "NUL"])
def test_what_cannot_be_an_id_is_not_adopted(batch: Batch, result_id: str) -> None:
    code = refusal(batch, decision=Decision.ADOPT, user=a_user("ops"), result_id=result_id)

    assert code in {"result-id-needed", "bad-result-id"}


def test_one_object_is_not_adopted_twice(batch: Batch, fake: FakeTarget) -> None:
    """R6"""
    other = a_batch(batch.project, a_delivery("lamp"), name="other")
    resume_batch(batch=other)
    taken = the_action(other).result_id

    assert refusal(batch, decision=Decision.ADOPT, user=a_user("ops"), result_id=taken) == "result-taken"


def test_absent_needs_evidence_or_a_second_person(batch: Batch, fake: FakeTarget) -> None:
    """R4: the bare word of one person never sends again."""
    assert refusal(batch, decision=Decision.ABSENT, user=a_user("ops")) == "approval-needed"

    approval = propose(case=the_case(batch), decision=Decision.ABSENT, user=a_user("ops"))
    with pytest.raises(DomainError, match="not-yours-to-approve"):
        answer(approval=approval, user=a_user("ops"), agree=True)
    answer(approval=approval, user=a_user("deputy"), agree=True)

    assert (the_action(batch).state, len(fake.creates)) == (State.PLANNED, 1)
    assert the_case(batch).status == CaseStatus.RESOLVED


def test_who_may_not_decide_may_not_agree_either(batch: Batch) -> None:
    """R14: not a stranger, not a viewer, not somebody of another project."""
    stranger, viewer = a_user("charlie"), member("vera", Role.VIEWER)
    elsewhere = member("otto", Role.OPS_OWNER, code="other")
    approval = propose(case=the_case(batch), decision=Decision.ABSENT, user=a_user("ops"))

    for person in (stranger, viewer, elsewhere):
        with pytest.raises(DomainError, match="not-yours-to-approve"):
            answer(approval=approval, user=person, agree=True)
        assert refusal(batch, decision=Decision.GIVE_UP, user=person) == "not-yours-to-decide"


def test_a_decision_that_does_not_fit_says_so(batch: Batch) -> None:
    assert refusal(batch, decision=Decision.RETRY, user=a_user("ops")) == "decision-does-not-fit"


def test_a_case_is_decided_once(batch: Batch) -> None:
    decide_case(case=the_case(batch), decision=Decision.GIVE_UP, user=a_user("ops"))

    with pytest.raises(DomainError) as caught:
        decide_case(case=the_case(batch), decision=Decision.ADOPT, user=a_user("deputy"), result_id="obj-1")

    assert (caught.value.code, the_action(batch).state) == ("case-closed", State.CANCELLED)


def test_what_the_target_refused_is_not_absent_but_may_be_tried_again(fake: FakeTarget) -> None:
    fake.scripted = [refused]
    project = a_project()
    a_target(project)
    batch = a_batch(project)
    resume_batch(batch=batch)
    open_cases()
    case = the_case(batch)

    with pytest.raises(DomainError) as caught:
        decide_case(case=case, decision=Decision.ABSENT, user=a_user("ops"))
    decide_case(case=case, decision=Decision.RETRY, user=a_user("ops"))
    resume_batch(batch=batch)

    assert caught.value.code == "decision-does-not-fit"
    assert [action.state for action in actions_of(batch)] == [State.CONFIRMED]


def test_giving_up_hands_what_needed_it_to_a_person(fake: FakeTarget) -> None:
    """R13: a draft does not wait for ever for a picture that nobody makes."""
    fake.scripted = [answer_lost]
    project = a_project()
    a_target(project, guard="none", look_up=False)
    picture = a_draft("picture", slot="hero-image")
    draft = a_draft("draft", image={"$result": "hero-image"})
    batch = a_batch(project, a_delivery(actions=(picture, draft)))
    resume_batch(batch=batch)
    open_cases()

    decide_case(case=the_case(batch), decision=Decision.GIVE_UP, user=a_user("ops"))
    open_cases()

    waiting = Action.objects.get(slot="main")
    assert (waiting.state, waiting.next_step, waiting.reason) == (State.PLANNED, "person", "need-given-up")
    assert Case.objects.get(action=waiting).owner == project.default_owner
