"""What stands beside a task: its brief, decisions, cases, versions before and after, and whose draft it updates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from once_delivery.ledger.models import Action, Task
from once_delivery.ledger.states import State
from once_delivery.ui.templatetags.ui import person
from once_delivery.web.selectors.deliveries import HEAVY
from once_delivery.web.selectors.review_draft import Brief, brief_of
from once_delivery.web.selectors.review_task import Said, history_of
from reconciliation.models import Case

MOST = 20


@dataclass(frozen=True, slots=True)
class InPlace:
    """In words: whose draft an action updates, or which version took its draft on. ``other`` is the other task."""

    action: Action
    words: str
    other: Task


@dataclass(frozen=True, slots=True)
class TaskMore:
    """Everything beside the actions themselves."""

    brief: Brief
    history: list[Said]
    cases: Sequence[Case]
    versions: Sequence[Task]  # the same deliverable by its input versions, the newest first
    in_place: list[InPlace]


def more_of(task: Task, actions: Sequence[Action]) -> TaskMore:
    """Read it; the number of queries does not grow with what there is."""
    versions = (
        Task.objects.filter(product=task.product_id, locale=task.locale, purpose=task.purpose)
        .select_related("input_version")
        .defer("input_version__content")
        .order_by("-input_version__number")
    )
    cases = Case.objects.filter(action__in=actions).select_related("owner", "resolved_by").order_by("-pk")
    return TaskMore(
        brief=brief_of(task),
        history=history_of(task, person),
        cases=list(cases[:MOST]),
        versions=list(versions[:MOST]),
        in_place=_in_place(actions),
    )


def _in_place(actions: Sequence[Action]) -> list[InPlace]:
    """Both directions: what these actions take on, and what takes theirs on."""
    related = (
        Action.objects.select_related("task__input_version", "task__product")
        .defer(*(name for name in HEAVY if "__" not in name), "task__input_version__content")
        .order_by("pk")
    )
    originals = {
        one.pk: one for one in related.filter(pk__in=[a.original_id for a in actions if a.original_id])
    }
    own = {action.pk: action for action in actions}
    found = [
        InPlace(action, _updates(action, originals[action.original_id]), originals[action.original_id].task)
        for action in actions
        if action.original_id in originals
    ]
    newer = related.filter(original__in=actions)
    found += [InPlace(own[one.original_id], _taken(one), one.task) for one in newer if one.original_id in own]
    return found


def _updates(action: Action, original: Action) -> str:
    params = {"number": original.task.input_version.number, "id": original.result_id or "–"}
    if action.state == State.CONFIRMED:
        if action.result_id == original.result_id:
            return (
                _("The draft of v%(number)s (ID %(id)s) was updated in place; no second one was made.")
                % params
            )
        return _("A draft of its own was made; the one of v%(number)s (ID %(id)s) was not updated.") % params
    if action.state in {State.SUPERSEDED, State.CANCELLED}:
        return _("It was to update the draft of v%(number)s (ID %(id)s) and never did.") % params
    if original.state != State.CONFIRMED:
        return (
            _("It waits for v%(number)s, whose draft it is to update; that one is not confirmed yet.")
            % params
        )
    return _("It is to update the draft of v%(number)s (ID %(id)s) in place; no second one is made.") % params


def _taken(newer: Action) -> str:
    params = {"number": newer.task.input_version.number}
    if newer.state == State.CONFIRMED:
        return _("v%(number)s has taken this draft on: the object at the target has its text now.") % params
    if newer.state in {State.SUPERSEDED, State.CANCELLED}:
        return _("v%(number)s was to take this draft on and never did.") % params
    return _("v%(number)s is to take this draft on; until then the object keeps this text.") % params
