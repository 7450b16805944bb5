"""Which object of a task is reviewed."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext_noop

from once_delivery.common.errors import DomainError
from once_delivery.ledger.models import Action, Forgotten, Task
from once_delivery.ledger.states import State
from once_delivery.review.models import TO_DO, Review, VisibleDraft
from once_delivery.targets.base import Kind


class NoDraftError(DomainError):
    """Nothing to read."""

    code = "no-draft"
    template = gettext_noop("%(task)s has no confirmed draft to review.")


class NewerVersionError(DomainError):
    """The object has another brief's text now."""

    code = "newer-version"
    template = gettext_noop("The draft of %(task)s was updated to a newer input version; review that one.")


class DrillDraftError(DomainError):
    """No content: it was made to be counted."""

    code = "draft-of-drill"
    template = gettext_noop(
        "The draft of %(task)s was made by a drill: it is not reviewed, and nothing of it is counted."
    )


class DraftForgottenError(DomainError):
    """What was decided about stands; the text is the target's alone."""

    code = "draft-forgotten"
    template = gettext_noop(
        "The draft of %(task)s was decided about, and what was read of it has been forgotten. It is not read again."
    )


def must_be_remembered(task: Task) -> None:
    """A forgotten draft is read anew only while somebody has to decide about it. Raises DraftForgottenError."""
    if not Forgotten.objects.filter(task=task.pk).exists():
        return
    if not VisibleDraft.objects.filter(pk=task.pk, state__in=TO_DO).exists():
        raise DraftForgottenError(task=str(task))


def lock_draft(task_id: int) -> None:
    """Within a transaction: who writes what is known of a task's draft does so alone, until the commit.

    PostgreSQL takes this lock too (review/sql/visible.sql); whoever locks other rows of the draft takes it before those.
    """
    VisibleDraft.objects.select_for_update(no_key=True).filter(pk=task_id).values("pk").first()


def drafts_of(task: Task) -> QuerySet[Action]:
    """Confirmed drafts of a task, the first one first."""
    return Action.objects.filter(task=task, kind=Kind.CREATE_DRAFT, state=State.CONFIRMED).order_by("pk")


def draft_action_of(task: Task) -> Action:
    """The one draft of a task that people see. Raises NoDraftError, NewerVersionError, DrillDraftError."""
    newer = Action.objects.filter(original=OuterRef("pk"), state=State.CONFIRMED)
    action = drafts_of(task).select_related("target").annotate(overtaken=Exists(newer)).first()
    if action is None:
        raise NoDraftError(task=str(task))
    if action.overtaken:
        raise NewerVersionError(task=str(task))
    # decided about before there was this rule: it stays as it is (review/sql/visible_of_drills.sql)
    if action.target.of_drill and not Review.objects.filter(task=task).exists():
        raise DrillDraftError(task=str(task))
    return action
