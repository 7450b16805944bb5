"""The whole story of one task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.utils import timezone

from once_delivery.common.errors import InvalidInputError
from once_delivery.ledger.models import Action, Batch, Task
from once_delivery.ledger.reasons import sentence
from once_delivery.ledger.states import NextStep, State
from once_delivery.targets.base import Presence
from once_delivery.targets.models import Target
from once_delivery.targets.profile import Guard
from once_delivery.web.selectors.deliveries import HEAVY, made_by_drill
from once_delivery.web.selectors.states import RANK
from once_delivery.web.selectors.timeline import TimeLine, timeline_of
from once_delivery.web.wording import guard_words
from reconciliation.models import Case, CaseStatus


@dataclass(frozen=True, slots=True)
class ActionFacts:
    """The six facts of an action, why it stands so, what protects it, and who decides."""

    action: Action
    guard: str
    guard_sentence: str
    reason: str
    result_url: str
    case: Case | None

    @property
    def once(self) -> str:
        """The count that was taken at the target, "" when it was not."""
        return {Presence.PRESENT: "one", Presence.DUPLICATE: "two", Presence.MISSING: "none"}.get(
            Presence(self.action.presence), ""
        )

    @property
    def next_at_matters(self) -> bool:
        """Something happens by itself, and not yet."""
        at = self.action.next_step_at
        by_itself = self.action.next_step in {NextStep.LOOK_UP, NextStep.REPLAY, NextStep.WAIT}
        return by_itself and at is not None and at > timezone.now()


@dataclass(frozen=True, slots=True)
class Story:
    """A task with everything that is known of it."""

    actions: list[ActionFacts]
    batches: list[Batch]
    timeline: TimeLine

    @property
    def state(self) -> str:
        """The most urgent state of its actions stands for the task."""
        return min(
            (one.action.state for one in self.actions), key=lambda state: RANK[state], default=State.PLANNED
        )

    @property
    def of_drill(self) -> bool:
        return made_by_drill([one.action for one in self.actions])

    @property
    def confirmed(self) -> int:
        return sum(one.action.state == State.CONFIRMED for one in self.actions)


def story_of(task: Task, *, before: str = "") -> Story:
    """Read the task's story; ``before`` is the place in a time line of more than a page."""
    actions = list(Action.objects.filter(task=task).select_related("target").defer(*HEAVY).order_by("pk"))
    return Story(
        actions=facts_of(actions),
        batches=list(Batch.objects.filter(tasks=task, project=task.project_id).order_by("-pk")[:20]),
        timeline=timeline_of(actions, before=before),
    )


def facts_of(actions: Sequence[Action]) -> list[ActionFacts]:
    """The facts of each action."""
    cases = {
        case.action_id: case
        for case in Case.objects.filter(action__in=actions, status=CaseStatus.OPEN).select_related("owner")
    }
    return [_facts(action, cases.get(action.pk)) for action in actions]


def _facts(action: Action, case: Case | None) -> ActionFacts:
    guard, words = guard_words(_guard_of(action.target))
    return ActionFacts(
        action=action,
        guard=guard,
        guard_sentence=words,
        reason=sentence(action.reason),
        result_url=web_address(action.result_url),
        case=case,
    )


def _guard_of(target: Target) -> str:
    """The guard; none when the stored profile cannot be read, for then nothing protects."""
    try:
        return target.profile.guard
    except InvalidInputError:
        return Guard.NONE


def web_address(url: str) -> str:
    """An address that a browser may be led to; a target's answer is not to be believed in this."""
    return url if urlsplit(url).scheme in {"http", "https"} else ""
