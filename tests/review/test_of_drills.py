"""What a drill makes at a target of its own is no content: nobody reviews it, and no asset comes of it."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from once_delivery.accounts.models import User
from once_delivery.ledger.models import Task
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.review.drafts import DrillDraftError, draft_action_of
from once_delivery.review.models import Asset, Verdict, VisibleDraft
from once_delivery.review.services.decide import Decider, decide_draft, take_back
from once_delivery.review.services.fetch_draft import fetch_draft
from once_delivery.review.waiting import waiting_for_review
from once_delivery.targets.models import Target
from tests.builders import a_batch, a_delivery, a_draft, a_target
from tests.review.what_follows import visible_drafts_are_right

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def drilled(task: Task) -> Task:
    """A confirmed draft at a drill's own target, beside the content of ``task``."""
    target = a_target(task.project, name="drill-0a1b2c-key")
    Target.objects.filter(pk=target.pk).update(of_drill=True)
    delivery = a_delivery("lamp", actions=(a_draft(target=target.name),))
    resume_batch(batch=a_batch(task.project, delivery, name="drill-0a1b2c-key-1"), wait_s=5)
    made = Task.objects.get(product__code="lamp")
    assert made.actions.get().state == "confirmed"
    return made


def test_it_neither_waits_nor_can_be_decided_about(task: Task, drilled: Task, lead: User) -> None:
    visible_drafts_are_right()
    assert [one.pk for one in VisibleDraft.objects.all()] == [task.pk]
    assert waiting_for_review([task.project_id]).count == 1
    with pytest.raises(DrillDraftError, match="made by a drill"):
        decide_draft(task=drilled, verdict=Verdict.ACCEPTED, decider=Decider(user=lead), content_hash="")
    assert not Asset.objects.exists()


def test_what_was_accepted_before_there_was_the_rule_can_be_taken_back(drilled: Task, lead: User) -> None:
    """As a ledger of before is brought up to date: what waits goes, what was decided stays."""
    executor = MigrationExecutor(connection)
    now = executor.loader.graph.leaf_nodes()
    executor.migrate([("review", "0011_draft_texts")])
    waited = VisibleDraft.objects.get(pk=drilled.pk)
    assert (waited.state, waited.since) == ("waits", drilled.actions.get().confirmed_at)
    MigrationExecutor(connection).migrate(now)
    assert not VisibleDraft.objects.filter(pk=drilled.pk).exists()

    MigrationExecutor(connection).migrate([("review", "0011_draft_texts")])
    Target.objects.filter(name="drill-0a1b2c-key").update(of_drill=False)
    hashed = fetch_draft(action=draft_action_of(drilled)).content_hash
    decide_draft(task=drilled, verdict=Verdict.ACCEPTED, decider=Decider(user=lead), content_hash=hashed)
    Target.objects.filter(name="drill-0a1b2c-key").update(of_drill=True)
    MigrationExecutor(connection).migrate(now)

    visible_drafts_are_right()
    assert VisibleDraft.objects.get(pk=drilled.pk).state == "accepted"
    take_back(task=drilled, decider=Decider(user=lead))
    assert not Asset.objects.filter(task=drilled, withdrawn_at=None).exists()
