from __future__ import annotations

from uuid import UUID

from once_delivery.accounts.models import Role
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Task
from once_delivery.review.models import Asset, Draft, Review
from once_delivery.review.services.approval_links import make_link
from once_delivery.review.services.revoke import take_back_acceptance
from tests.web.access.row import Row, only
from tests.web.conftest import World

REVIEWERS = (Role.MARKETING_LEAD, Role.CLIENT_APPROVER, Role.ADMIN)
NOBODYS = UUID(int=7)


def the_task(world: World) -> Task:
    return world.action("confirmed").task


def a_link(world: World) -> str:
    _link, secret = make_link(
        task=the_task(world), approver="Legal", days=7, user=world.people[Role.MARKETING_LEAD]
    )
    return secret


def open_link(world: World) -> object:
    link, _secret = make_link(
        task=the_task(world), approver="Legal", days=7, user=world.people[Role.MARKETING_LEAD]
    )
    return link.uuid


def taken_back(world: World) -> Task:
    """A task whose acceptance was taken back: the client is asked."""
    action = world.action("confirmed")
    draft = Draft.objects.create(
        project=world.project,
        action=action,
        content={"title": "Kettle"},
        content_hash="e" * 64,
        first_read_at=database_now(),
        read_at=database_now(),
    )
    said = {"project": world.project, "task": action.task, "draft": draft, "at": database_now()}
    lead = world.people[Role.MARKETING_LEAD]
    accepted = Review.objects.create(verdict="accepted", user=world.people[Role.CLIENT_APPROVER], **said)
    Asset.objects.create(
        project=world.project,
        task=action.task,
        action=action,
        review=accepted,
        draft=draft,
        accepted_at=database_now(),
    )
    back = Review.objects.create(verdict="withdrawn", user=lead, **said)
    take_back_acceptance(task=action.task, review=back)
    return action.task


ROWS = [
    Row("web:review", stranger=200),
    Row("web:review-export", stranger=200),
    Row("web:review-task", lambda w: [the_task(w).uuid]),
    # 409: the target of these tests cannot be read
    Row(
        "web:review-task",
        lambda w: [the_task(w).uuid],
        "post",
        lambda _: {"do": "accept", "content_hash": "x"},
        member=403,
        but=only(*REVIEWERS, status=409),
    ),
    Row(
        "web:review-comment",
        lambda w: [the_task(w).uuid],
        "post",
        lambda _: {"text": "Which photograph?"},
        member=302,
        but=only(Role.VIEWER, status=403),
    ),
    # 404: nothing that we signed
    Row("web:review-image", lambda w: [the_task(w).uuid], member=404),
    Row(
        "web:review-links",
        lambda w: [the_task(w).uuid],
        "post",
        lambda _: {"approver": "Legal", "days": "7"},
        member=403,
        but=only(*REVIEWERS, status=302),
        confirmed=True,
    ),
    Row(
        "web:review-revoke",
        lambda w: [the_task(w).uuid, open_link(w)],
        "post",
        member=403,
        but=only(*REVIEWERS, status=302),
    ),
    Row(
        "web:review-taken-back",
        lambda w: [taken_back(w).uuid],
        "post",
        lambda _: {"agree": "yes"},
        member=403,
        but=only(Role.CLIENT_APPROVER, status=302),
    ),
    Row(
        "web:review-plan",
        method="post",
        data=lambda w: {"task": the_task(w).uuid},
        member=403,
        stranger=403,
        but=only(*REVIEWERS, status=200),
    ),
    # a stranger's wish is for nothing that they may see: nothing is read
    Row(
        "web:review-read",
        method="post",
        data=lambda w: {"unread": the_task(w).uuid},
        member=403,
        stranger=302,
        but=only(*REVIEWERS, status=302),
    ),
    Row(
        "web:review-start",
        method="post",
        data=lambda w: {"item": f"{the_task(w).uuid}:x"},
        member=403,
        stranger=403,
        but=only(*REVIEWERS, status=302),
    ),
    # a run is in the session of whoever began it
    Row("web:review-run", lambda _: [NOBODYS], member=404),
    Row("web:review-run", lambda _: [NOBODYS], "post", member=404),
    Row("web:review-undo", lambda _: [NOBODYS], "post", member=404),
    # whoever has the link
    Row("web:approve", lambda w: [a_link(w)], anonymous=200, stranger=200),
    Row("web:approve", lambda w: [a_link(w)], "post", anonymous=422, member=422, stranger=422),
    Row("web:approve-image", lambda w: [a_link(w)], anonymous=404, member=404),
]
