"""A pair that is decided before its assets were pulled counts once, and keeps nobody else from being counted."""

from __future__ import annotations

import pytest
from django.db import transaction

from billing.models import UnitEntry, UnitReason
from billing.services import pull_units as pulling
from billing.services.decide_duplicate import dismiss_duplicate
from billing.services.hold_period import hold_period
from billing.services.lift_hold import lift_hold
from billing.services.post_units import NewUnit
from billing.services.pull_units import pull_units
from once_delivery.accounts.models import Project, User
from once_delivery.review.models import Asset
from once_delivery.review.services.revoke import accepted_again
from tests.billing.deliveries import accepted, at, delivered, taken_back, tasks_of
from tests.billing.raw_rows import a_unit, commit, refused, sql
from tests.billing.test_units import assets, counted, said
from tests.billing.world import SEPTEMBER


def not_pulled(project: Project, product: str, day: int, month: int = 9) -> Asset:
    (task,) = tasks_of(project, (product, 1))
    delivered(task, at(3))
    return accepted(task, at(day, month=month), text=product)


def test_neither_was_counted(project: Project, finance: User) -> None:
    first, second = not_pulled(project, "kettle", 8), not_pulled(project, "pan", 9)
    said(finance, second, first)
    assert counted(project) == [first.pk]
    more = not_pulled(project, "pot", 10)  # whom the pair must not keep waiting
    pull_units(project=project)
    assert counted(project) == [first.pk, more.pk]
    reasons = UnitEntry.objects.order_by("seq").values_list("asset", "reason")
    assert list(reasons)[:3] == [
        (first.pk, UnitReason.ACCEPTED),
        (second.pk, UnitReason.ACCEPTED),
        (second.pk, UnitReason.DUPLICATE_FOUND),
    ]
    assert pull_units(project=project).posted == 0


@pytest.mark.parametrize("pulled", [0, 1])
def test_one_of_them_was(project: Project, finance: User, pulled: int) -> None:
    """The earlier one, and the later one alone: an acceptance that a pull has not come to yet."""
    (asset,) = assets(project, "a")
    other = not_pulled(project, "pan", (7, 9)[pulled])
    said(finance, *((asset, other) if pulled else (other, asset)))
    pull_units(project=project)
    assert counted(project) == [min(asset, other, key=lambda one: one.accepted_at).pk]
    assert pull_units(project=project).posted == 0


def test_they_were_decided_to_be_two_before(project: Project, finance: User) -> None:
    first, second = not_pulled(project, "kettle", 8), not_pulled(project, "pan", 9)
    dismiss_duplicate(duplicate=said(finance, second, first), user=finance, record="two kettles")
    pull_units(project=project)
    assert counted(project) == [first.pk, second.pk]


def test_decided_while_its_month_is_on_hold_it_counts_once(project: Project, finance: User) -> None:
    """What a person decides is posted in a month on hold, what was accepted there and not pulled yet with it."""
    first, second = not_pulled(project, "kettle", 8), not_pulled(project, "pan", 9)
    hold_period(project=project, month=SEPTEMBER, user=finance)
    said(finance, second, first)
    assert counted(project) == [first.pk]
    pull_units(project=project)
    lift_hold(project=project, month=SEPTEMBER, user=finance)
    assert pull_units(project=project).posted == 0
    assert counted(project) == [first.pk]


def test_decided_about_an_acceptance_anew_while_the_earlier_one_still_counts(
    project: Project, finance: User
) -> None:
    first, second = assets(project, "a", "b")
    hold_period(project=project, month=SEPTEMBER, user=finance)
    taken_back(first, "asked", moment=at(20))
    anew = accepted(first.task, at(2, month=10))
    accepted_again(task=first.task)
    said(finance, anew, second)
    assert counted(project) == [second.pk]
    pull_units(project=project)
    assert counted(project) == [second.pk]


def test_what_an_older_program_posted_in_the_wrong_order_is_put_right(project: Project) -> None:
    """Counted in another's place before it was counted at all: the pull posts no second one for it."""
    first, second = not_pulled(project, "kettle", 8), not_pulled(project, "pan", 9)
    sql("ALTER TABLE billing_unitentry DISABLE TRIGGER billing_unit_comes")
    a_unit(first, 1, "survivor_promoted", seq=1)
    commit()
    sql("ALTER TABLE billing_unitentry ENABLE TRIGGER billing_unit_comes")
    pull_units(project=project)
    assert counted(project) == [first.pk, second.pk]


def test_one_that_is_refused_keeps_no_other_waiting(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = (not_pulled(project, one, 8) for one in ("kettle", "pan", "pot"))
    asked = pulling._accepted

    def with_one_too_many(*given: object) -> list[NewUnit]:
        good = list(asked(*given))  # type: ignore[arg-type]
        return [good[0], NewUnit(second.pk, UnitReason.DUPLICATE_FOUND, at(8).date()), *good[1:]]

    monkeypatch.setattr(pulling, "_accepted", with_one_too_many)
    assert pull_units(project=project).refused == ("counted-once",)
    assert counted(project) == [first.pk, second.pk, third.pk]


def test_postgresql_counts_an_acceptance_first_and_once(project: Project) -> None:
    (asset,) = assets(project, "a")
    a_unit(asset, -1, "acceptance_revoked")
    with refused("counted_once"), transaction.atomic():
        a_unit(asset, 1, "accepted")
    a_unit(asset, 1, "survivor_promoted")
    other = not_pulled(project, "pan", 9)
    with refused("counted_once"), transaction.atomic():
        a_unit(other, 1, "survivor_promoted")
