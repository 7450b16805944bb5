"""What waits for whom: answers, plans that were begun, and clocks of many projects at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection

from once_delivery.accounts.models import Membership, Role, User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Batch, Observation
from once_delivery.ledger.requests import ActionRequest
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.targets.base import Kind
from reconciliation import tasks
from reconciliation.answering import waiting_for
from reconciliation.case_clock import percent_over
from reconciliation.decisions import Decision
from reconciliation.models import Approval, BulkStatus, Calendar, Case, CaseEvent, TimeSpan
from reconciliation.models.calendar import hours_of, hours_of_all
from reconciliation.services.approvals import may_answer, propose
from reconciliation.services.decide_case import decide_case
from reconciliation.services.decide_many import begin_bulk, plan_bulk, run_bulk, unfinished_bulks
from reconciliation.services.measure_time import note_working, pause_timing, start_timing
from reconciliation.services.open_cases import open_cases
from tests.builders import a_batch, a_delivery, a_project, a_target, a_user
from tests.fakes.connector import FakeTarget, answer_lost

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ops() -> User:
    return a_user("ops")


@pytest.fixture
def batch(fake: FakeTarget, ops: User) -> Batch:
    """A draft and a generation job, both answers lost, at a target that cannot be asked."""
    fake.scripted = [answer_lost] * 3
    project = a_project()
    a_target(project, guard="none", look_up=False)
    job = ActionRequest(target="cms", kind=Kind.START_JOB, slot="video", payload={"prompt": "a kettle"})
    batch = a_batch(
        project, a_delivery("kettle"), a_delivery("lamp"), a_delivery("mug", actions=(job,)), name="autumn"
    )
    resume_batch(batch=batch)
    open_cases()
    return batch


def cases() -> list[Case]:
    return list(Case.objects.select_related("project", "action").order_by("pk"))


def people() -> dict[Role, User]:
    found = {}
    for role in Role:
        found[role] = a_user(f"some-{role}")
        Membership.objects.get_or_create(project=a_project(), user=found[role], defaults={"role": role})
    return found


@pytest.mark.parametrize("with_client", [True, False])
def test_a_list_of_what_waits_says_what_the_service_says(batch: Batch, ops: User, with_client: bool) -> None:
    everybody = [ops, *people().values(), a_user("stranger")]
    if not with_client:
        User.objects.filter(username=f"some-{Role.CLIENT_APPROVER}").update(is_active=False)
        everybody = [User.objects.get(pk=user.pk) for user in everybody]
    draft, _, job = cases()
    asked = [propose(case=draft, decision=Decision.ABSENT, user=ops)]
    asked += [propose(case=job, decision=Decision.ABSENT, user=ops)]
    assert [one.by_client for one in asked] == [False, True]
    said = {user.username: set(waiting_for(user)) for user in everybody}
    assert said == {user.username: {one for one in asked if may_answer(user, one)} for user in everybody}
    assert said["ops"] == said["stranger"] == set()
    assert said[f"some-{Role.CLIENT_APPROVER}"] == ({asked[1]} if with_client else set())


def test_an_answered_proposal_waits_no_more(batch: Batch, ops: User) -> None:
    approval = propose(case=cases()[0], decision=Decision.ABSENT, user=ops)
    Approval.objects.filter(pk=approval.pk).update(status="void")
    assert not waiting_for(a_user("deputy")).exists()


def a_plan(batch: Batch, ops: User) -> int:
    plan, _ = plan_bulk(project=batch.project, cases=cases(), decision=Decision.GIVE_UP, user=ops)
    return plan.pk


def test_only_who_made_a_plan_begins_it_and_once(batch: Batch, ops: User) -> None:
    plan, _ = plan_bulk(project=batch.project, cases=cases(), decision=Decision.GIVE_UP, user=ops)
    with pytest.raises(DomainError, match="not-yours-to-decide"):
        begin_bulk(bulk=plan, user=a_user("deputy"))
    begin_bulk(bulk=plan, user=ops)
    with pytest.raises(DomainError, match="bulk-over"):
        begin_bulk(bulk=plan, user=ops)
    assert unfinished_bulks() == [plan.pk]
    assert run_bulk(bulk=plan).status == BulkStatus.DONE
    assert unfinished_bulks() == []
    tasks.run_bulk(plan.pk)  # a message that comes late changes nothing


def test_who_lost_the_role_begins_nothing(batch: Batch, ops: User) -> None:
    plan, _ = plan_bulk(project=batch.project, cases=cases(), decision=Decision.GIVE_UP, user=ops)
    Membership.objects.filter(user=ops).update(role=Role.VIEWER)
    with pytest.raises(DomainError, match="not-yours-to-decide"):
        begin_bulk(bulk=plan, user=ops)


def test_a_plan_remembers_what_it_leaves_out(batch: Batch, ops: User) -> None:
    decide_case(case=cases()[0], decision=Decision.GIVE_UP, user=ops)
    plan, _ = plan_bulk(project=batch.project, cases=cases(), decision=Decision.GIVE_UP, user=ops)
    plan.refresh_from_db()
    assert plan.excluded == [{"case": str(cases()[0].uuid), "why": "case-closed"}]


def test_a_plan_that_two_workers_take_is_carried_out_once(batch: Batch, ops: User) -> None:
    plan, _ = plan_bulk(project=batch.project, cases=cases(), decision=Decision.GIVE_UP, user=ops)
    begin_bulk(bulk=plan, user=ops)

    def work(_number: int) -> None:
        try:
            tasks.run_bulk(plan.pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(work, range(3)))
    plan.refresh_from_db()
    assert (plan.status, [one["outcome"] for one in plan.items]) == (BulkStatus.DONE, ["decided"] * 3)
    assert CaseEvent.objects.filter(kind="decided").count() == 3


def test_a_page_that_was_left_pauses_no_other_case(batch: Batch, ops: User) -> None:
    first, second, _ = cases()
    start_timing(case=first, user=ops)
    start_timing(case=second, user=ops)
    pause_timing(user=ops, case=first)  # the message of the first page comes late
    assert note_working(case=second, user=ops)
    pause_timing(user=ops, case=second)
    assert not TimeSpan.objects.filter(ended_at__isnull=True).exists()


def test_working_hours_of_many_projects(batch: Batch, ops: User) -> None:
    project, other = a_project(), a_project("other")
    Calendar.objects.create(project=other)
    found = hours_of_all([project, other])
    assert found == {project.pk: hours_of(project), other.pk: hours_of(other)}
    assert (found[project.pk].hours_a_day, found[other.pk].hours_a_day) == (24, 9)
    case = cases()[0]
    now = case.opened_at + timedelta(hours=1)
    assert percent_over(case, now, found[project.pk]) == percent_over(case, now)


def test_what_was_decided_otherwise_needs_no_answer(batch: Batch, ops: User) -> None:
    case = cases()[0]
    approval = propose(case=case, decision=Decision.ABSENT, user=ops)
    decide_case(case=case, decision=Decision.GIVE_UP, user=ops)
    approval.refresh_from_db()
    assert approval.status == "void"
    assert not waiting_for(a_user("deputy")).exists()


def test_an_adopted_object_keeps_the_address_where_it_was_seen(batch: Batch, ops: User) -> None:
    case = cases()[0]
    now = database_now()
    Observation.objects.create(
        project=case.project,
        action=case.action,
        verdict="absent",
        method="marker+likeness",
        complete=True,
        candidates=[
            {"result_id": "8117", "url": "https://cms.example/8117"},
            {"result_id": "8118", "url": None},
        ],
        looked_at=now,
        recorded_at=now,
    )
    decide_case(case=case, decision=Decision.ADOPT, user=ops, result_id="8117")
    decide_case(case=cases()[1], decision=Decision.ADOPT, user=ops, result_id="elsewhere")
    assert [one.action.result_url for one in cases()[:2]] == ["https://cms.example/8117", ""]
