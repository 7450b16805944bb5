"""Everything on the page where one draft is decided about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from once_delivery.accounts.models import User
from once_delivery.common.errors import DomainError
from once_delivery.ledger.models import Action, Task
from once_delivery.review.drafts import draft_action_of, must_be_remembered
from once_delivery.review.models import ApprovalLink, Comment, Draft, Reason, Review, ReviewState, Verdict
from once_delivery.review.services.decide import standing_review
from once_delivery.review.services.fetch_draft import fetch_draft
from once_delivery.review.services.note_seen import note_seen
from once_delivery.web.review_looks import VERDICT_LOOKS
from once_delivery.web.selectors.review_draft import (
    Brief,
    Comparison,
    Shown,
    brief_of,
    compared,
    shown_fields,
    shown_images,
)
from once_delivery.web.selectors.review_list import Twice, twice_of
from once_delivery.web.selectors.task import web_address
from once_delivery.web.wording import Words

HISTORY_MOST = 200


@dataclass(frozen=True, slots=True)
class Said:
    """A decision or a comment. ``verdict`` is empty for a comment."""

    at: datetime
    who: str
    by_link: bool
    verdict: str
    word: Words
    reasons: list[Words]
    text: str
    version: str

    @property
    def look(self) -> tuple[str, str]:
        return VERDICT_LOOKS.get(self.verdict, ("", "answer"))


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """The draft as it was read now, or ``error``: why it was not."""

    task: Task
    action: Action | None
    draft: Draft | None
    error: DomainError | None
    fields: list[Shown]
    images: list[str]
    comparison: Comparison | None
    brief: Brief
    standing: Review | None
    state: ReviewState
    twice: Twice | None
    changed_since_seen: bool
    at_target: str


def review_page(
    task: Task,
    *,
    user: User | None,
    image_address: Callable[[str], str],
    opened_hash: str = "",
    this_task_alone: bool = False,
) -> ReviewPage:
    """Read the draft at its target now. ``opened_hash``: of the text that a form was sent for, and is no more.

    ``this_task_alone``: nothing of other versions of the product is shown.
    """
    action, draft, error = _read(task)
    standing = standing_review(task)
    seen = note_seen(task=task, user=user, draft=draft) if user and draft else None
    return ReviewPage(
        task=task,
        action=action,
        draft=draft,
        error=error,
        fields=shown_fields(draft, image_address=image_address) if draft else [],
        images=shown_images(draft, image_address=image_address) if draft else [],
        comparison=(
            compared(
                task,
                draft,
                opened_hash=opened_hash,
                image_address=image_address,
                this_task_alone=this_task_alone,
            )
            if draft
            else None
        ),
        brief=brief_of(task, this_task_alone=this_task_alone),
        standing=standing,
        state=_state(standing, draft),
        twice=twice_of([action]).get(action.pk) if action else None,
        changed_since_seen=seen is not None and draft is not None and seen.pk != draft.pk,
        at_target=web_address(draft.url) if draft else "",
    )


def history_of(task: Task, person: Callable[[User], str]) -> list[Said]:
    """Decisions and comments, the newest first."""
    reviews = Review.objects.filter(task=task).select_related("user", "link", "draft").order_by("-at", "-pk")
    comments = Comment.objects.filter(task=task).select_related("user").order_by("-at", "-pk")
    said = [_decided(one, person) for one in reviews[:HISTORY_MOST]]
    said += [
        Said(one.at, person(one.user), False, "", "", [], one.text, "")  # noqa: FBT003 - a plain record
        for one in comments[:HISTORY_MOST]
    ]
    return sorted(said, key=lambda one: one.at, reverse=True)[:HISTORY_MOST]


def links_of(task: Task) -> list[ApprovalLink]:
    """Links of the task, the newest first, each with ``open``: whether it still opens something."""
    links = list(ApprovalLink.objects.filter(task=task).select_related("created_by").order_by("-pk")[:50])
    now = timezone.now()
    for link in links:
        link.open = link.revoked_at is None and link.expires_at > now  # type: ignore[attr-defined]
    return links


def _read(task: Task) -> tuple[Action | None, Draft | None, DomainError | None]:
    action = None
    try:
        action = draft_action_of(task)
        must_be_remembered(task)
        return action, fetch_draft(action=action), None
    except DomainError as error:
        return action, None, error


def _state(standing: Review | None, draft: Draft | None) -> ReviewState:
    """As in the list (``review/sql/visible.sql``), for the text that was read just now."""
    if standing is None:
        return ReviewState.WAITS
    other = draft is not None and draft.pk != standing.draft_id
    if standing.verdict == Verdict.ACCEPTED:
        return ReviewState.CHANGED if other else ReviewState.ACCEPTED
    if standing.verdict == Verdict.CHANGES:
        return ReviewState.WAITS if other else ReviewState.CHANGES
    return ReviewState.REJECTED


def _decided(one: Review, person: Callable[[User], str]) -> Said:
    who = person(one.user) if one.user else one.link.approver if one.link else ""
    return Said(
        at=one.at,
        who=who,
        by_link=one.link_id is not None,
        verdict=one.verdict,
        word=Verdict(one.verdict).label,
        reasons=[Reason(reason).label for reason in one.reasons if reason in Reason.values],
        text=one.text,
        version=one.draft.content_hash,
    )
