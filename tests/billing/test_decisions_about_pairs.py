"""A decision is about one pair and the texts of its two: it stays whatever is decided about others, and is asked for anew of
other texts."""

from __future__ import annotations

from decimal import Decimal

import pytest

from billing.contradictions import OneThroughOthersError, SaidToBeTwoError
from billing.fees import fees_of
from billing.models import Cause, Duplicate, DuplicateDecision, Terms
from billing.pairs import mark_of
from billing.services.decide_duplicate import dismiss_duplicate, reopen_duplicate
from billing.services.pull_duplicates import pull_duplicates
from billing.services.pull_units import pull_units
from billing.services.settle_fault import settle_fault
from once_delivery.accounts.models import Project, User
from tests.billing.deliveries import at, taken_back
from tests.billing.test_groups_that_meet import accepted_as, found_twice
from tests.billing.test_units import an_approval, assets, counted, said
from tests.billing.world import SEPTEMBER, by, posted
from tests.web.conftest import signed_in


def page_of(pair: Duplicate, user: User) -> str:
    address = f"/finance/{pair.project.code}/duplicates/{pair.pk}/"
    return str(signed_in(user).get(address).content.decode())


def called_two(finance: User, pair: Duplicate, record: str = "two kettles") -> None:
    dismiss_duplicate(duplicate=pair, user=finance, record=record)


def test_a_decision_about_another_pair_leaves_the_earlier_one(project: Project, finance: User) -> None:
    first, second, third = assets(project, "a", "b", "c")
    called_two(finance, said(finance, third, first))
    said(finance, third, second)
    kept = Duplicate.objects.get(record="two kettles")
    assert (kept.asset, kept.survivor, kept.status, kept.decided_by) == (third, first, "dismissed", finance)
    assert counted(project) == [first.pk, second.pk]


def test_a_group_that_another_comes_to_lead_keeps_what_was_said_of_its_old_one(
    project: Project, finance: User
) -> None:
    first, second, third = assets(project, "a", "b", "c")
    called_two(finance, said(finance, third, first))
    said(finance, second, third)  # the second one was accepted before the third, and counts
    assert counted(project) == [first.pk, second.pk]
    assert Duplicate.objects.get(record="two kettles").status == "dismissed"


def test_both_were_wanted_touches_no_group_of_others(project: Project, finance: User) -> None:
    first, second, third, fourth = assets(project, "a", "b", "c", "d")
    said(finance, second, first)
    said(finance, fourth, third)
    said(finance, fourth, second, wanted=True, approval=an_approval(project))
    assert counted(project) == [first.pk, third.pk]
    taken_back(first, "given", moment=at(20))
    taken_back(third, "given", moment=at(21))
    pull_units(project=project)
    assert counted(project) == [second.pk, fourth.pk]


def test_one_of_two_earlier_ones_is_one_with_both(project: Project, finance: User) -> None:
    first, second, third = assets(project, "a", "b", "c")
    said(finance, third, second)
    said(finance, third, first)
    assert counted(project) == [first.pk]


def test_a_persons_decision_is_asked_for_anew_when_a_text_is_another(project: Project, finance: User) -> None:
    first, second = assets(project, "a", "b")
    said(finance, second, first, record="one picture")
    accepted_as(second, "c", 12)
    found = pull_duplicates(project=project)
    assert (found.decided, found.suggested) == (0, 1)
    assert counted(project) == [first.pk, second.pk]
    shown = page_of(Duplicate.objects.get(), finance)
    assert "The text of one of the two has changed since it was decided." in shown
    assert "one picture" in shown.split("What was decided")[1]
    assert pull_duplicates(project=project).suggested == 0
    accepted_as(second, "b", 13)  # of these two they have said what they are
    assert pull_duplicates(project=project).decided == 1
    assert Duplicate.objects.get().record == "one picture"


def test_a_persons_two_are_asked_about_again_only_if_other_texts_are_alike(
    project: Project, finance: User
) -> None:
    first, second = assets(project, "same", "same")
    assert pull_duplicates(project=project).suggested == 1
    called_two(finance, Duplicate.objects.get())
    accepted_as(second, "another", 12)
    assert pull_duplicates(project=project).suggested == 0
    assert Duplicate.objects.get().status == "dismissed"
    accepted_as(first, "another", 13)
    assert pull_duplicates(project=project).suggested == 1
    assert "The text of one of the two has changed" in page_of(Duplicate.objects.get(), finance)
    assert counted(project) == [first.pk, second.pk]


@pytest.mark.parametrize("one", [True, False])
def test_what_is_one_object_or_two_does_not_depend_on_the_text(
    project: Project, finance: User, *, one: bool
) -> None:
    first, second = assets(project, "a", "b")
    found_twice(first, first.action.result_id, second.action.result_id)
    assert pull_duplicates(project=project).decided == 1
    if not one:
        called_two(finance, Duplicate.objects.get())
    accepted_as(second, "c", 12)
    found = pull_duplicates(project=project)
    assert (found.decided, found.suggested) == (0, 0)
    assert counted(project) == ([first.pk] if one else [first.pk, second.pk])


def test_of_one_text_each_pair_is_compared_where_the_first_is_another(
    project: Project, finance: User
) -> None:
    """The second and the third were each called two with the first: of one another nobody has said so."""
    products = tuple(("kettle", version) for version in (1, 2, 3))
    first, second, _ = assets(project, "same", "same", "same", products=products)
    assert pull_duplicates(project=project).decided == 2
    for pair in list(Duplicate.objects.order_by("pk")):
        called_two(finance, pair)
    assert len(counted(project)) == 3
    assert pull_duplicates(project=project).decided == 1
    assert counted(project) == [first.pk, second.pk]


def test_nobodys_decision_is_passed_over(project: Project, finance: User) -> None:
    """What would be one through others although it was called two is refused, and the other way round, with the pair."""
    first, second, third = assets(project, "a", "b", "c")
    called_two(finance, said(finance, third, first))
    pair = said(finance, second, first)
    before = (counted(project), DuplicateDecision.objects.count())
    with pytest.raises(SaidToBeTwoError) as told:
        said(finance, third, second)
    assert "“product-2 › de-DE › product-page › v1” and “product-0 ›" in told.value.message
    assert (counted(project), DuplicateDecision.objects.count()) == before
    reopen_duplicate(
        duplicate=Duplicate.objects.get(asset=third), user=finance, record="not so sure after all"
    )
    said(finance, third, second)
    assert counted(project) == [first.pk]
    with pytest.raises(OneThroughOthersError):
        called_two(finance, Duplicate.objects.get(asset=third, survivor=first))
    called_two(finance, pair)
    assert counted(project) == [first.pk, second.pk]


def test_what_a_person_opened_again_is_not_decided_by_itself(project: Project, finance: User) -> None:
    assets(project, "same", "same", products=(("kettle", 1), ("kettle", 2)))
    assert pull_duplicates(project=project).decided == 1
    reopen_duplicate(duplicate=Duplicate.objects.get(), user=finance, record="let me look")
    for _ in range(2):
        assert pull_duplicates(project=project).decided == 0
        assert (len(counted(project)), Duplicate.objects.get().status) == (2, "suggested")
    assert "A person opened it again." in page_of(Duplicate.objects.get(), finance)


def test_the_page_of_a_pair_shows_every_decision_and_the_other_pairs(project: Project, finance: User) -> None:
    first, second, third = assets(project, "a", "b", "c")
    pair = said(finance, second, first, record="one picture of two SKUs")
    called_two(finance, pair, record="two kettles after all")
    other = said(finance, third, first)
    shown = page_of(pair, finance).split("What was decided")[1]
    assert shown.index("two kettles after all") < shown.index("one picture of two SKUs")
    assert f"/finance/{project.code}/duplicates/{other.pk}/" in shown.split("Other pairs of these two")[1]
    pair.refresh_from_db()
    opened = {"how": "open", "record": "seen anew", "pair": mark_of(pair)}
    address = f"/finance/{project.code}/duplicates/{pair.pk}/"
    assert signed_in(finance).post(address, opened).status_code == 302
    assert [one.status for one in pair.decisions.order_by("pk")] == ["decided", "dismissed", "suggested"]


def test_the_cause_of_a_duplicate_is_that_of_the_pair_by_which_it_is_one(
    project: Project, finance: User
) -> None:
    """Nobody's duplicate any more it has none, and so has one that counts in the place of an earlier one."""
    first, second, third = assets(project, "a", "b", "c")
    for asset in (first, second, third):
        posted(project, "8.00", task_id=asset.task_id, attempt_id=asset.action.attempts.get().pk)
    said(finance, third, second, cause=Cause.VENDOR_FAULT)
    called_two(finance, said(finance, third, first))
    assert by(project, "bearer") == {"client": 16, "vendor": 8}
    taken_back(second, "given", moment=at(20))
    pull_units(project=project)
    settle_fault(project=project, actor="test")
    assert counted(project) == [first.pk, third.pk]
    assert by(project, "bearer") == {"client": 24}


def test_the_fee_of_what_is_a_duplicate_after_all_is_given_back_once(project: Project, finance: User) -> None:
    terms = Terms.objects.get()
    Terms.objects.create(
        project=project, number=2, valid_from=terms.valid_from, currency="CNY", output_fee=Decimal(100)
    )

    def credited() -> int:
        fees = fees_of(project, SEPTEMBER)
        assert fees is not None
        return fees.credited

    first, second = assets(project, "a", "b")
    pair = said(finance, second, first, cause=Cause.VENDOR_FAULT)
    assert credited() == 1
    called_two(finance, pair)
    assert credited() == 0
    said(finance, second, first, cause=Cause.VENDOR_FAULT)
    assert credited() == 1
