"""What happens around a hold is in the accounts before the month is closed, and while it lasts."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

import pytest

from billing.gates import gates_of
from billing.models import CostEntry, Period, Usage
from billing.refusals import PostingRefusedError
from billing.services import pull_costs as pulling
from billing.services.close_period import GatesNotPassedError, close_period
from billing.services.hold_period import NotAllPulledError, hold_period
from billing.services.lift_hold import lift_hold
from billing.services.pull_costs import pull_costs
from once_delivery.accounts.models import Project, User
from tests.billing.deliveries import accepted, at, delivered, tasks_of
from tests.billing.suppliers.world import used
from tests.billing.test_pulls import a_fee
from tests.billing.world import NOVEMBER, OCTOBER, SEPTEMBER, a_keeper, a_project_with_books, by, it_is

pytestmark = pytest.mark.django_db


def opened(monkeypatch: pytest.MonkeyPatch, moment: datetime) -> tuple[Project, User]:
    """Accounts that were opened in September, and have the months up to ``moment``, which it is now."""
    it_is(monkeypatch, moment)
    project = a_project_with_books()
    return project, a_keeper(project)


def shut(project: Project) -> list[str]:
    return [gate.code for gate in gates_of(project, SEPTEMBER) if not gate.passed]


def months(project: Project) -> list[date]:
    return list(Period.objects.filter(project=project).order_by("month").values_list("month", flat=True))


def test_what_was_used_after_a_hold_of_before_the_end_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    project, finance = opened(monkeypatch, at(29))
    a_fee(project, "1.50")
    hold_period(project=project, month=SEPTEMBER, user=finance)
    (task,) = tasks_of(project, ("kettle", 1))
    delivered(task, at(30), usage=used("r-1", amount="4.00", currency="CNY"))
    it_is(monkeypatch, at(2, month=10))
    assert pull_costs(project=project) == {}
    assert "over" in shut(project)
    with pytest.raises(GatesNotPassedError) as refused:
        close_period(project=project, month=SEPTEMBER, user=finance)
    assert "over" in refused.value.message
    lift_hold(project=project, month=SEPTEMBER, user=finance)
    hold_period(project=project, month=SEPTEMBER, user=finance)
    assert by(project, "kind") == {"accrual": Decimal("4.00"), "charge": Decimal("1.50")}
    assert "over" not in shut(project)


def test_a_hold_counts_from_when_its_pull_began(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told while it pulls, in the last second of the month, may not have been seen."""
    project, finance = opened(monkeypatch, at(30, 15))

    def until_midnight(**_: object) -> dict[str, str]:
        it_is(monkeypatch, at(30, 16))  # in Shanghai
        return {}

    monkeypatch.setattr("billing.services.hold_period.pull_costs", until_midnight)
    hold_period(project=project, month=SEPTEMBER, user=finance)
    assert shut(project) == ["over"]


def test_what_was_told_before_a_hold_and_seen_after_it_is_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its cost waits for the month, and the gate of prices shows it; it is not passed over."""
    project, finance = opened(monkeypatch, at(1, month=10))
    hold_period(project=project, month=SEPTEMBER, user=finance)
    delivered(tasks_of(project, ("kettle", 1))[0], at(30), usage=used("r-1", amount="4.00", currency="CNY"))
    assert pull_costs(project=project) == {}
    assert Usage.objects.filter(project=project, priced=False).count() == 1
    assert not CostEntry.objects.exists()
    assert "prices" in shut(project)


def test_pulls_go_on_in_a_month_in_which_nothing_was_posted(monkeypatch: pytest.MonkeyPatch) -> None:
    project, finance = opened(monkeypatch, at(20))
    a_fee(project, "1.50")
    it_is(monkeypatch, at(1, month=10))  # and nobody has posted anything of October
    hold_period(project=project, month=SEPTEMBER, user=finance)
    (task,) = tasks_of(project, ("kettle", 1))
    delivered(task, at(1, 9, month=10), usage=used("r-1", amount="4.00", currency="CNY"))
    accepted(task, at(1, 10, month=10))
    assert pull_costs(project=project) == {}
    held = by(project, "kind", posted_period=OCTOBER)
    assert held == {"accrual": Decimal("4.00"), "charge": Decimal("1.50")}
    assert project.unit_entries.get().posted_period == OCTOBER
    close_period(project=project, month=SEPTEMBER, user=finance)
    assert pull_costs(project=project) == {}


def test_months_begin_where_the_project_is_and_none_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    project, _ = opened(monkeypatch, at(20))
    it_is(monkeypatch, at(30, 15))
    pull_costs(project=project)
    assert months(project) == [SEPTEMBER]
    it_is(monkeypatch, at(31, 16, month=10))  # it is November in Shanghai; no worker ran in October
    pull_costs(project=project)
    assert months(project) == [SEPTEMBER, OCTOBER, NOVEMBER]


def test_books_that_begin_later_get_no_month_of_before(monkeypatch: pytest.MonkeyPatch) -> None:
    it_is(monkeypatch, at(20, month=8))
    project = a_project_with_books()
    pull_costs(project=project)
    assert months(project) == [SEPTEMBER]


@pytest.mark.parametrize("status", ["open", "hold"])
def test_a_month_is_held_only_when_all_was_pulled(monkeypatch: pytest.MonkeyPatch, status: str) -> None:
    project, finance = opened(monkeypatch, at(1, month=10))

    def refuse(**_: object) -> None:
        if status == "open":
            raise PostingRefusedError("document_adds_up")

    monkeypatch.setattr(pulling, "pull_labour", refuse)
    if status == "open":
        with pytest.raises(NotAllPulledError) as refused:
            hold_period(project=project, month=SEPTEMBER, user=finance)
        assert refused.value.code == "not-all-pulled"
        assert "labour: document-adds-up" in refused.value.message
    else:
        hold_period(project=project, month=SEPTEMBER, user=finance)
    assert Period.objects.get(project=project, month=SEPTEMBER).status == status
