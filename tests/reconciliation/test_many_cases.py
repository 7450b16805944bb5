"""Many cases decided alike: planned, compared with the plan, cancelled."""

from __future__ import annotations

import pytest

from once_delivery.accounts.models import Role, User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.models import Batch
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.ledger.states import State
from reconciliation.decisions import Decision, possible
from reconciliation.models import (
    BulkStatus,
    Case,
)
from reconciliation.services.decide_case import decide_case
from reconciliation.services.decide_many import cancel_bulk, plan_bulk, run_bulk
from reconciliation.services.open_cases import open_cases
from reconciliation.services.work_on_case import comment, hand_over
from tests.builders import a_batch, a_delivery, a_draft, a_project, a_user, actions_of
from tests.fakes.connector import FakeTarget, refused
from tests.reconciliation.given import again, member

pytestmark = pytest.mark.django_db(transaction=True)


def test_many_are_planned_and_then_decided(batch: Batch, ops: User, fake: FakeTarget) -> None:
    cases = list(Case.objects.order_by("pk"))
    decide_case(case=cases[2], decision=Decision.GIVE_UP, user=ops)
    plan, excluded = plan_bulk(
        project=batch.project, cases=[again(one) for one in cases], decision=Decision.GIVE_UP, user=ops
    )
    assert ([one["case"] for one in plan.items], [(one.case.pk, one.why) for one in excluded]) == (
        [str(cases[0].uuid), str(cases[1].uuid)],
        [(cases[2].pk, "case-closed")],
    )
    assert [action.state for action in actions_of(batch)].count(State.CANCELLED) == 1
    comment(case=cases[1], user=ops, text="a comment changes no case")
    hand_over(case=cases[1], to=a_user("deputy"), user=ops)

    done = run_bulk(bulk=plan)

    assert (done.status, [one["outcome"] for one in done.items]) == (
        BulkStatus.DONE,
        ["decided", "case-changed"],
    )
    with pytest.raises(DomainError, match="bulk-over"):
        run_bulk(bulk=plan)


def test_what_needs_agreement_is_left_out(batch: Batch, ops: User) -> None:
    cases = list(Case.objects.order_by("pk"))
    plan, excluded = plan_bulk(project=batch.project, cases=cases, decision=Decision.ABSENT, user=ops)
    assert (plan.items, {one.why for one in excluded}) == ([], {"approval-needed"})
    plan, excluded = plan_bulk(project=batch.project, cases=cases, decision=Decision.ADOPT, user=ops)
    assert {one.why for one in excluded} == {"no-single-candidate"}
    plan, excluded = plan_bulk(project=a_project("other"), cases=cases, decision=Decision.GIVE_UP, user=ops)
    assert {one.why for one in excluded} == {"other-project"}
    plan, excluded = plan_bulk(
        project=batch.project, cases=cases, decision=Decision.GIVE_UP, user=member("vera", Role.VIEWER)
    )
    assert {one.why for one in excluded} == {"not-yours-to-decide"}


def test_a_plan_that_was_cancelled_decides_nothing(batch: Batch, ops: User) -> None:
    plan, _ = plan_bulk(
        project=batch.project, cases=list(Case.objects.all()), decision=Decision.GIVE_UP, user=ops
    )
    cancel_bulk(bulk=plan)
    with pytest.raises(DomainError, match="bulk-over"):
        run_bulk(bulk=plan)
    assert {action.state for action in actions_of(batch)} == {State.RECONCILE}


def test_what_fits(batch: Batch, ops: User, fake: FakeTarget) -> None:
    case = Case.objects.order_by("pk")[0]
    assert possible(case) == [Decision.ADOPT, Decision.ABSENT, Decision.GIVE_UP]
    fake.scripted = [refused]
    project = a_project()
    other = a_batch(project, a_delivery("pot", actions=(a_draft("pot"),)), name="other")
    resume_batch(batch=other)
    open_cases()
    assert possible(Case.objects.order_by("-pk")[0]) == [Decision.RETRY, Decision.ADOPT, Decision.GIVE_UP]
    decide_case(case=case, decision=Decision.GIVE_UP, user=ops)
    assert possible(again(case)) == []
