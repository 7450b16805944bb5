"""What is taken back, accepted again, superseded or promoted in an unlucky order counts once all the same."""

from __future__ import annotations

from decimal import Decimal

import pytest

from billing.groups import group_of
from billing.models import Books, Duplicate, DuplicateStatus, Terms
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
from tests.billing.world import OCTOBER, SEPTEMBER, posted


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
    assert pull_units(project=project).posted == 0


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
    assert row.follows == Duplicate.objects.get(asset=second)
    assert pull_duplicates(project=project).suggested == 0


@pytest.mark.parametrize("again", ["duplicate", "survivor"])
def test_accepted_again_with_the_same_text_it_is_what_it_was(
    project: Project, finance: User, again: str
) -> None:
    """Nobody need answer once more what they have answered about the same two texts."""
    first, second = assets(project, "a", "b")
    before = said(finance, second, first)
    gone, stays = (second, first) if again == "duplicate" else (first, second)
    taken_back(gone, "given", moment=at(20))
    anew = accepted(gone.task, at(21), text="b" if again == "duplicate" else "a")
    pull_units(project=project)
    found = pull_duplicates(project=project)
    assert (found.decided, found.suggested) == (1, 0)
    assert counted(project) == [stays.pk]
    row = Duplicate.objects.get(asset=anew)
    assert (row.status, row.survivor, row.decided_by) == (DuplicateStatus.DECIDED, stays, finance)
    assert (row.record, row.cause, row.follows) == (before.record, before.cause, before)
    assert pull_duplicates(project=project).decided == 0


def test_a_survivor_that_is_accepted_again_with_another_text_is_suggested(
    project: Project, finance: User
) -> None:
    first, second = assets(project, "a", "b")
    said(finance, second, first)
    taken_back(first, "given", moment=at(20))
    anew = accepted(first.task, at(21), text="c")
    pull_units(project=project)
    assert pull_duplicates(project=project).suggested == 1
    assert counted(project) == [second.pk, anew.pk]


def test_what_is_certain_makes_one_of_two_groups(project: Project, finance: User) -> None:
    """One that a person called a duplicate of another has the very text of a third: the three are one deliverable."""
    other, first = one_more(project, "pan", 8), one_more(project, "kettle", 9)
    twin = one_more(project, "kettle", 10, version=2)
    pull_units(project=project)
    said(finance, twin, other)
    assert pull_duplicates(project=project).decided == 1
    assert counted(project) == [other.pk]
    assert group_of(first.pk) == {other.pk, first.pk, twin.pk}
    assert pull_duplicates(project=project).decided == 0


@pytest.mark.parametrize("status", ["asked", "denied"])
def test_what_was_taken_back_and_still_counts_is_found_to_be_a_duplicate(
    project: Project, status: str
) -> None:
    first, second = one_more(project, "kettle", 8), one_more(project, "kettle", 9, version=2)
    taken_back(first, status, moment=at(20))
    pull_units(project=project)
    assert pull_duplicates(project=project).decided == 1
    assert counted(project) == [first.pk]
    assert Duplicate.objects.get().asset == second


def test_a_month_on_hold_keeps_only_its_own_duplicates_waiting(project: Project, finance: User) -> None:
    """The month of the root is on hold, and nobody has counted it before: of another pair nothing waits for that."""
    hold_period(project=project, month=SEPTEMBER, user=finance)
    root = one_more(project, "kettle", 28)
    late = one_more(project, "kettle", 2, version=2, month=10)
    first, second = (one_more(project, "pan", day, version=day - 2, month=10) for day in (3, 4))
    pull_units(project=project)
    found = pull_duplicates(project=project)
    assert (found.decided, found.suggested, found.waiting, found.refused) == (1, 0, 1, ())
    assert counted(project) == sorted([late.pk, first.pk])
    assert Duplicate.objects.get(asset=second).status == DuplicateStatus.DECIDED
    waits = Duplicate.objects.get(asset=late)
    assert (waits.status, waits.certain_by, waits.survivor) == (DuplicateStatus.SUGGESTED, "content", root)
    assert pull_duplicates(project=project).waiting == 1
    lift_hold(project=project, month=SEPTEMBER, user=finance)
    pull_units(project=project)
    assert pull_duplicates(project=project).decided == 1
    assert counted(project) == sorted([root.pk, first.pk])


@pytest.mark.parametrize("pulled", [True, False])
@pytest.mark.parametrize("later", [False, True])
def test_a_version_counts_again_when_the_one_that_superseded_it_is_taken_back(
    project: Project, *, pulled: bool, later: bool
) -> None:
    """Once, as an entry of its own that says in whose place; and not beside a version that is accepted anew."""
    count_latest_only(project)
    first = one_more(project, "kettle", 8)
    newer = one_more(project, "kettle", 9, version=2)
    if pulled:
        pull_units(project=project)
        assert counted(project) == [newer.pk]
    taken_back(newer, "asked" if later else "given", moment=at(20))
    if later:
        pull_units(project=project)
        assert counted(project) == [newer.pk]
        newer.revocation.status = "given"
        newer.revocation.save()
    pull_units(project=project)
    assert counted(project) == [first.pk]
    last = first.unit_entries.latest("seq")
    if pulled or later:
        assert (last.reason, last.evidence) == ("survivor_promoted", {"in_place_of": str(newer.uuid)})
    assert pull_units(project=project).posted == 0
    anew = accepted(newer.task, at(21))
    pull_units(project=project)
    assert counted(project) == [anew.pk]
    taken_back(anew, "given", moment=at(22))
    pull_units(project=project)
    assert counted(project) == [first.pk]


def test_a_version_does_not_count_again_while_the_newer_one_still_counts_in_a_month_on_hold(
    project: Project, finance: User
) -> None:
    count_latest_only(project)
    first = one_more(project, "kettle", 8)
    newer = one_more(project, "kettle", 2, version=2, month=10)
    pull_units(project=project)
    hold_period(project=project, month=OCTOBER, user=finance)
    taken_back(newer, "given", moment=at(20, month=10))
    pull_units(project=project)
    assert counted(project) == [newer.pk]
    lift_hold(project=project, month=OCTOBER, user=finance)
    pull_units(project=project)
    assert counted(project) == [first.pk]


def test_each_newer_version_counts_under_its_own_terms(project: Project) -> None:
    """The second version was accepted under terms that count each, the third under terms that count the latest only."""
    (kept,) = Terms.objects.all()
    Terms.objects.create(
        project=project, number=2, valid_from=at(10).date(), currency=kept.currency, counts_latest_only=True
    )
    Terms.objects.create(project=project, number=3, valid_from=at(12).date(), currency=kept.currency)
    first, second = one_more(project, "kettle", 8), one_more(project, "kettle", 9, version=2)
    pull_units(project=project)
    assert counted(project) == [first.pk, second.pk]
    third = one_more(project, "kettle", 11, version=3)
    pull_units(project=project)
    assert counted(project) == [third.pk]
    fourth = one_more(project, "kettle", 13, version=4)
    pull_units(project=project)
    assert counted(project) == [third.pk, fourth.pk]
    taken_back(third, "given", moment=at(20))
    pull_units(project=project)
    assert counted(project) == sorted([first.pk, second.pk, fourth.pk])
    assert pull_units(project=project).posted == 0


def test_what_was_superseded_counts_and_is_superseded_again_as_the_terms_change(project: Project) -> None:
    """Terms may hold from a day that is past: the same newer version supersedes, does not, and does again."""
    first, newer = one_more(project, "kettle", 8), one_more(project, "kettle", 10, version=2)
    since = at(9).date()
    for number, latest_only in enumerate((True, False, True), start=2):
        Terms.objects.create(
            project=project, number=number, valid_from=since, currency="CNY", counts_latest_only=latest_only
        )
        pull_units(project=project)
        assert counted(project) == ([newer.pk] if latest_only else [first.pk, newer.pk])


def test_a_version_that_counts_again_is_still_one_with_its_duplicate(project: Project, finance: User) -> None:
    count_latest_only(project)
    first, other = one_more(project, "kettle", 8), one_more(project, "pan", 9)
    pull_units(project=project)
    said(finance, other, first)
    newer = one_more(project, "kettle", 10, version=2)
    pull_units(project=project)
    assert counted(project) == [other.pk, newer.pk]
    taken_back(newer, "given", moment=at(20))
    pull_units(project=project)
    assert counted(project) == [first.pk]
    assert Duplicate.objects.get().asset == other


def test_what_a_person_called_two_is_not_made_one_by_itself(project: Project, finance: User) -> None:
    first = one_more(project, "kettle", 8)
    second = one_more(project, "kettle", 9, version=2)
    pull_units(project=project)
    assert pull_duplicates(project=project).decided == 1
    dismiss_duplicate(duplicate=Duplicate.objects.get(), user=finance, record="two kettles")
    taken_back(second, "given", moment=at(20))
    accepted(second.task, at(21), text="kettle")  # nothing new to ask a person
    pull_units(project=project)
    found = pull_duplicates(project=project)
    assert (found.decided, found.suggested, total(project)) == (0, 0, 2)
    assert first.pk in counted(project)
    anew = Duplicate.objects.get(asset=second.task.assets.latest("pk"))
    assert (anew.status, anew.decided_by) == (DuplicateStatus.DISMISSED, finance)


def test_the_dearer_of_the_two_says_whether_it_takes_two_people(project: Project, finance: User) -> None:
    """Whoever is named first: it is the one accepted later that counts no more."""
    Books.objects.filter(project=project).update(two_people_above=Decimal(5))
    first, second = assets(project, "a", "b")
    posted(project, "8.00", task_id=second.task_id, attempt_id=second.action.attempts.get().pk)
    for asset, survivor in ((first, second), (second, first)):
        with pytest.raises(SecondPersonNeededError):
            said(finance, asset, survivor)
    assert total(project) == 2
