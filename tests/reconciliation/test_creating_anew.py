"""An update whose original is gone: the new version makes a draft of its own, where the client agrees."""

from __future__ import annotations

import pytest

from once_delivery.accounts.models import Role, User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.models import Action, Batch
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.targets.base import Answer, EffectRequest, Outcome
from reconciliation.decisions import Decision, Needs, needs_of, possible
from reconciliation.models import Case
from reconciliation.services.approvals import answer, propose
from reconciliation.services.decide_case import decide_case
from reconciliation.services.open_cases import open_cases
from tests.builders import a_batch, a_delivery, a_draft, a_project, a_target, the_action
from tests.fakes.connector import FakeTarget
from tests.reconciliation.given import again, member

pytestmark = pytest.mark.django_db(transaction=True)


def refuses(target: FakeTarget, request: EffectRequest) -> Answer:
    """As an object store does."""
    return Answer(Outcome.REFUSED, "original-gone", http_status=404)


def says_exists(target: FakeTarget, request: EffectRequest) -> Answer:
    """As a CMS does that is read first: the ledger looks at once."""
    return Answer(Outcome.EXISTS, "original-gone", http_status=404)


@pytest.fixture(params=[refuses, says_exists])
def newer(fake: FakeTarget, request: pytest.FixtureRequest) -> Batch:
    """Version 2, whose draft of version 1 was deleted at the target."""
    project = a_project()
    a_target(project, on_new_version="update_existing")
    for number in (1, 2):
        batch = a_batch(
            project,
            a_delivery(input_version=number, brief={"n": number}, actions=(a_draft(f"kettle v{number}"),)),
            name=f"version {number}",
        )
        resume_batch(batch=batch, wait_s=5.0)
        if number == 1:
            fake.objects.clear()
            fake.scripted = [request.param]
    open_cases()
    return batch


def test_the_client_agrees_and_one_draft_is_made(newer: Batch, ops: User, fake: FakeTarget) -> None:
    case = Case.objects.get()
    assert possible(case) == [Decision.CREATE_ANEW, Decision.ADOPT, Decision.GIVE_UP]
    assert needs_of(case, Decision.CREATE_ANEW) == Needs.CLIENT
    with pytest.raises(DomainError, match="approval-needed"):
        decide_case(case=case, decision=Decision.CREATE_ANEW, user=ops)
    approval = propose(case=case, decision=Decision.CREATE_ANEW, user=ops)
    answer(approval=approval, user=member("client", Role.CLIENT_APPROVER), agree=True)
    resume_batch(batch=newer, wait_s=5.0)
    action = the_action(newer)
    assert (action.state, action.original_id, action.object_marker) == ("confirmed", None, "")
    assert [(one.marker, one.title) for one in fake.objects] == [(action.marker, "kettle v2")]
    assert again(case).resolution == "create_anew"
    older = Action.objects.get(task__input_version__number=1)
    assert (older.state, older.result_id) == ("confirmed", "obj-1")  # R7: the first result ID for ever


def test_not_where_the_original_is_there(case: Case, ops: User) -> None:
    with pytest.raises(DomainError, match="nothing-to-approve"):
        propose(case=case, decision=Decision.CREATE_ANEW, user=ops)
