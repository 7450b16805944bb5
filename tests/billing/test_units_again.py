"""What is taken back, accepted again, superseded or promoted in an unlucky order counts once all the same."""

from __future__ import annotations

from decimal import Decimal

import pytest

from billing.models import Books, Duplicate, DuplicateStatus
from billing.services import pull_units as pulling
from billing.services.decide_duplicate import dismiss_duplicate
from billing.services.hold_period import hold_period
from billing.services.lift_hold import lift_hold
from billing.services.pull_duplicates import pull_duplicates
from billing.services.pull_units import pull_units
from billing.two_people import SecondPersonNeededError
from once_delivery.accounts.models import Project, User
from once_delivery.review.models import Asset
from once_delivery.review.services.revoke import accepted_again
from tests.billing.deliveries import accepted, at, delivered, taken_back, tasks_of
from tests.billing.test_units import assets, count_latest_only, counted, said, total
from tests.billing.world import OCTOBER, SEPTEMBER, a_keeper, a_project_with_books, posted


@pytest.fixture
def project(db: None) -> Project:
    return a_project_with_books()


@pytest.fixture
def finance(project: Project) -> User:
    return a_keeper(project)


def one_more(project: Project, product: str, day: int, *, version: int = 1, month: int = 9) -> Asset:
    """Accepted, not pulled yet."""
    (task,) = tasks_of(project, (product, version))
    delivered(task, at(3))
    return accepted(task, at(day, month=month), text=product)


@pytest.mark.parametrize("pulled", [True, False])
@pytest.mark.parametrize("status", ["asked", "denied"])
def test_a_later_version_supersedes_as_long_as_it_counts(
    project: Project, status: str, *, pulled: bool
) -> None:
    count_latest_only(project)
    one_more(project, "kettle", 8)
    newer = one_more(project, "kettle", 9, version=2)
    if pulled:
        pull_units(project=project)
    taken_back(newer, status, moment=at(20))
    pull_units(project=project)
    assert counted(project) == [newer.pk]


def test_who_is_to_be_promoted_in_a_month_on_hold_waits_and_keeps_nobody_waiting(
    project: Project, finance: User
) -> None:
    (first,) = assets(project, "a")
    second = one_more(project, "pan", 2, month=10)
    pull_units(project=project)
    said(finance, second, first)
    hold_period(project=project, month=OCTOBER, user=finance)
    taken_back(first, "given", moment=at(20))
    more = one_more(project, "pot", 21)
    pull_units(project=project)
    assert counted(project) == [more.pk]
    lift_hold(project=project, month=OCTOBER, user=finance)
    pull_units(project=project)
    assert counted(project) == sorted([second.pk, more.pk])
    assert pull_units(project=project) == 0


def test_accepted_anew_while_it_is_counted_it_does_not_count_twice(
    project: Project, finance: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    (asset,) = assets(project, "a")
    hold_period(project=project, month=SEPTEMBER, user=finance)
    taken_back(asset, "asked", moment=at(20))
    asked = pulling._stuck

    def between(*given: object) -> object:
        found = asked(*given)  # type: ignore[arg-type]
        accepted(asset.task, at(2, month=10))
        accepted_again(task=asset.task)
        return found

    monkeypatch.setattr(pulling, "_stuck", between)
    pull_units(project=project)
    assert counted(project) == [asset.pk]


def test_a_duplicate_that_is_accepted_again_is_suggested(project: Project, finance: User) -> None:
    first, second = assets(project, "a", "b")
    said(finance, second, first)
    taken_back(second, "given", moment=at(20))
    anew = accepted(second.task, at(21), text="c")
    pull_units(project=project)
    assert pull_duplicates(project=project).suggested == 1
    row = Duplicate.objects.get(asset=anew)
    assert (row.survivor, row.status) == (first, DuplicateStatus.SUGGESTED)
    assert pull_duplicates(project=project).suggested == 0


def test_what_a_person_called_two_is_not_made_one_by_itself(project: Project, finance: User) -> None:
    first = one_more(project, "kettle", 8)
    second = one_more(project, "kettle", 9, version=2)
    pull_units(project=project)
    assert pull_duplicates(project=project).decided == 1
    dismiss_duplicate(duplicate=Duplicate.objects.get(), user=finance, record="two kettles")
    taken_back(second, "given", moment=at(20))
    accepted(second.task, at(21), text="kettle")
    pull_units(project=project)
    found = pull_duplicates(project=project)
    assert (found.decided, found.suggested, total(project)) == (0, 1, 2)
    assert first.pk in counted(project)


def test_the_dearer_of_the_two_says_whether_it_takes_two_people(project: Project, finance: User) -> None:
    """Whoever is named first: it is the one accepted later that counts no more."""
    Books.objects.filter(project=project).update(two_people_above=Decimal(5))
    first, second = assets(project, "a", "b")
    posted(project, "8.00", task_id=second.task_id, attempt_id=second.action.attempts.get().pk)
    for asset, survivor in ((first, second), (second, first)):
        with pytest.raises(SecondPersonNeededError):
            said(finance, asset, survivor)
    assert total(project) == 2
