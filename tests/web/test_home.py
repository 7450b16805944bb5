"""Home: what waits for whom, by role; the oldest first; nothing that is not there."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from once_delivery.accounts.models import Role
from once_delivery.ledger.services.restore_ledger import end_restorations, open_restoration
from once_delivery.ledger.transitions import Actor
from once_delivery.notices.models import Message
from once_delivery.review.models import Asset, Draft, Review, Revocation, RevocationStatus, Verdict
from once_delivery.targets.models import Target
from once_delivery.web.selectors.duties import duties_of
from once_delivery.web.selectors.home import home_of
from reconciliation.models import Approval, Case
from tests.builders import a_batch, a_delivery, a_draft, a_target
from tests.web.access import finance as books
from tests.web.conftest import World, signed_in
from tests.web.pages import read


def said(world: World, role: Role) -> str:
    return " ".join(read(signed_in(world.people[role]).get("/").content.decode()))


DUTIES = {
    Role.VIEWER: set(),
    Role.MARKETING_LEAD: {"drafts"},
    Role.OPS_OWNER: {"cases"},
    Role.FINANCE: {"assets"},
    Role.CLIENT_APPROVER: {"drafts"},
    Role.ADMIN: {"drafts", "cases", "assets"},
}


@pytest.mark.parametrize("role", list(Role))
def test_each_role_has_its_duties(world: World, role: Role) -> None:
    duties = duties_of(world.people[role])
    has = {name for name in ("drafts", "cases", "assets") if getattr(duties, name) is not None}
    assert has == DUTIES[role]


def test_who_belongs_to_nothing_has_none(world: World) -> None:
    duties = duties_of(world.nobody)
    assert (duties.drafts, duties.cases, duties.assets, duties.first) == (None, None, None, "")


def test_the_marketing_lead_reads_which_drafts_wait(world: World) -> None:
    text = said(world, Role.MARKETING_LEAD)
    assert "1 draft waits for your review" in text
    assert (
        '手冲壶 › <span class="nowrap">en-US</span>'
        in signed_in(world.people[Role.MARKETING_LEAD]).get("/").content.decode()
    )
    assert "Accepted this month" not in text


def test_cases_over_their_time_come_first_and_mine_before_those_of_others(world: World) -> None:
    now = timezone.now()
    mine = list(Case.objects.filter(project=world.project).order_by("pk"))
    Case.objects.filter(pk=mine[0].pk).update(owner=world.people[Role.ADMIN], due_at=now - timedelta(days=2))
    Case.objects.filter(pk=mine[1].pk).update(due_at=now - timedelta(hours=1))
    cases = duties_of(world.alice).cases
    assert cases is not None
    assert (cases.mine, cases.over, cases.others) == (len(mine) - 1, 1, 1)
    assert [one.pk for one in cases.rows] == [mine[1].pk, mine[0].pk]
    assert "1 case of yours is over its time." in said(world, Role.OPS_OWNER)


def test_what_was_put_off_does_not_wait(world: World) -> None:
    Case.objects.filter(project=world.project).update(snoozed_until=timezone.now() + timedelta(hours=1))
    cases = duties_of(world.alice).cases
    assert cases is not None
    assert (cases.mine, list(cases.rows)) == (0, [])


def test_an_approval_is_asked_of_the_approver_and_of_nobody_else(world: World) -> None:
    Approval.objects.create(
        project=world.project,
        case=world.case,
        decision="absent",
        by_client=True,
        action_revision=world.case.action.revision,
        proposed_by=world.alice,
        proposed_at=timezone.now(),
    )
    asked = {role for role in Role if duties_of(world.people[role]).asked}
    assert asked == {Role.CLIENT_APPROVER}
    assert "1 approval is asked of you." in said(world, Role.CLIENT_APPROVER)


def test_finance_reads_the_assets_of_this_month_that_stand(world: World) -> None:
    action = world.action("confirmed")
    now = timezone.now()
    draft = Draft.objects.create(
        project=world.project, action=action, content={}, content_hash="h", first_read_at=now, read_at=now
    )
    review = Review.objects.create(
        project=world.project,
        task=action.task,
        draft=draft,
        verdict=Verdict.ACCEPTED,
        user=world.people[Role.MARKETING_LEAD],
        at=now,
    )
    common = {
        "project": world.project,
        "task": action.task,
        "action": action,
        "review": review,
        "draft": draft,
    }
    Asset.objects.create(**common, accepted_at=now)
    Asset.objects.create(**common, accepted_at=now, withdrawn_at=now)
    Asset.objects.create(**common, accepted_at=now - timedelta(days=40), withdrawn_at=now)
    assert duties_of(world.people[Role.FINANCE]).assets == 1
    assert "Accepted this month 1 asset" in said(world, Role.FINANCE)
    assert duties_of(world.charlie).assets is None
    still = Asset.objects.create(**common, accepted_at=now, withdrawn_at=now)
    Revocation.objects.create(
        project=world.project, asset=still, review=review, status=RevocationStatus.ASKED, asked_at=now
    )
    assert duties_of(world.people[Role.FINANCE]).assets == 2  # until the client has answered


def test_targets_that_stand_refuted_are_told_to_those_who_watch(world: World) -> None:
    target = world.action("confirmed").target
    Target.objects.filter(pk=target.pk).update(refuted={"look_up": {}})
    told = {role for role in Role if duties_of(world.people[role]).refuted}
    assert told == {Role.OPS_OWNER, Role.ADMIN}
    assert "Targets that do not do what is claimed" in said(world, Role.OPS_OWNER)
    assert duties_of(world.charlie).refuted == []


def test_messages_that_were_given_up_are_told_to_admins(world: World) -> None:
    Message.objects.create(
        project=world.project,
        channel="email",
        address="a@example.com",
        event="case.opened",
        given_up_at=timezone.now(),
        error="550 no such box",
    )
    told = {role for role in Role if duties_of(world.people[role]).unsent}
    assert told == {Role.ADMIN}
    assert "550 no such box" in " ".join(
        signed_in(world.people[Role.ADMIN]).get("/").content.decode().split()
    )


def test_batches_of_drills_hide_no_delivery_that_stands_still(world: World) -> None:
    name = world.batch.name
    assert [row.batch.name for row in home_of(world.people[Role.OPS_OWNER]).batches] == [name]
    Target.objects.filter(project=world.project).update(of_drill=True)
    assert home_of(world.people[Role.OPS_OWNER]).batches == []


def test_a_drill_hides_no_batch_that_is_somebodys_own_too(world: World) -> None:
    """A drill's batches have fixed names: somebody's file may have the same one."""
    Target.objects.filter(project=world.project).update(of_drill=True)
    a_target(world.project, name="site")
    own = a_delivery("own-product", actions=(a_draft(target="site"),))
    a_batch(world.project, own, name=world.batch.name)
    assert [row.batch for row in home_of(world.people[Role.OPS_OWNER]).batches] == [world.batch]


def test_a_viewer_reads_where_the_deliveries_stand(world: World) -> None:
    text = said(world, Role.VIEWER)
    assert "Nothing waits for you." in text
    assert "wait for somebody else" in text


def test_books_in_which_nothing_was_posted_yet_say_so_at_home(world: World) -> None:
    books.code(world)
    said = signed_in(world.people[Role.FINANCE]).get("/").content.decode()
    assert "nothing posted yet" in said
    books.an_entry(world)
    assert "nothing posted yet" not in signed_in(world.people[Role.FINANCE]).get("/").content.decode()


@pytest.mark.parametrize("role", list(Role))
def test_an_open_restoration_is_shown_to_who_watches_the_targets(world: World, role: Role) -> None:
    since = timezone.now() - timedelta(hours=2)
    open_restoration(since=since, actor=Actor("test"))
    shown = "The database was restored from the backup of" in said(world, role)
    assert shown is (role in {Role.OPS_OWNER, Role.ADMIN})
    end_restorations(actor=Actor("test"))
    assert "The database was restored" not in said(world, role)
