from __future__ import annotations

from decimal import Decimal

import pytest
from django.db import transaction

from billing.models import (
    Bearer,
    Cause,
    CostEntry,
    EntryKind,
    Judgement,
    SubBucket,
    Supplier,
    SupplierLine,
    Terms,
)
from billing.refusals import PostingRefusedError
from billing.services.give_up_claim import give_up_claim
from billing.services.hold_period import hold_period
from billing.services.judge_cause import RecordNeededError, judge_cause
from billing.services.post_entries import post_entries
from billing.services.release_accrual import releases
from billing.services.settle_fault import settle_fault
from billing.services.transfer_bearer import transfer_bearer
from billing.two_people import SecondPersonNeededError
from once_delivery.accounts.models import Project, User
from once_delivery.ledger.models import Attempt, Task
from once_delivery.targets.base import Outcome
from tests.billing.deliveries import (
    at,
    confirmed,
    decided,
    delivered,
    rework_of,
    sent,
    tasks_of,
    uncertain_job,
)
from tests.billing.test_periods import a_document
from tests.billing.world import (
    NOVEMBER,
    OCTOBER,
    SEPTEMBER,
    a_keeper,
    a_project_with_books,
    by,
    close,
    posted,
)


@pytest.fixture
def task(project: Project) -> Task:
    return tasks_of(project, ("kettle", 1))[0]


def charged(attempt: Attempt, amount: str = "10.00", **changes: object) -> CostEntry:
    place = {"task_id": attempt.action.task_id, "attempt_id": attempt.pk}
    return posted(attempt.project, amount, **place | changes)


def settled(project: Project) -> int:
    return settle_fault(project=project, actor="finance")


def test_a_time_out_that_was_sent_again_is_the_vendors_until_the_provider_credits(task: Task) -> None:
    """Section 16: time-out 10 + resend 10 accepted; refund 10 next month."""
    action = task.actions.get()
    lost = sent(action, at(3), Outcome.UNKNOWN)
    again = sent(action, at(4))
    confirmed(action, again)
    charged(lost)
    charged(again)
    settled(task.project)
    assert by(task.project, "bearer", posted_period=SEPTEMBER) == {"client": 10, "vendor": 10}
    close(task.project, SEPTEMBER)
    charged(
        lost,
        "-10.00",
        kind=EntryKind.SUPPLIER_CREDIT,
        cause=Cause.PLATFORM_RETRY,
        bearer=Bearer.VENDOR,
    )
    assert settled(task.project) == 0
    assert by(task.project, "posted_period") == {SEPTEMBER: 20, OCTOBER: -10}
    assert by(task.project, "origin_period", "bearer") == {(SEPTEMBER, "client"): 10}


def test_who_bears_a_resend_is_settled_by_the_providers_line_alone(task: Task) -> None:
    action = task.actions.get()
    lost = sent(action, at(3), Outcome.UNKNOWN)
    confirmed(action, sent(action, at(4)))
    accrual = charged(lost, kind=EntryKind.ACCRUAL, grade="D")
    settled(task.project)
    assert by(task.project, "cause", "bearer") == {("platform_retry", "undetermined"): 10}
    post_entries(entries=releases([accrual]), actor="import")
    charged(lost, "11.00")
    settled(task.project)
    assert by(task.project, "cause", "bearer") == {("platform_retry", "vendor"): 11}


def test_rework_of_our_fault_is_in_the_cost_and_never_the_clients_nor_a_new_request(task: Task) -> None:
    first = delivered(task, at(3))
    decided(task, "rejected", at(4), reasons=["language"])
    action = rework_of(task)
    second = sent(action, at(5))
    confirmed(action, second)
    Terms.objects.create(
        project=task.project,
        number=2,
        valid_from=SEPTEMBER,
        currency="CNY",
        bearers={"vendor_fault": "client"},
    )
    charged(first)
    charged(second)
    settled(task.project)
    assert by(task.project, "attempt", "cause", "bearer") == {
        (first.pk, "normal", "client"): 10,
        (second.pk, "vendor_fault", "vendor"): 10,
    }
    assert Task.objects.filter(project=task.project).count() == 1
    assert settled(task.project) == 0


def test_an_uncertain_job_is_undetermined_until_its_outcome_is_known(task: Task, finance: User) -> None:
    attempt = uncertain_job(task, at(3))
    charged(attempt, kind=EntryKind.ACCRUAL)
    charged(attempt, "1.50", sub_bucket=SubBucket.ORCHESTRATION)
    charged(attempt, "9.00", sub_bucket=SubBucket.PLATFORM)  # the fixed fee stays whose it is
    settled(task.project)
    assert by(task.project, "bearer") == {"client": 9, "undetermined": Decimal("11.50")}
    judge_cause(
        project=task.project,
        about=attempt,
        cause=Cause.CLIENT_CANCEL,
        record="the client's mail of 4 September",
        user=finance,
    )
    assert by(task.project, "bearer", "cause") == {
        ("client", "normal"): 9,
        ("client", "client_cancel"): Decimal("11.50"),
    }


def test_what_is_decided_after_the_close_is_a_correction_of_the_next_month(task: Task) -> None:
    attempt = uncertain_job(task, at(3))
    charged(attempt)
    settled(task.project)
    for month in (SEPTEMBER, OCTOBER):
        close(task.project, month)
    action = attempt.action
    action.refresh_from_db()
    confirmed(action, attempt)
    assert settled(task.project) == 2
    assert by(task.project, "posted_period", "bearer") == {
        (SEPTEMBER, "undetermined"): 10,
        (NOVEMBER, "undetermined"): -10,
        (NOVEMBER, "client"): 10,
    }
    assert by(task.project, "origin_period", "bearer") == {(SEPTEMBER, "client"): 10}


def test_a_later_judgement_takes_the_place_of_an_earlier_one(task: Task, finance: User) -> None:
    charged(delivered(task, at(3)))
    for cause in (Cause.VENDOR_FAULT, Cause.CLIENT_CHANGE):
        judge_cause(project=task.project, about=task, cause=cause, record="minutes", user=finance)
    assert by(task.project, "cause", "bearer") == {("client_change", "client"): 10}
    newest = CostEntry.objects.latest("seq")
    assert newest.corrects is not None
    assert newest.corrects.cause == "vendor_fault"
    assert Judgement.objects.count() == 2


def test_a_judgement_needs_a_record_and_much_money_two_people(task: Task, finance: User) -> None:
    charged(delivered(task, at(3)), "1000.01")
    with pytest.raises(RecordNeededError):
        judge_cause(project=task.project, about=task, cause=Cause.NORMAL, record=" ", user=finance)
    with pytest.raises(SecondPersonNeededError):
        judge_cause(project=task.project, about=task, cause=Cause.VENDOR_FAULT, record="mail", user=finance)
    other = a_project_with_books("borealis")
    a_keeper(other)
    with pytest.raises(PostingRefusedError, match="other-project"):
        judge_cause(project=other, about=task, cause=Cause.VENDOR_FAULT, record="mail", user=finance)


def test_what_a_person_transferred_stays_while_the_cause_does(task: Task, finance: User) -> None:
    entry = charged(delivered(task, at(3)))
    transfer_bearer(entry=entry, bearer=Bearer.VENDOR, user=finance, words="goodwill")
    assert settled(task.project) == 0
    judge_cause(project=task.project, about=task, cause=Cause.CLIENT_CHANGE, record="mail", user=finance)
    assert by(task.project, "cause", "bearer") == {("client_change", "client"): 10}


def test_a_claim_that_was_given_up_is_not_claimed_again(task: Task, finance: User) -> None:
    action = task.actions.get()
    failed = sent(action, at(3), Outcome.REFUSED)
    confirmed(action, sent(action, at(4)))
    charged(failed)
    settled(task.project)
    claim = CostEntry.objects.get(bearer="provider")
    give_up_claim(entry=claim, user=finance, words="they refuse")
    assert settled(task.project) == 0
    assert by(task.project, "bearer") == {"vendor": 10}


def test_a_pull_leaves_a_month_on_hold_alone_and_finance_does_not(task: Task, finance: User) -> None:
    action = task.actions.get()
    lost = sent(action, at(3), Outcome.UNKNOWN)
    confirmed(action, sent(action, at(4)))
    hold_period(project=task.project, month=SEPTEMBER, user=finance)
    charged(lost)
    assert settle_fault(project=task.project, actor="pull", automatic=True) == 0
    assert settled(task.project) == 2


def test_a_decision_about_one_task_leaves_the_lines_of_others_to_the_pull(
    project: Project, finance: User
) -> None:
    first, second = tasks_of(project, ("kettle", 1), ("pan", 1))
    supplier = Supplier.objects.create(project=project, code="fal", name="fal")
    document = a_document(supplier, project, "20.00")
    lines = []
    for number, task in enumerate((first, second), 1):
        amounts = {"amount": Decimal(10), "functional_amount": Decimal(10)}
        line = SupplierLine.objects.create(
            document=document, number=number, key=str(number), used_on=SEPTEMBER, **amounts
        )
        lines.append((line, delivered(task, at(3))))
    with transaction.atomic():
        for line, attempt in lines:
            charged(attempt, document_id=document.pk, supplier_line_id=line.pk)
            Judgement.objects.create(
                project=project, line=line, cause=Cause.PROVIDER_FAULT, record="mail", decided_by=finance
            )
    judge_cause(project=project, about=first, cause=Cause.VENDOR_FAULT, record="mail", user=finance)
    assert by(project, "task", "bearer") == {(first.pk, "provider"): 10, (second.pk, "client"): 10}
    settled(project)
    assert by(project, "bearer") == {"provider": 20}
