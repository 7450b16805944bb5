"""Groups of duplicates that meet after something else was decided, taken back, promoted or changed: still counted once."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from billing.models import Cause, Duplicate, DuplicateStatus
from billing.services.pull_duplicates import pull_duplicates
from billing.services.pull_units import pull_units
from once_delivery.accounts.models import Project, User
from once_delivery.ledger.states import State
from once_delivery.ledger.transitions import Actor, Move, move
from once_delivery.review.models import Asset, Draft
from once_delivery.review.text import hash_of, text_hash_of
from reconciliation.models import Finding
from tests.billing.deliveries import accepted, at, decided, sent, taken_back, tasks_of
from tests.billing.test_units import an_approval, assets, count_latest_only, counted, said
from tests.billing.test_units_again import one_more


def accepted_as(asset: Asset, text: str, day: int) -> None:
    """The changed draft of a standing asset is accepted: the asset stays the same one."""
    review = decided(asset.task, "accepted", at(day), text=text)
    Asset.objects.filter(pk=asset.pk).update(draft=review.draft, review=review)


def found_twice(asset: Asset, *result_ids: str) -> None:
    """An audit found several objects with the marker of ``asset``."""
    Finding.objects.create(
        project=asset.project,
        target=asset.action.target,
        action=asset.action,
        kind="duplicate",
        marker=asset.action.marker,
        evidence={"held": [{"result_id": one} for one in result_ids]},
        found_at=at(20),
    )


def test_two_versions_of_one_object_are_no_duplicates_when_a_stray_one_is_found(project: Project) -> None:
    """The newer version updates the object of the older one; a third object with their marker is nobody's asset."""
    (first,) = assets(project, "a", products=(("kettle", 1),))
    (task,) = tasks_of(project, ("kettle", 2))
    action = task.actions.get()
    sent(action, at(9))
    confirm = Move(
        action_id=action.pk,
        source=State(action.state),
        to=State.CONFIRMED,
        reason="answered",
        revision=action.revision,
        result_id=first.action.result_id,
    )
    assert move([confirm], actor=Actor("test"))
    second = accepted(task, at(10), text="b")
    pull_units(project=project)
    found_twice(first, first.action.result_id, "a stray one")
    found = pull_duplicates(project=project)
    assert (found.decided, found.suggested) == (0, 0)
    assert counted(project) == [first.pk, second.pk]


def test_who_is_said_to_be_the_same_as_one_that_was_taken_back_is_one_with_its_stand_in(
    project: Project, finance: User
) -> None:
    first, second, third = assets(project, "a", "b", "c")
    said(finance, second, first)
    taken_back(first, "given", moment=at(20))
    pull_units(project=project)
    assert counted(project) == [second.pk, third.pk]
    said(finance, third, first)
    assert counted(project) == [second.pk]
    taken_back(second, "given", moment=at(21))
    pull_units(project=project)
    assert counted(project) == [third.pk]


def test_a_wanted_variant_keeps_its_own_duplicates(project: Project, finance: User) -> None:
    first, second, third = assets(project, "a", "b", "c")
    said(finance, third, second)
    said(finance, second, first, wanted=True, approval=an_approval(project))
    assert counted(project) == [first.pk, second.pk]
    taken_back(second, "given", moment=at(20))
    pull_units(project=project)
    assert counted(project) == [first.pk, third.pk]


def test_a_version_that_counts_again_is_one_with_those_whom_its_stand_in_joined(
    project: Project, finance: User
) -> None:
    count_latest_only(project)
    earliest, kettle, other = (
        one_more(project, "pot", 7),
        one_more(project, "kettle", 8),
        one_more(project, "pan", 9),
    )
    pull_units(project=project)
    said(finance, other, kettle)
    newer = one_more(project, "kettle", 10, version=2)
    pull_units(project=project)
    said(finance, other, earliest)
    taken_back(newer, "given", moment=at(20))
    pull_units(project=project)
    assert counted(project) == [earliest.pk]


def test_what_was_one_by_its_text_alone_is_asked_about_when_the_text_is_another(project: Project) -> None:
    first, second = assets(project, "same", "same", products=(("kettle", 1), ("kettle", 2)))
    assert pull_duplicates(project=project).decided == 1
    assert counted(project) == [first.pk]
    accepted_as(second, "another", 12)
    assert pull_duplicates(project=project).suggested == 1
    row = Duplicate.objects.get()
    assert (row.status, row.cause, row.certain_by) == (DuplicateStatus.SUGGESTED, Cause.UNDETERMINED, "")
    assert counted(project) == [first.pk, second.pk]
    assert pull_duplicates(project=project).suggested == 0
    accepted_as(second, "same", 13)
    assert pull_duplicates(project=project).decided == 1
    assert counted(project) == [first.pk]


def test_drafts_of_which_nothing_is_read_are_not_alike(project: Project) -> None:
    """Two versions of which the target tells nothing but what they are for."""
    first, second = assets(project, "a", "b", products=(("kettle", 1), ("kettle", 2)))
    said_of_both = {"slug": "kettle", "body": " "}
    Draft.objects.filter(action__in=[first.action, second.action]).update(
        content=said_of_both, content_hash=hash_of(said_of_both), text_hash=text_hash_of(said_of_both)
    )
    found = pull_duplicates(project=project)
    assert (found.decided, found.suggested) == (0, 0)
    assert counted(project) == [first.pk, second.pk]


@pytest.mark.parametrize("standing", [DuplicateStatus.DISMISSED, DuplicateStatus.WANTED])
def test_a_certain_pair_is_decided_unless_a_person_said_otherwise_of_their_groups(
    project: Project, standing: str
) -> None:
    first, second, third = assets(project, "a", "b", "c")
    Duplicate.objects.create(
        project=project, asset=third, survivor=first, status=standing, found_at=at(9), decided_at=at(9)
    )
    found_twice(second, second.action.result_id, third.action.result_id)
    assert pull_duplicates(project=project).decided == 1
    assert counted(project) == [first.pk, second.pk]
    found_twice(first, first.action.result_id, second.action.result_id)
    found = pull_duplicates(project=project)
    assert (found.decided, found.suggested) == (0, 1)
    asked = Duplicate.objects.get(status=DuplicateStatus.SUGGESTED)
    assert (asked.asset, asked.survivor, asked.certain_by) == (second, first, "")
    assert Duplicate.objects.get(survivor=first, asset=third).status == standing
    assert counted(project) == [first.pk, second.pk]
    assert pull_duplicates(project=project).suggested == 0


def test_a_pull_asks_no_more_for_pairs_that_were_decided_long_ago(project: Project) -> None:
    def queries_of_a_pull() -> int:
        pull_duplicates(project=project)
        with CaptureQueriesContext(connection) as caught:
            assert pull_duplicates(project=project).decided == 0
        return len(caught)

    assets(project, "a", "a", products=(("kettle", 1), ("kettle", 2)))
    few = queries_of_a_pull()
    more = tuple(("kettle", number) for number in range(3, 9))
    assets(project, *("a" for _ in more), products=more)
    assert queries_of_a_pull() == few
    assert Duplicate.objects.filter(status=DuplicateStatus.DECIDED).count() == 7
