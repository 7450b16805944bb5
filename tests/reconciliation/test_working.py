"""Work on cases: clocks, approvals, handing over, time, many at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from once_delivery.accounts.models import Membership, Role, User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Batch, Observation
from once_delivery.ledger.requests import ActionRequest
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.ledger.states import State
from once_delivery.notices.models import Event, Message
from once_delivery.targets.base import Kind
from reconciliation.case_clock import percent_over
from reconciliation.decisions import Decision, Needs, needs_of, possible
from reconciliation.models import (
    Approval,
    ApprovalStatus,
    BulkStatus,
    Calendar,
    Case,
    CaseEvent,
    CaseStatus,
    TimeSpan,
)
from reconciliation.services.approvals import answer, propose
from reconciliation.services.decide_case import decide_case
from reconciliation.services.decide_many import cancel_bulk, plan_bulk, run_bulk
from reconciliation.services.measure_time import (
    SILENT_AFTER,
    end_silent_spans,
    note_working,
    pause_timing,
    seconds_on,
    start_timing,
)
from reconciliation.services.open_cases import open_cases
from reconciliation.services.tell_times import tell_times
from reconciliation.services.work_on_case import comment, hand_over, look_again, snooze, undo
from tests.builders import a_batch, a_delivery, a_draft, a_project, a_target, a_user, actions_of
from tests.fakes.connector import FakeTarget, answer_lost, refused

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ops() -> User:
    user = a_user("ops")
    User.objects.filter(pk=user.pk).update(email="ops@example.com", language="en")
    return User.objects.get(pk=user.pk)


@pytest.fixture
def batch(fake: FakeTarget, ops: User) -> Batch:
    """Three answers lost at a target that cannot be asked."""
    fake.scripted = [answer_lost] * 3
    project = a_project()
    a_target(project, guard="none", look_up=False)
    batch = a_batch(project, *(a_delivery(product) for product in ("kettle", "lamp", "mug")))
    resume_batch(batch=batch)
    open_cases()
    return batch


@pytest.fixture
def case(batch: Batch) -> Case:
    return Case.objects.order_by("pk")[0]


def again(case: Case) -> Case:
    return Case.objects.select_related("project", "action").get(pk=case.pk)


def member(name: str, role: Role) -> User:
    user = a_user(name)
    Membership.objects.create(project=a_project(), user=user, role=role)
    return user


def told() -> list[tuple[str, str]]:
    return list(Message.objects.order_by("pk").values_list("event", "address"))


def events(case: Case) -> list[str]:
    return list(CaseEvent.objects.filter(case=case).order_by("pk").values_list("kind", flat=True))


def test_opening_tells_the_owner(case: Case) -> None:
    assert told() == [(Event.CASE_OPENED, "ops@example.com")] * 3
    message = Message.objects.order_by("pk")[0]
    assert message.subject == "A case waits for you: kettle › de-DE › product-page › v1"
    assert events(case) == ["opened"]
    open_cases()
    assert len(told()) == 3


def test_it_is_due_in_working_time(fake: FakeTarget, ops: User) -> None:
    project = a_project()
    Calendar.objects.create(project=project, days=[], holidays=["2026-10-01"])
    Calendar.objects.filter(project=project).update(days=list(range(7)))
    fake.scripted = [answer_lost]
    a_target(project, guard="none", look_up=False)
    batch = a_batch(project)
    resume_batch(batch=batch)
    open_cases()
    case = Case.objects.get()
    # eight hours of a nine-hour day: never on the same day but when opened in its first hour
    assert timedelta(hours=8) <= case.due_at - case.opened_at <= timedelta(hours=24)
    assert percent_over(case, case.opened_at) == 0
    assert percent_over(case, case.due_at) == 100


def grown_old(case: Case, percent: float) -> None:
    now = database_now()
    whole = timedelta(hours=case.project.case_hours)
    Case.objects.filter(pk=case.pk).update(
        opened_at=now - whole * percent / 100, due_at=now + whole * (100 - percent) / 100
    )


def test_half_four_fifths_and_all_of_the_time_are_told_once(case: Case) -> None:
    Message.objects.all().delete()
    for percent, expected in ((49, 0), (51, 1), (60, 0), (81, 1), (99, 0), (101, 1), (150, 0)):
        grown_old(case, percent)
        assert tell_times() == expected, percent
    assert told() == [
        (Event.CASE_HALF, "ops@example.com"),
        (Event.CASE_MOST, "ops@example.com"),
        (Event.CASE_OVERDUE, "ops@example.com"),
    ]


def test_after_a_day_without_a_sweep_it_is_overdue_and_not_half_over(case: Case) -> None:
    Message.objects.all().delete()
    grown_old(case, 300)
    tell_times()
    assert [event for event, _ in told()] == [Event.CASE_OVERDUE]


def test_the_clock_stands_while_the_client_is_waited_for(fake: FakeTarget, ops: User) -> None:
    """A second job may cost a second time: the client's to decide."""
    fake.scripted = [answer_lost]
    project = a_project()
    a_target(project, guard="none", look_up=False)
    job = ActionRequest(target="cms", kind=Kind.START_JOB, slot="video", payload={"prompt": "a kettle"})
    resume_batch(batch=a_batch(project, a_delivery(actions=(job,))))
    open_cases()
    case = Case.objects.get()
    client = member("client", Role.CLIENT_APPROVER)
    assert needs_of(again(case), Decision.ABSENT) == Needs.CLIENT
    approval = propose(case=case, decision=Decision.ABSENT, user=ops, words="Paid twice at worst.")
    assert approval.by_client
    paused = again(case)
    assert paused.paused_at is not None
    grown_old(case, 300)
    assert tell_times() == 0
    # two hours later the client says no
    due = again(case).due_at
    Case.objects.filter(pk=case.pk).update(paused_at=database_now() - timedelta(hours=2))
    for other in (ops, a_user("deputy")):
        with pytest.raises(DomainError, match="not-yours-to-approve"):
            answer(approval=approval, user=other, agree=True)
    answer(approval=approval, user=client, agree=False, words="Not at our cost.")
    after = again(case)
    assert (after.status, after.paused_at, after.action.state) == (CaseStatus.OPEN, None, State.RECONCILE)
    assert abs(after.due_at - due - timedelta(hours=2)) < timedelta(seconds=10)
    assert events(case)[-2:] == ["asked", "denied"]


def test_an_approval_is_void_when_the_case_changed(case: Case, ops: User, fake: FakeTarget) -> None:
    approval = propose(case=case, decision=Decision.ABSENT, user=ops)
    now = database_now()
    Observation.objects.create(
        project=case.project,
        action=case.action,
        verdict="found",
        method="m",
        complete=True,
        looked_at=now,
        recorded_at=now,
    )
    with pytest.raises(DomainError, match="approval-over"):
        answer(approval=approval, user=a_user("deputy"), agree=True)
    approval.refresh_from_db()
    assert (approval.status, again(case).action.state, len(fake.creates)) == (
        ApprovalStatus.VOID,
        State.RECONCILE,
        3,
    )
    # and a new one may be asked for
    answer(approval=propose(case=case, decision=Decision.ABSENT, user=ops), user=a_user("deputy"), agree=True)
    assert again(case).status == CaseStatus.RESOLVED


def test_one_question_at_a_time_and_none_without_need(case: Case, ops: User) -> None:
    propose(case=case, decision=Decision.ABSENT, user=ops)
    with pytest.raises(DomainError, match="approval-asked"):
        propose(case=case, decision=Decision.ABSENT, user=ops)
    with pytest.raises(DomainError, match="nothing-to-approve"):
        propose(case=Case.objects.order_by("pk")[1], decision=Decision.GIVE_UP, user=ops)


def test_two_answers_at_once(case: Case, ops: User, fake: FakeTarget) -> None:
    approval = propose(case=case, decision=Decision.ABSENT, user=ops)
    others = [a_user("deputy"), member("third", Role.OPS_OWNER), member("fourth", Role.ADMIN)]

    def say(user: User) -> str:
        try:
            answer(approval=Approval.objects.get(pk=approval.pk), user=user, agree=True)
        except DomainError as error:
            return error.code
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(3) as pool:
        said = sorted(pool.map(say, others))
    assert said.count("done") == 1
    assert set(said) <= {"done", "approval-over", "case-closed"}
    assert again(case).action.state == State.PLANNED


def test_the_database_refuses_approving_ones_own(case: Case, ops: User) -> None:
    approval = propose(case=case, decision=Decision.ABSENT, user=ops)
    with pytest.raises(IntegrityError), transaction.atomic():
        Approval.objects.filter(pk=approval.pk).update(answered_by=ops)


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


def later() -> datetime:
    return database_now() + timedelta(hours=3)


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


def test_looking_again_is_asked_for(case: Case, ops: User) -> None:
    look_again(case=case, user=ops)
    assert (again(case).action.next_step, events(case)[-1]) == ("look_up", "looked")


def test_time_is_measured_where_a_person_works(case: Case, ops: User) -> None:
    start_timing(case=case, user=ops)
    assert start_timing(case=case, user=ops).pk == TimeSpan.objects.get().pk  # a second tab
    TimeSpan.objects.update(began_at=database_now() - timedelta(minutes=2))
    assert note_working(case=case, user=ops)
    pause_timing(user=ops)
    assert 119 <= seconds_on(case) <= 122
    assert not note_working(case=case, user=ops)
    other = Case.objects.order_by("pk")[1]
    start_timing(case=case, user=ops)
    start_timing(case=other, user=ops)
    assert TimeSpan.objects.filter(ended_at__isnull=True).get().case == other
    with pytest.raises(DomainError, match="not-yours-to-decide"):
        start_timing(case=case, user=member("vera", Role.VIEWER))


def test_a_browser_that_died_counts_until_it_was_seen(case: Case, ops: User) -> None:
    start_timing(case=case, user=ops)
    now = database_now()
    TimeSpan.objects.update(began_at=now - timedelta(hours=3), seen_at=now - timedelta(hours=2))
    assert end_silent_spans() == 1
    assert seconds_on(case) == 3600
    start_timing(case=case, user=ops)
    TimeSpan.objects.filter(ended_at__isnull=True).update(
        began_at=now - SILENT_AFTER * 2, seen_at=now - SILENT_AFTER * 2
    )
    assert not note_working(case=case, user=ops)
    assert seconds_on(case) == 3600


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


def test_from_the_command_line(case: Case, ops: User) -> None:
    def run(*arguments: str) -> str:
        out = StringIO()
        call_command("cases", *arguments, stdout=out)
        return out.getvalue()

    uuid = str(case.uuid)
    with pytest.raises(CommandError, match="approval-needed"):
        run("--decide", uuid, "--as", "absent", "--user", "ops")
    run("--decide", uuid, "--as", "absent", "--user", "ops", "--propose", "--words", "It is not there.")
    with pytest.raises(CommandError, match="not-yours-to-approve"):
        run("--approve", uuid, "--user", "ops")
    run("--approve", uuid, "--user", "deputy")
    assert again(case).status == CaseStatus.RESOLVED
    with pytest.raises(CommandError, match="Nothing is proposed"):
        run("--approve", uuid, "--user", "deputy")
