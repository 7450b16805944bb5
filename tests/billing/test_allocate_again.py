"""What was shared and is no common cost any more: no task, no attempt and no bearer keeps anything of it."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.db.models import QuerySet

from billing.models import Bearer, Cause, CostEntry, SubBucket, SupplierLine
from billing.services.allocate import allocate
from billing.services.answer_line import Answer, answer_line
from billing.services.judge_cause import judge_cause
from billing.services.reverse_entry import reverse_entry
from billing.services.settle_fault import settle_fault
from billing.services.transfer_bearer import transfer_bearer
from once_delivery.accounts.models import Project, User
from once_delivery.ledger.models import Attempt, Receipt, Task
from once_delivery.targets.base import Outcome
from tests.billing.deliveries import at, decided, delivered, rework_of, sent, tasks_of
from tests.billing.suppliers.files import one
from tests.billing.suppliers.world import a_world, imported
from tests.billing.world import SEPTEMBER, a_keeper, by, posted

SPLITS = ("bearer", "cause", "task", "attempt")


def pulled(project: Project) -> None:
    """As a pull does: shared first, then each share borne by whose fault its attempt was."""
    allocate(project=project, month=SEPTEMBER, actor="pull", automatic=True)
    settle_fault(project=project, actor="pull", automatic=True)
    assert allocate(project=project, month=SEPTEMBER, actor="pull", automatic=True) == 0
    assert settle_fault(project=project, actor="pull", automatic=True) == 0


def four_sends(project: Project) -> list[Task]:
    """Of the last of three tasks two, of which the second is our fault."""
    tasks = tasks_of(project, ("kettle", 1), ("pan", 1), ("pot", 1))
    for task in tasks:
        delivered(task, at(3))
    decided(tasks[2], "rejected", at(4), reasons=["facts"])
    sent(rework_of(tasks[2]), at(5))
    return tasks


def shares(project: Project) -> QuerySet[CostEntry]:
    return CostEntry.objects.filter(
        project=project, kind="allocation_in", attempt__isnull=False, amount__gt=0
    ).order_by("attempt")


def assert_nothing_is_left(project: Project) -> None:
    assert {column: by(project, column) for column in SPLITS} == {column: {} for column in SPLITS}


def test_a_fee_that_is_taken_back_is_borne_by_nobody(project: Project, finance: User) -> None:
    four_sends(project)
    fee = posted(project, "100.00", sub_bucket=SubBucket.ORCHESTRATION)
    pulled(project)
    assert by(project, "bearer") == {"client": 75, "vendor": 25}
    reverse_entry(entry=fee, user=finance, words="billed to nobody")
    pulled(project)
    assert_nothing_is_left(project)
    posted(project, "50.00", sub_bucket=SubBucket.ORCHESTRATION)
    pulled(project)
    assert by(project, "bearer") == {"client": Decimal("37.50"), "vendor": Decimal("12.50")}


def test_who_bears_a_share_by_agreement_keeps_nothing_of_what_is_taken_back(
    project: Project, finance: User
) -> None:
    tasks = four_sends(project)
    fee = posted(project, "100.00", sub_bucket=SubBucket.ORCHESTRATION)
    pulled(project)
    transfer_bearer(entry=shares(project)[0], bearer=Bearer.VENDOR, user=finance, words="goodwill")
    of_a_task = CostEntry.objects.get(kind="allocation_in", attempt=None, task=tasks[1])
    transfer_bearer(entry=of_a_task, bearer=Bearer.PROVIDER, user=finance, words="they said so")
    assert by(project, "bearer") == {"client": 25, "vendor": 50, "provider": 25}
    sent(tasks[1].actions.get(), at(6))
    pulled(project)  # 20 of each send now, of which the agreed ones stay with whom they were given to
    assert by(project, "bearer", attempt__action__task=tasks[0]) == {"vendor": 20}
    reverse_entry(entry=fee, user=finance, words="billed to nobody")
    pulled(project)
    assert_nothing_is_left(project)


def test_a_share_that_grows_is_not_given_away_with_what_was(project: Project, finance: User) -> None:
    four_sends(project)
    posted(project, "100.00", sub_bucket=SubBucket.ORCHESTRATION)
    pulled(project)
    given = shares(project)[0]
    transfer_bearer(entry=given, bearer=Bearer.VENDOR, user=finance, words="goodwill")
    posted(project, "8.00", sub_bucket=SubBucket.ORCHESTRATION)
    pulled(project)
    assert by(project, "bearer", attempt=given.attempt) == {"client": 2, "vendor": 25}
    posted(project, "-28.00", kind="supplier_credit", sub_bucket=SubBucket.ORCHESTRATION)
    pulled(project)
    assert by(project, "bearer", attempt=given.attempt) == {"vendor": 20}


@pytest.fixture
def line(db: None) -> SupplierLine:
    """Of no attempt in particular, and shared out; one of the sends is our fault."""
    project, _ = a_world()
    keeper = a_keeper(project)
    four_sends(project)
    imported(project.suppliers.get(), one(amount="100.00", currency="CNY", sub_bucket="orchestration"))
    line = SupplierLine.objects.select_related("document__project").get()
    answer_line(project=project, line=line, answer=Answer.GENERAL, user=keeper)
    pulled(project)
    assert by(project, "bearer") == {"client": 75, "vendor": 25}
    return line


def test_a_general_line_that_is_one_attempts_after_all(line: SupplierLine) -> None:
    project = line.document.project
    assert project is not None
    attempt = Attempt.objects.earliest("pk")
    keeper = User.objects.get(username="finance")
    answer_line(project=project, line=line, answer=Answer.ATTEMPT, attempt=attempt, user=keeper)
    pulled(project)
    assert by(project, "attempt", "bearer") == {(attempt.pk, "client"): 100}


def test_a_general_line_that_is_judged_to_have_another_cause(line: SupplierLine) -> None:
    project = line.document.project
    assert project is not None
    keeper = User.objects.get(username="finance")
    judge_cause(project=project, about=line, cause=Cause.PROVIDER_FAULT, record="mail", user=keeper)
    pulled(project)
    assert by(project, "attempt", "bearer") == {(None, "provider"): 100}


def test_what_turns_out_not_to_have_been_sent_has_no_share(project: Project) -> None:
    first, second = tasks_of(project, ("kettle", 1), ("pan", 1))
    late = [sent(task.actions.get(), at(3), None) for task in (first, second)]
    posted(project, "10.00", sub_bucket=SubBucket.STORAGE)
    pulled(project)
    told = {"outcome": Outcome.NOT_SENT, "code": "test", "received_at": at(6)}
    for attempt, left in zip(late, ({(second.pk, late[1].pk): 10}, {(None, None): 10}), strict=True):
        Receipt.objects.create(project=project, attempt=attempt, action=attempt.action, **told)
        pulled(project)
        assert by(project, "task", "attempt") == left
