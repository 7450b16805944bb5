from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db.models import Sum

from billing.counting import Member, judged
from billing.groups import group_of
from billing.models import Cause, Duplicate, Terms, UnitEntry
from billing.services.decide_duplicate import (
    NotAcceptedError,
    NotADuplicatesCauseError,
    decide_duplicate,
    dismiss_duplicate,
)
from billing.services.hold_period import hold_period
from billing.services.judge_cause import ApprovalMissingError, RecordNeededError
from billing.services.lift_hold import lift_hold
from billing.services.pull_duplicates import pull_duplicates
from billing.services.pull_units import pull_units
from once_delivery.accounts.models import Project, User
from once_delivery.review.models import Asset
from once_delivery.review.services.revoke import accepted_again
from reconciliation.models import Approval, ApprovalStatus, CaseKind, Finding
from tests.billing.deliveries import accepted, at, delivered, taken_back, tasks_of, worked_on
from tests.billing.world import OCTOBER, SEPTEMBER, by, close, posted


def assets(project: Project, *texts: str, products: tuple[tuple[str, int], ...] = ()) -> list[Asset]:
    """One for each text, accepted one day after the other from 8 September on."""
    wanted = products or tuple((f"product-{number}", 1) for number in range(len(texts)))
    made = []
    for day, (one, text) in enumerate(zip(wanted, texts, strict=True), start=8):
        (task,) = tasks_of(
            project, one
        )  # one after the other: a new version would supersede what was not sent
        delivered(task, at(3))
        made.append(accepted(task, at(day), text=text))
    pull_units(project=project)
    return made


def assets_more(project: Project, text: str) -> Asset:
    """One more, of another product, accepted after the others."""
    (task,) = tasks_of(project, (f"product-{text}", 1))
    delivered(task, at(3))
    asset = accepted(task, at(18), text=text)
    pull_units(project=project)
    return asset


def count_latest_only(project: Project) -> None:
    """By its terms, from the day after the first ones on."""
    first = Terms.objects.get()
    Terms.objects.create(
        project=project,
        number=2,
        valid_from=first.valid_from + timedelta(days=1),
        currency="CNY",
        counts_latest_only=True,
    )


def withdrawn(asset: Asset) -> None:
    Asset.objects.filter(pk=asset.pk).update(withdrawn_at=at(20))


def counted(project: Project) -> list[int]:
    """The assets that count."""
    rows = UnitEntry.objects.filter(project=project).values_list("asset").annotate(units=Sum("sign"))
    return sorted(asset for asset, units in rows if units)


def total(project: Project, **where: object) -> int:
    return UnitEntry.objects.filter(project=project, **where).aggregate(d=Sum("sign"))["d"] or 0


def said(finance: User, asset: Asset, survivor: Asset, **changes: object) -> Duplicate:
    values = {"cause": Cause.CLIENT_DUPLICATE, "record": "two SKUs of one picture"} | changes
    return decide_duplicate(asset=asset, survivor=survivor, user=finance, **values)  # type: ignore[arg-type]


def an_approval(project: Project) -> Approval:
    case = worked_on(project.tasks.earliest("pk"), CaseKind.DUPLICATE, at(9), 0)
    return Approval.objects.create(
        project=project,
        case=case,
        decision="retry",
        by_client=True,
        action_revision=0,
        status=ApprovalStatus.GIVEN,
        proposed_by=project.default_owner,
        proposed_at=at(9),
        answered_by=project.stand_in_owner,
        answered_at=at(9),
    )


def test_accepted_is_counted_once_and_taken_back_no_more(project: Project) -> None:
    first, second = assets(project, "a", "b")
    assert (total(project), pull_units(project=project).posted) == (2, 0)
    withdrawn(first)
    assert pull_units(project=project).posted == 1
    assert counted(project) == [second.pk]
    assert [unit.reason for unit in first.unit_entries.order_by("seq")] == ["accepted", "acceptance_revoked"]


@pytest.mark.parametrize(
    ("status", "counts"),
    [("asked", True), ("denied", True), ("given", False), ("slip", False), ("again", False)],
)
def test_taken_back_it_counts_until_the_client_agreed(project: Project, status: str, *, counts: bool) -> None:
    (asset,) = assets(project, "a")
    taken_back(asset, status, moment=at(20))
    pull_units(project=project)
    assert counted(project) == ([asset.pk] if counts else [])
    assert pull_units(project=project).posted == 0
    if not counts:
        said = asset.unit_entries.get(sign=-1).evidence
        assert (said["revocation"], said["agreed"]) == (str(asset.revocation.uuid), status)


def test_accepted_again_while_the_client_is_asked_it_counts_once(project: Project) -> None:
    (asset,) = assets(project, "a")
    taken_back(asset, "asked", moment=at(20))
    anew = accepted(asset.task, at(21))
    accepted_again(task=asset.task)
    pull_units(project=project)
    assert counted(project) == [anew.pk]


def test_accepted_again_while_its_first_month_is_on_hold_waits(project: Project, finance: User) -> None:
    """The first acceptance cannot be counted out of a month on hold: the second must not count beside it."""
    (asset,) = assets(project, "a")
    hold_period(project=project, month=SEPTEMBER, user=finance)
    taken_back(asset, "asked", moment=at(20))
    anew = accepted(asset.task, at(2, month=10))
    accepted_again(task=asset.task)
    pull_units(project=project)
    assert counted(project) == [asset.pk]
    lift_hold(project=project, month=SEPTEMBER, user=finance)
    pull_units(project=project)
    assert counted(project) == [anew.pk]


def test_a_survivor_that_the_client_still_holds_to_stays_the_survivor(
    project: Project, finance: User
) -> None:
    first, second = assets(project, "a", "b")
    said(finance, second, first)
    taken_back(first, "asked", moment=at(20))
    pull_units(project=project)
    third = assets_more(project, "c")
    said(finance, third, second)
    assert counted(project) == [first.pk]


def test_a_version_that_was_superseded_is_not_promoted(project: Project, finance: User) -> None:
    """Where the latest version counts only, a group passes over what a later version took the place of."""
    made = assets(project, "a", "b", "c", products=(("kettle", 1), ("kettle", 2), ("pan", 1)))
    count_latest_only(project)
    said(finance, made[2], made[0])
    assert counted(project) == [made[1].pk, made[2].pk]
    pull_units(project=project)
    assert counted(project) == [made[1].pk, made[2].pk]
    said(finance, made[2], made[0])
    assert counted(project) == [made[1].pk, made[2].pk]


def test_the_earliest_accepted_of_a_group_counts_whoever_was_named(project: Project, finance: User) -> None:
    first, second, third = assets(project, "a", "b", "c")
    said(finance, second, third)
    assert counted(project) == [first.pk, second.pk]
    said(finance, first, third)
    assert counted(project) == [first.pk]
    assert group_of(third.pk) == {first.pk, second.pk, third.pk}
    assert total(project) == 1
    said(finance, third, first)  # once more
    assert UnitEntry.objects.count() == 5


def test_a_survivor_that_is_taken_back_leaves_its_place_to_the_next(project: Project, finance: User) -> None:
    first, second, third = assets(project, "a", "b", "c")
    said(finance, second, first)
    said(finance, third, first)
    withdrawn(first)
    pull_units(project=project)
    assert counted(project) == [second.pk]
    assert UnitEntry.objects.latest("seq").reason == "survivor_promoted"
    assert pull_units(project=project).posted == 0


def test_found_after_the_close_it_is_less_in_the_next_month_with_its_origin(
    project: Project, finance: User
) -> None:
    first, second = assets(project, "a", "b")
    close(project, SEPTEMBER)
    said(finance, second, first)
    unit = UnitEntry.objects.get(sign=-1)
    assert (unit.posted_period, unit.origin_period, unit.correction) == (OCTOBER, SEPTEMBER, True)
    assert (total(project, posted_period=SEPTEMBER), total(project, origin_period=SEPTEMBER)) == (2, 1)


def test_the_same_text_of_one_product_is_certain_and_of_another_is_suggested(project: Project) -> None:
    wanted = (("kettle", 1), ("kettle", 2), ("pan", 1))
    made = []
    for day, one in enumerate(wanted, start=8):
        (task,) = tasks_of(project, one)
        delivered(task, at(3))
        made.append(accepted(task, at(day), text="the same"))
    pull_units(project=project)
    found = pull_duplicates(project=project)
    assert (found.decided, found.suggested) == (1, 1)
    assert counted(project) == [made[0].pk, made[2].pk]
    certain = Duplicate.objects.get(status="decided")
    assert (certain.asset_id, certain.certain_by, certain.cause) == (made[1].pk, "content", "dedupe_miss")
    again = pull_duplicates(project=project)
    assert (again.decided, again.suggested) == (0, 0)


def test_two_objects_with_one_marker_that_are_two_assets_are_one(project: Project) -> None:
    first, second = assets(project, "a", "b")
    held = [{"result_id": one.action.result_id} for one in (first, second)]
    Finding.objects.create(
        project=project,
        target=first.action.target,
        action=first.action,
        kind="duplicate",
        marker=first.action.marker,
        evidence={"held": held},
        found_at=at(20),
    )
    assert pull_duplicates(project=project).decided == 1
    assert counted(project) == [first.pk]
    assert Duplicate.objects.get().finding is not None


def test_a_repeat_that_the_client_confirmed_is_one_and_a_wanted_variant_two(
    project: Project, finance: User
) -> None:
    """Section 16: 2 x 8.00, both accepted: 16.00 / 1; as wanted variants 8.00 / 2."""
    first, second = assets(project, "a", "b")
    for asset in (first, second):
        posted(project, "8.00", task_id=asset.task_id, attempt_id=asset.action.attempts.get().pk)
    repeat = {"cause": Cause.CLIENT_CONFIRMED_REPEAT}
    with pytest.raises(ApprovalMissingError):
        said(finance, second, first, **repeat)
    approval = an_approval(project)
    said(finance, second, first, approval=approval, **repeat)
    assert (by(project, "bearer"), total(project)) == ({"client": Decimal(16)}, 1)
    said(finance, second, first, approval=approval, wanted=True, **repeat)
    assert (by(project, "bearer"), total(project)) == ({"client": Decimal(16)}, 2)


def test_a_missed_check_is_the_vendors_and_what_is_no_duplicate_after_all_counts(
    project: Project, finance: User
) -> None:
    first, second = assets(project, "a", "b")
    posted(project, "8.00", task_id=second.task_id, attempt_id=second.action.attempts.get().pk)
    row = said(finance, second, first, cause=Cause.DEDUPE_MISS)
    assert (by(project, "bearer"), total(project)) == ({"vendor": Decimal(8)}, 1)
    dismiss_duplicate(duplicate=row, user=finance, record="two different kettles")
    assert (by(project, "bearer"), total(project)) == ({"client": Decimal(8)}, 2)


def test_what_cannot_be_a_duplicate_is_refused(project: Project, finance: User) -> None:
    first, second = assets(project, "a", "b")
    with pytest.raises(NotAcceptedError):
        said(finance, first, first)
    with pytest.raises(NotADuplicatesCauseError):
        said(finance, second, first, cause=Cause.PROVIDER_FAULT)
    with pytest.raises(RecordNeededError):
        said(finance, second, first, record=" ")
    assert not Duplicate.objects.exists()


def test_the_terms_may_count_the_latest_version_only(project: Project, finance: User) -> None:
    made = assets(project, "a", "b", "c", products=(("kettle", 1), ("kettle", 2), ("pan", 1)))
    assert counted(project) == [one.pk for one in made]
    count_latest_only(project)
    pull_units(project=project)
    assert counted(project) == [one.pk for one in made[1:]]
    assert pull_units(project=project).posted == 0
    alike = Duplicate.objects.create(
        project=project, asset=made[0], survivor=made[2], status="suggested", found_at=at(20)
    )
    dismiss_duplicate(duplicate=alike, user=finance, record="another kettle")
    assert counted(project) == [one.pk for one in made[1:]]  # no duplicate took the unit of the old version


def test_a_month_on_hold_waits(project: Project, finance: User) -> None:
    hold_period(project=project, month=SEPTEMBER, user=finance)
    assets(project, "a")
    assert total(project) == 0


def test_nobody_counts_when_all_were_taken_back() -> None:
    one = Member(1, at(8), out=True, counted=True)
    group = judged([one])
    assert (group.survivor_id, group.no_more, group.promoted) == (None, (1,), None)
