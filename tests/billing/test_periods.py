from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.db import connection

from billing.gates import gates_of
from billing.models import (
    Bearer,
    Books,
    Cause,
    CostEntry,
    DocumentKind,
    LineMatch,
    LineStatus,
    Period,
    Supplier,
    SupplierDocument,
    SupplierLine,
    Usage,
)
from billing.months import day_at, month_of
from billing.people import NotFinanceError
from billing.refusals import PostingRefusedError
from billing.services.accrue import accrue
from billing.services.allocate import allocate
from billing.services.close_period import GatesNotPassedError, close_period
from billing.services.hold_period import NoSuchPeriodError, PeriodArrowError, hold_period
from billing.services.lift_hold import lift_hold
from billing.services.post_entries import post_entries
from billing.services.verify_costs import verify_costs
from once_delivery.accounts.models import Project, User
from once_delivery.ledger.clock import database_now
from once_delivery.targets.base import Outcome
from reconciliation.models import CaseKind
from tests.billing.deliveries import at, delivered, tasks_of, worked_on
from tests.billing.world import NOVEMBER, OCTOBER, SEPTEMBER, a_cost, posted


def closed(project: Project, month: date, user: User) -> Period:
    hold_period(project=project, month=month, user=user)
    return close_period(project=project, month=month, user=user)


def shut(project: Project, month: date = SEPTEMBER) -> dict[str, Decimal]:
    """The gates that are not passed, with their number."""
    return {gate.code: gate.n for gate in gates_of(project, month) if not gate.passed}


def test_a_month_is_held_closed_and_never_opened_again(project: Project, finance: User) -> None:
    posted(project, "100.00", sub_bucket="other", cause=Cause.CLIENT_CHANGE)
    with pytest.raises(PeriodArrowError):
        close_period(project=project, month=SEPTEMBER, user=finance)
    hold_period(project=project, month=SEPTEMBER, user=finance)
    lift_hold(project=project, month=SEPTEMBER, user=finance)
    period = closed(project, SEPTEMBER, finance)
    last = CostEntry.objects.get()
    assert period.certificate["posted"]["cost"] == "100.000000"
    assert period.certificate["posted"]["by_bearer"] == {"client": "100.000000"}
    assert period.certificate["heads"]["costs"] == {"seq": 1, "hash": last.hash}
    assert all(gate["passed"] for gate in period.certificate["gates"])
    for act in (hold_period, lift_hold, close_period):
        with pytest.raises(PeriodArrowError):
            act(project=project, month=SEPTEMBER, user=finance)
    with pytest.raises(PostingRefusedError) as refused:
        post_entries(entries=[a_cost(project, posted=SEPTEMBER)], actor="finance")
    assert refused.value.code == "period-closed"


def test_finance_alone_closes_and_only_a_month_that_there_is(project: Project, finance: User) -> None:
    for act in (hold_period, lift_hold, close_period):
        with pytest.raises(NotFinanceError):
            act(project=project, month=SEPTEMBER, user=project.default_owner)
        with pytest.raises(NoSuchPeriodError):
            act(project=project, month=date(2025, 1, 1), user=finance)


def test_months_are_closed_in_their_order(project: Project, finance: User) -> None:
    hold_period(project=project, month=OCTOBER, user=finance)
    with pytest.raises(GatesNotPassedError) as refused:
        close_period(project=project, month=OCTOBER, user=finance)
    assert [gate.code for gate in refused.value.gates] == ["earlier-months"]
    assert "earlier-months" in refused.value.message
    closed(project, SEPTEMBER, finance)
    assert close_period(project=project, month=OCTOBER, user=finance).status == "closed"


def test_undetermined_costs_stay_under_the_limit(project: Project) -> None:
    posted(project, "9.00", cause=Cause.UNDETERMINED, bearer=Bearer.UNDETERMINED)
    assert shut(project) == {"undetermined": Decimal("9.00")}
    Books.objects.update(undetermined_limit=Decimal("9.00"))
    assert shut(project) == {}


def test_common_costs_are_shared_out_before_the_close(project: Project) -> None:
    posted(project, "9.00")
    assert shut(project) == {}  # nothing was sent: it stays unallocated
    delivered(tasks_of(project, ("kettle", 1))[0], at(3))
    assert shut(project) == {"allocations": 1}
    assert allocate(project=project, month=SEPTEMBER, actor="finance") == 4
    assert allocate(project=project, month=SEPTEMBER, actor="finance") == 0
    assert shut(project) == {}


def test_an_organisations_document_is_shared_before_the_close(project: Project) -> None:
    supplier = Supplier.objects.create(project=None, code="platform", name="Platform", sub_bucket="platform")
    a_document(supplier, None)
    assert shut(project) == {"allocations": 1}


def test_time_and_usage_without_a_price_are_unknown_and_keep_the_month_open(project: Project) -> None:
    (task,) = tasks_of(project, ("kettle", 1))
    worked_on(task, CaseKind.UNCERTAIN, at(4), 10)
    attempt = delivered(task, at(3))
    Usage.objects.create(
        project=project, task=task, attempt=attempt, source_key="receipt:1", provider="fal", used_at=at(3)
    )
    assert shut(project) == {"prices": 2}


def a_document(supplier: Supplier, project: Project | None, total: str = "10.00") -> SupplierDocument:
    return SupplierDocument.objects.create(
        project=project,
        supplier=supplier,
        kind=DocumentKind.BILLING_EVENTS if project else DocumentKind.INVOICE,
        number="INV-1",
        dated=date(2026, 9, 30),
        period=SEPTEMBER,
        currency="CNY",
        total=Decimal(total),
        functional_total=Decimal(total),
        file_name="bill.csv",
        file_sha256="0" * 64,
        raw=b"",
    )


def test_a_line_that_nobody_answers_needs_an_owner(project: Project, finance: User) -> None:
    supplier = Supplier.objects.create(project=project, code="fal", name="fal")
    line = SupplierLine.objects.create(
        document=a_document(supplier, project),
        number=1,
        key="1",
        used_on=SEPTEMBER,
        amount=Decimal(10),
        functional_amount=Decimal(10),
        sub_bucket="generation",
    )
    LineMatch.objects.create(line=line, project=project, status=LineStatus.ORPHAN)
    assert shut(project) == {"unmatched": 1}
    LineMatch.objects.update(owner=finance)
    assert shut(project) == {}


def test_a_supplier_that_was_used_sends_a_bill_or_is_estimated(project: Project, finance: User) -> None:
    supplier = Supplier.objects.create(project=project, code="fal", name="fal")
    (task,) = tasks_of(project, ("kettle", 1))
    attempt = delivered(task, at(3))
    usage = Usage.objects.create(
        project=project, task=task, attempt=attempt, source_key="receipt:1", provider="fal", used_at=at(3)
    )
    assert shut(project) == {"documents": 1, "prices": 1}
    accrue(
        project=project,
        user=finance,
        used_on=SEPTEMBER,
        sub_bucket="generation",  # type: ignore[arg-type]
        amount=Decimal(5),
        currency="CNY",
        words="finance expects it",
        supplier=supplier,
        attempt=attempt,
    )
    assert shut(project) == {"prices": 1}
    Usage.objects.filter(pk=usage.pk).update(priced=True)
    assert shut(project) == {}


def test_an_uncertain_job_is_resolved_or_estimated(project: Project, finance: User) -> None:
    from tests.billing.deliveries import uncertain_job

    (task,) = tasks_of(project, ("kettle", 1))
    attempt = uncertain_job(task, at(3))
    assert attempt.receipts.get().outcome == Outcome.UNKNOWN
    assert shut(project) == {"uncertain": 1}
    posted(
        project,
        "5.00",
        kind="accrual",
        cause=Cause.UNDETERMINED,
        bearer=Bearer.UNDETERMINED,
        task_id=task.pk,
        attempt_id=attempt.pk,
    )
    assert shut(project) == {"undetermined": Decimal("5.00")}


def test_what_was_changed_behind_its_back_is_told(project: Project, finance: User) -> None:
    posted(project, "1.00", cause=Cause.CLIENT_CHANGE)
    second = posted(project, "2.00", cause=Cause.CLIENT_CHANGE)
    closed(project, SEPTEMBER, finance)
    call_command("verify_costs", project.code)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE billing_costentry DISABLE TRIGGER once_append_only")
        cursor.execute("UPDATE billing_costentry SET amount = 3 WHERE id = %s", [second.pk])
        cursor.execute("ALTER TABLE billing_costentry ENABLE TRIGGER once_append_only")
    assert verify_costs(project=project).broken == ("costs:2", "sums:2026-09", "certificate:2026-09")
    with pytest.raises(SystemExit):
        call_command("verify_costs")


@pytest.mark.parametrize(
    "wrong",
    [
        "UPDATE billing_costsum SET amount = amount + 1",
        "UPDATE billing_costsum SET entries = entries + 1",
        "DELETE FROM billing_costsum",
        (
            "INSERT INTO billing_unitsum (project_id, posted_period, origin_period, sign, entries)"
            " SELECT project_id, posted_period, origin_period, 1, 1 FROM billing_costsum LIMIT 1"
        ),
    ],
)
def test_sums_that_are_not_what_the_entries_come_to_are_told(project: Project, wrong: str) -> None:
    posted(project, "1.00", cause=Cause.CLIENT_CHANGE)
    assert verify_costs(project=project).broken == ()
    with connection.cursor() as cursor:
        cursor.execute(wrong)
    assert verify_costs(project=project).broken == ("sums:2026-09",)


def test_late_costs_go_to_the_next_open_month(project: Project, finance: User) -> None:
    closed(project, SEPTEMBER, finance)
    hold_period(project=project, month=OCTOBER, user=finance)
    assert posted(project).posted_period == NOVEMBER


def test_a_month_that_is_not_over_is_not_closed(project: Project) -> None:
    this = month_of(day_at(project, database_now()))
    assert "over" in shut(project, this)
    assert "over" not in shut(project, SEPTEMBER)
