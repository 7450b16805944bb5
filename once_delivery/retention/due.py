"""Which tasks are over for so long that their content is to be forgotten."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Action, Event, Observation, Receipt, Task
from once_delivery.ledger.states import FINAL
from once_delivery.review.models import (
    Comment,
    Draft,
    Review,
    ReviewState,
    Revocation,
    RevocationStatus,
    VisibleDraft,
)
from reconciliation.models import Case, CaseEvent, CaseStatus, Finding

OF_TASK = OuterRef("pk")


def due_tasks(project: Project, *, before: datetime) -> QuerySet[Task]:
    """Tasks that are final, with nothing open about them and nothing that happened since ``before``.

    Of those that were forgotten already, only such as have got something new afterwards.
    """
    over = Task.objects.filter(project=project, created_at__lt=before)
    for one in _open():
        over = over.filter(~one)
    for one in _since(before):
        over = over.filter(~one)
    return over.filter(Q(forgotten__isnull=True) | _any(_new(OuterRef("forgotten__at"))))


def kept_back(project: Project, *, before: datetime) -> QuerySet[Task]:
    """Tasks that were asked for before then and still have something open: they are kept, however old they are."""
    return Task.objects.filter(_any(_open()), project=project, created_at__lt=before)


def _open() -> list[Exists]:
    """What of a task is not over. That its results are still to be counted holds nothing up: that takes a marker alone."""
    actions = Action.objects.filter(task=OF_TASK)
    newer = Action.objects.exclude(state__in=FINAL)
    return [
        Exists(actions.exclude(state__in=FINAL)),
        # an update compares the draft with what was sent for it
        Exists(newer.filter(original__task=OF_TASK)),
        Exists(Case.objects.filter(action__task=OF_TASK, status=CaseStatus.OPEN)),
        Exists(Revocation.objects.filter(asset__task=OF_TASK, status=RevocationStatus.ASKED)),
        _in_work(),
    ]


def _in_work() -> Exists:
    """Changes were asked for, and neither a changed text nor a newer version has come: whoever makes them needs the words."""
    newer = VisibleDraft.objects.filter(
        project=OuterRef("project"),
        product=OuterRef("product"),
        locale=OuterRef("locale"),
        purpose=OuterRef("purpose"),
        task__input_version__number__gt=OuterRef("task__input_version__number"),
    )
    return Exists(VisibleDraft.objects.filter(~Exists(newer), pk=OF_TASK, state=ReviewState.CHANGES))


def _since(moment: datetime) -> list[Exists]:
    """What happened at or after ``moment``, by which a task's age is told."""
    return _happened("gte", moment)


def _new(forgotten_at: OuterRef) -> list[Exists]:
    """What has come after a task was forgotten. A look is no event, but it may have seen words."""
    looks = Observation.objects.filter(action__task=OF_TASK, recorded_at__gt=forgotten_at)
    return [*_happened("gt", forgotten_at), Exists(looks)]


def _happened(how: str, moment: datetime | OuterRef) -> list[Exists]:
    return [
        Exists(Event.objects.filter(**{"action__task": OF_TASK, f"at__{how}": moment})),
        Exists(Receipt.objects.filter(**{"action__task": OF_TASK, f"received_at__{how}": moment})),
        Exists(Draft.objects.filter(**{"action__task": OF_TASK, f"read_at__{how}": moment})),
        Exists(Review.objects.filter(**{"task": OF_TASK, f"at__{how}": moment})),
        Exists(Comment.objects.filter(**{"task": OF_TASK, f"at__{how}": moment})),
        Exists(CaseEvent.objects.filter(**{"case__action__task": OF_TASK, f"at__{how}": moment})),
        Exists(Finding.objects.filter(**{"action__task": OF_TASK, f"found_at__{how}": moment})),
    ]


def _any(found: list[Exists]) -> Q:
    whole = Q()
    for one in found:
        whole |= Q(one)
    return whole
