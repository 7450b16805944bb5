"""What waits at a target whose claims a probe refuted: nothing of it is sent, so somebody must own it (R13)."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Q, QuerySet

from once_delivery.accounts.models import Project
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Action
from once_delivery.ledger.states import NextStep, State
from once_delivery.targets.base import Kind
from once_delivery.targets.models import Target
from once_delivery.targets.refutations import kinds_held_back
from reconciliation.models import Case, CaseKind, CaseStatus


def waiting_at(target_id: int) -> QuerySet[Action]:
    """The actions that are due at the target and are held back; none where it holds nothing back."""
    kinds = kinds_held_back(target_id)
    if not kinds:
        return Action.objects.none()
    named = Q(kind__in=kinds)
    if Kind.UPDATE_DRAFT in kinds:  # an update is kept as the draft that it brings up to date
        named |= Q(original__state=State.CONFIRMED)
    return Action.objects.filter(
        named,
        target_id=target_id,
        state__in=[State.PLANNED, State.REFUSED],
        next_step=NextStep.PERFORM,
        next_step_at__lte=database_now(),
    )


def held_without_case(project: Project | None) -> Iterator[Action]:
    """For each target that holds something back and has no case for it: the action that has waited longest."""
    targets = Target.objects.exclude(refuted={})
    if project is not None:
        targets = targets.filter(project=project)
    theirs = Case.objects.filter(kind=CaseKind.HELD, status=CaseStatus.OPEN)
    for target in targets.exclude(pk__in=theirs.values("action__target")):
        waiting = waiting_at(target.pk).exclude(cases__status=CaseStatus.OPEN)
        first = waiting.select_related("project").order_by("next_step_at", "pk").first()
        if first is not None:
            yield first


def is_over(case: Case) -> bool:
    """The action of a case about a held target may be sent, or is closed: another that waits has a case of its own."""
    return not waiting_at(case.action.target_id).filter(pk=case.action_id).exists()
