from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from billing import tasks
from billing.models import CostEntry, FxRate, PlatformFee, RateCard, Terms, UnitEntry
from billing.services.hold_period import hold_period
from billing.services.pull_costs import projects_with_books, pull_costs
from billing.services.pull_labour import pull_labour
from billing.services.pull_platform_fees import pull_platform_fees
from billing.tasks import pull_costs as task_that_pulls
from once_delivery.accounts.models import Membership, Project, Role
from once_delivery.targets.base import Outcome
from reconciliation.models import CaseKind, TimeSpan
from tests.billing.deliveries import accepted, at, confirmed, delivered, sent, tasks_of, worked_on
from tests.billing.world import OCTOBER, SEPTEMBER, a_keeper, a_project_with_books, by, close
from tests.builders import a_user


def a_rate_card(project: Project, hourly: str = "120", **changes: object) -> RateCard:
    values = {"hourly": Decimal(hourly), "currency": "CNY", "valid_from": SEPTEMBER} | changes
    return RateCard.objects.create(project=project, **values)


def a_fee(project: Project, amount: str, **changes: object) -> PlatformFee:
    values = {
        "code": "orchestration",
        "sub_bucket": "orchestration",
        "per": "attempt",
        "amount": Decimal(amount),
        "currency": "CNY",
        "valid_from": SEPTEMBER,
    } | changes
    return PlatformFee.objects.create(project=project, **values)


def test_measured_time_is_priced_by_the_rate_of_its_day_and_role(project: Project) -> None:
    (task,) = tasks_of(project, ("kettle", 1))
    a_rate_card(project)
    a_rate_card(project, "240", valid_from=date(2026, 9, 10))
    a_rate_card(project, "60", role=Role.FINANCE)
    case = worked_on(task, CaseKind.UNCERTAIN, at(4), 30)
    worked_on(task, CaseKind.STUCK, at(12), 1 / 3)
    TimeSpan.objects.create(
        project=project,
        case=case,
        user=a_keeper(project),
        began_at=at(5),
        seen_at=at(5, 9),
        ended_at=at(5, 9),
    )
    TimeSpan.objects.create(
        project=project, case=case, user=a_user("deputy"), began_at=at(6), seen_at=at(6, 9)
    )
    assert pull_labour(project=project).posted == 3  # one runs still
    assert pull_labour(project=project).posted == 0
    entries = list(CostEntry.objects.order_by("seq"))
    assert [str(entry.amount.quantize(Decimal("0.01"))) for entry in entries] == ["60.00", "1.33", "60.00"]
    assert entries[0].details | {"rate_card": 0} == {
        "person": "ops",
        "minutes": "30.00",
        "hourly": "120.000000",
        "rate_card": 0,
    }
    assert (entries[0].case_id, entries[0].task_id, entries[0].bucket) == (case.pk, task.pk, "R")
    assert {entry.bearer for entry in entries} == {"vendor"}


def test_time_without_a_rate_is_unknown_until_there_is_one(project: Project) -> None:
    (task,) = tasks_of(project, ("kettle", 1))
    worked_on(task, CaseKind.UNCERTAIN, at(4), 30)
    assert pull_labour(project=project).unpriced == 1
    a_rate_card(project, "20", currency="USD")
    assert pull_labour(project=project).unpriced == 1  # and no exchange rate
    FxRate.objects.create(
        project=project, currency="USD", into="CNY", day=date(2026, 9, 2), rate=Decimal(7), source="bank"
    )
    assert pull_labour(project=project).posted == 1
    assert by(project, "native_currency") == {"USD": Decimal("70.00")}


def test_fees_for_a_send_and_for_a_month(project: Project) -> None:
    (task,) = tasks_of(project, ("kettle", 1))
    action = task.actions.get()
    lost = sent(action, at(3), Outcome.UNKNOWN)
    confirmed(action, sent(action, at(12)))
    sent(action, at(13), Outcome.NOT_SENT)
    a_fee(project, "1.50")
    a_fee(project, "2.00", valid_from=date(2026, 9, 10))
    a_fee(
        project, "100.00", code="platform", sub_bucket="platform", per="month", valid_until=date(2026, 9, 30)
    )
    Terms.objects.create(
        project=project, number=2, valid_from=SEPTEMBER, currency="CNY", platform_fee_bearer="vendor"
    )
    assert pull_platform_fees(project=project).posted == 3
    assert pull_platform_fees(project=project).posted == 0
    assert by(project, "attempt", "sub_bucket", "bearer") == {
        (lost.pk, "orchestration", "vendor"): Decimal("1.50"),
        (lost.pk + 1, "orchestration", "client"): Decimal("2.00"),
        (None, "platform", "vendor"): Decimal("100.00"),
    }


def test_pulls_pass_over_months_on_hold_and_closed_ones(project: Project) -> None:
    (task,) = tasks_of(project, ("kettle", 1))
    a_rate_card(project)
    a_fee(project, "1.50")
    finance = a_keeper(project)
    hold_period(project=project, month=SEPTEMBER, user=finance)
    delivered(task, at(3))
    worked_on(task, CaseKind.UNCERTAIN, at(4), 30)
    assert pull_costs(project=project) == {}
    assert not CostEntry.objects.exists()
    close(project, SEPTEMBER)
    pull_costs(project=project)
    late = (
        CostEntry.objects.get()
    )  # time that was measured; what a closed month's sends cost was known at its close
    assert (late.kind, late.posted_period, late.correction) == ("labour", OCTOBER, True)


def test_everything_is_pulled_for_every_project_and_twice_adds_nothing(project: Project) -> None:
    (task,) = tasks_of(project, ("kettle", 1))
    a_rate_card(project)
    a_fee(project, "1.50")
    a_fee(project, "9.00", code="platform", sub_bucket="platform", per="month")
    delivered(task, at(3))
    worked_on(task, CaseKind.UNCERTAIN, at(4), 30)
    accepted(task, at(8))
    a_project_with_books("borealis")
    assert projects_with_books().count() == 2
    task_that_pulls()
    pull_costs(project=project, allocate_now=True)
    before = CostEntry.objects.count(), UnitEntry.objects.count()
    sums = by(project, "bucket", origin_period=SEPTEMBER)
    assert sums == {"P": Decimal("10.50"), "R": Decimal("60.00")}
    assert by(project, "task", origin_period=SEPTEMBER) == {task.pk: Decimal("70.50")}
    assert pull_costs(project=project, allocate_now=True) == {}
    assert (CostEntry.objects.count(), UnitEntry.objects.count()) == before
    assert Membership.objects.filter(project=project).exists()


def test_what_is_wrong_with_one_project_leaves_the_others_pulled(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    borealis = a_project_with_books("borealis")
    a_fee(borealis, "9.00", code="platform", sub_bucket="platform", per="month")

    def wrong_for_the_first(*, project: Project) -> dict[str, str]:
        if project.code == "aurora":
            raise ZeroDivisionError
        return pull_costs(project=project)

    monkeypatch.setattr(tasks, "pull_costs_service", wrong_for_the_first)
    task_that_pulls()
    assert CostEntry.objects.filter(project=borealis).exists()
