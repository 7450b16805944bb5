"""Decide about the draft of a task: accept it, ask for changes, reject it, or take that back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_noop

from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError
from once_delivery.common.redact import storable
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Action, Task
from once_delivery.review.drafts import draft_action_of
from once_delivery.review.models import ApprovalLink, Asset, Draft, Reason, Review, Verdict
from once_delivery.review.people import must_review
from once_delivery.review.services.fetch_draft import fetch_draft
from once_delivery.review.services.revoke import (
    accepted_again,
    question_answered_by,
    take_back_acceptance,
    write_answer,
)

TEXT_LONGEST = 4000
_NEEDS_REASON = frozenset({Verdict.CHANGES, Verdict.REJECTED})


class DraftChangedError(DomainError):
    """The draft is not the one that was looked at."""

    code = "draft-changed"
    template = gettext_noop("The draft was changed at the target since you opened it; look at it again.")


class ReasonNeededError(DomainError):
    """Who gets the work back wants to know why."""

    code = "reason-needed"
    template = gettext_noop("Say what is wrong: choose a reason, or write it down.")


class UnknownReasonError(DomainError):
    """Not a reason of the list."""

    code = "unknown-reason"
    template = gettext_noop("“%(reason)s” is no reason of the list.")


class NothingToTakeBackError(DomainError):
    """No decision stands."""

    code = "nothing-to-take-back"
    template = gettext_noop("No decision about this draft stands that could be taken back.")


@dataclass(frozen=True, slots=True)
class Decider:
    """Who decides: a member of the project, or whoever holds a link. The caller has checked the link."""

    user: User | None = None
    link: ApprovalLink | None = None


def decide_draft(
    *,
    task: Task,
    verdict: Verdict,
    decider: Decider,
    content_hash: str,
    reasons: Sequence[str] = (),
    text: str = "",
) -> Review:
    """Afterwards the decision stands for the text with ``content_hash``, which the target still holds.

    Accepting makes the task's asset (once); asking for changes or rejecting takes a standing one back, which counts on
    until the client agrees. The same decision about the same text again changes nothing, but that it answers for the
    client whether what was taken back still counts. Raises NotYoursToReviewError, NoDraftError, NewerVersionError,
    DrillDraftError, DraftChangedError, ReasonNeededError, UnknownReasonError, and what ``fetch_draft``
    raises.
    """
    if decider.user is not None:
        must_review(decider.user, task.project)
    kept = _reasons(verdict, reasons, text)
    action = draft_action_of(task)
    draft = fetch_draft(action=action)
    if draft.content_hash != content_hash:
        raise DraftChangedError
    return write_decision(
        task=task, action=action, draft=draft, verdict=verdict, decider=decider, reasons=kept, text=text
    )


def write_decision(
    *,
    task: Task,
    action: Action,
    draft: Draft,
    verdict: Verdict,
    decider: Decider,
    reasons: Sequence[str] = (),
    text: str = "",
) -> Review:
    """The decision about ``draft``, which the caller has just read at the target and found as it was shown."""
    with transaction.atomic():
        Task.objects.select_for_update().get(pk=task.pk)  # one decision of a task at a time
        standing = standing_review(task)
        asked = question_answered_by(task=task, verdict=verdict, user=decider.user)
        if (
            standing is not None
            and (standing.verdict, standing.draft_id) == (verdict, draft.pk)
            and not asked
        ):
            return standing
        now = database_now()
        review = _write(task, draft, verdict, decider, now=now, reasons=reasons, text=text)
        if verdict == Verdict.ACCEPTED:
            _accept(task, action, draft, review, now)
        else:
            take_back_acceptance(task=task, review=review)
        if asked is not None and decider.user is not None:
            write_answer(revocation=asked, user=decider.user, agree=True, words=text)
    return review


def take_back(*, task: Task, decider: Decider, only: Review | None = None) -> Review:
    """Afterwards no decision about the task's draft stands.

    With ``only`` just that decision is taken back, not a later one. Raises NothingToTakeBackError,
    NotYoursToReviewError.
    """
    if decider.user is not None:
        must_review(decider.user, task.project)
    with transaction.atomic():
        Task.objects.select_for_update().get(pk=task.pk)
        standing = standing_review(task)
        if standing is None or (only is not None and standing.pk != only.pk):
            raise NothingToTakeBackError
        now = database_now()
        review = _write(task, standing.draft, Verdict.WITHDRAWN, decider, now=now)
        take_back_acceptance(task=task, review=review)
    return review


def standing_review(task: Task) -> Review | None:
    """The decision that holds: the latest one, unless it was taken back."""
    latest = (
        Review.objects.filter(task=task)
        .select_related("draft__action", "user", "link")
        .order_by("-at", "-pk")
    )
    review = latest.first()
    return None if review is None or review.verdict == Verdict.WITHDRAWN else review


def _reasons(verdict: Verdict, reasons: Sequence[str], text: str) -> list[str]:
    for reason in reasons:
        if reason not in Reason.values:
            raise UnknownReasonError(reason=reason[:60])
    if verdict in _NEEDS_REASON and not reasons and not storable(text).strip():
        raise ReasonNeededError
    return sorted(set(reasons))


def _write(
    task: Task,
    draft: Draft,
    verdict: Verdict,
    decider: Decider,
    *,
    now: datetime,
    reasons: Sequence[str] = (),
    text: str = "",
) -> Review:
    return Review.objects.create(
        project_id=task.project_id,
        task=task,
        draft=draft,
        verdict=verdict,
        reasons=list(reasons),
        text=storable(text).strip()[:TEXT_LONGEST],
        user=decider.user,
        link=decider.link,
        at=now,
    )


def _accept(task: Task, action: Action, draft: Draft, review: Review, now: datetime) -> None:
    """One asset a task: accepted again after a change it stays the same one, with the text that is accepted now."""
    changed = Asset.objects.filter(task=task, withdrawn_at__isnull=True).update(draft=draft, review=review)
    if not changed:
        Asset.objects.create(
            project_id=task.project_id,
            task=task,
            action=action,
            review=review,
            draft=draft,
            accepted_at=now,
        )
        accepted_again(task=task)
