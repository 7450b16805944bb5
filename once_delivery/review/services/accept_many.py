"""Accept several drafts at once: what each of them is now, then the decision one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from django.utils.translation import gettext_noop

from once_delivery.common.errors import DomainError
from once_delivery.ledger.models import Action, Task
from once_delivery.review.drafts import draft_action_of
from once_delivery.review.models import Draft, Review, Seen, Verdict
from once_delivery.review.people import must_review
from once_delivery.review.services.decide import (
    Decider,
    DraftChangedError,
    standing_review,
    write_decision,
)
from once_delivery.review.services.fetch_draft import keep_draft, read_object
from once_delivery.targets.base import FoundObject, Presence

READERS = 6  # drafts read at the same time; a target's own limits hold beside it


class HeldTwiceError(DomainError):
    """Two of ours are at the target: somebody looks at them first."""

    code = "held-twice"
    template = gettext_noop("The target holds this draft more than once; look at it alone.")


class StandsAlreadyError(DomainError):
    """Nothing to do."""

    code = "stands-already"
    template = gettext_noop("It is accepted already, and has not changed since.")


class ChangedSinceSeenError(DomainError):
    """Not the text that this person has seen."""

    code = "changed-since-seen"
    template = gettext_noop("It has changed since you looked at it.")


@dataclass(frozen=True, slots=True)
class Reading:
    """A task with its draft as it is now, or why it is left out."""

    task: Task
    action: Action | None = None
    draft: Draft | None = None
    error: DomainError | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one task: its decision, or why there is none."""

    task: Task
    review: Review | None = None
    error: DomainError | None = None


def plan_accepting(*, tasks: Sequence[Task], decider: Decider) -> list[Reading]:
    """Read each draft at its target; ``error`` says why one would not be accepted. Decides nothing."""
    _check(tasks, decider)
    return [_judged(reading, decider) for reading in read_drafts(tasks)]


def accept_many(*, tasks: Sequence[Task], hashes: Mapping[int, str], decider: Decider) -> list[Outcome]:
    """Accept each task whose draft still has the content hash that was planned (``hashes``, by task ID)."""
    _check(tasks, decider)
    return [_accepted(reading, hashes.get(reading.task.pk, ""), decider) for reading in read_drafts(tasks)]


def read_drafts(tasks: Sequence[Task]) -> list[Reading]:
    """The drafts as they are now. The targets are asked side by side, the database is written in this thread alone."""
    found = [_with_action(task) for task in tasks]
    with ThreadPoolExecutor(READERS) as pool:
        read = list(pool.map(_read, found))
    return [_kept(reading, one) for reading, one in zip(found, read, strict=True)]


def _check(tasks: Sequence[Task], decider: Decider) -> None:
    if decider.user is not None:
        for project in {task.project_id: task.project for task in tasks}.values():
            must_review(decider.user, project)


def _with_action(task: Task) -> Reading:
    try:
        return Reading(task, draft_action_of(task))
    except DomainError as error:
        return Reading(task, error=error)


def _read(reading: Reading) -> FoundObject | DomainError | None:
    """In a thread of its own: no database here."""
    if reading.action is None:
        return None
    try:
        return read_object(action=reading.action)
    except DomainError as error:
        return error


def _kept(reading: Reading, read: FoundObject | DomainError | None) -> Reading:
    if reading.action is None or read is None:
        return reading
    if isinstance(read, DomainError):
        return Reading(reading.task, reading.action, error=read)
    return Reading(reading.task, reading.action, keep_draft(action=reading.action, found=read))


def _judged(reading: Reading, decider: Decider) -> Reading:
    if reading.error is not None or reading.action is None or reading.draft is None:
        return reading
    error = _objection(reading.task, reading.action, reading.draft, decider)
    return Reading(reading.task, reading.action, reading.draft, error)


def _objection(task: Task, action: Action, draft: Draft, decider: Decider) -> DomainError | None:
    if action.presence == Presence.DUPLICATE:
        return HeldTwiceError()
    standing = standing_review(task)
    if standing and (standing.verdict, standing.draft_id) == (Verdict.ACCEPTED, draft.pk):
        return StandsAlreadyError()
    seen = Seen.objects.filter(task=task, user=decider.user).first() if decider.user else None
    if seen is not None and seen.draft_id != draft.pk:
        return ChangedSinceSeenError()
    return None


def _accepted(reading: Reading, planned: str, decider: Decider) -> Outcome:
    if reading.error is not None or reading.action is None or reading.draft is None:
        return Outcome(reading.task, error=reading.error)
    if reading.draft.content_hash != planned:
        return Outcome(reading.task, error=DraftChangedError())
    if reading.action.presence == Presence.DUPLICATE:
        return Outcome(reading.task, error=HeldTwiceError())
    review = write_decision(
        task=reading.task,
        action=reading.action,
        draft=reading.draft,
        verdict=Verdict.ACCEPTED,
        decider=decider,
    )
    return Outcome(reading.task, review)
