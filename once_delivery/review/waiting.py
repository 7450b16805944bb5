"""What there is to review, in which state of review each draft is, and what waits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, TypedDict

from django.db.models import (
    BooleanField,
    Case,
    CharField,
    Exists,
    ExpressionWrapper,
    F,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    TextChoices,
    Value,
    When,
)
from django.utils.translation import pgettext_lazy

from once_delivery.accounts.models import Project, User
from once_delivery.ledger.models import Action
from once_delivery.ledger.states import State
from once_delivery.review.models import Draft, Review, Seen, ToReview, Verdict
from once_delivery.targets.base import Kind

if TYPE_CHECKING:
    from django_stubs_ext.annotations import WithAnnotations

COUNTED_MOST = 1000  # counting further tells a person nothing more


class ReviewState(TextChoices):
    """How a draft stands with the people who decide about it."""

    WAITS = "waits", pgettext_lazy("review", "waits for review")
    CHANGED = "changed", pgettext_lazy("review", "accepted, but changed since")
    CHANGES = "changes", pgettext_lazy("review", "changes asked for")
    REJECTED = "rejected", pgettext_lazy("review", "rejected")
    ACCEPTED = "accepted", pgettext_lazy("review", "accepted")


class Reviewed(TypedDict):
    """What ``reviewable`` adds to an action."""

    verdict: str | None
    decided_id: int | None
    latest_id: int | None
    review_state: str


class Looked(Reviewed):
    """What ``with_seen`` adds."""

    seen_id: int | None
    changed_since_seen: bool


if TYPE_CHECKING:
    Reviewable = WithAnnotations[Action, Reviewed]
    LookedAt = WithAnnotations[Action, Looked]
else:
    Reviewable = LookedAt = Action

TO_DO = (ReviewState.WAITS, ReviewState.CHANGED)


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many drafts wait for a decision, and since when the oldest does; ``more``: there are more than ``count``."""

    count: int = 0
    oldest: datetime | None = None
    more: bool = False


def reviewable(projects: Iterable[Project] | QuerySet[Project]) -> QuerySet[Reviewable]:
    """The one draft of each task of these projects that people see, with ``review_state`` (and what it follows from).

    That is its first confirmed draft, unless a newer input version has taken the object over. ``review_state`` is of
    ReviewState; ``decided_id`` is the draft that the standing decision is about, ``latest_id`` the one that was read
    last: None for a draft that nobody has read yet.
    """
    return _with_state(Action.objects.filter(project__in=projects))


def waits(action_id: int) -> bool:
    """Whether this action is a visible draft that nobody has decided about as it is."""
    return _with_state(Action.objects.filter(pk=action_id)).filter(review_state__in=TO_DO).exists()


def _with_state(found: QuerySet[Action]) -> QuerySet[Reviewable]:
    confirmed = Action.objects.filter(kind=Kind.CREATE_DRAFT, state=State.CONFIRMED)
    newer = Action.objects.filter(original=OuterRef("pk"), state=State.CONFIRMED)
    earlier = confirmed.filter(task=OuterRef("task"), pk__lt=OuterRef("pk"))
    latest = Review.objects.filter(task=OuterRef("task")).order_by("-at", "-pk")
    read = Draft.objects.filter(action=OuterRef("pk")).order_by("-read_at", "-pk")
    return (
        found.filter(~Exists(newer), ~Exists(earlier), kind=Kind.CREATE_DRAFT, state=State.CONFIRMED)
        .annotate(
            verdict=Subquery(latest.values("verdict")[:1]),
            decided_id=Subquery(latest.values("draft_id")[:1]),
            latest_id=Subquery(read.values("pk")[:1]),
        )
        .annotate(review_state=_state())
    )


def with_seen(found: QuerySet[Reviewable], user: User) -> QuerySet[LookedAt]:
    """With ``changed_since_seen``: the text that was read last is not the one that ``user`` saw last."""
    seen = Seen.objects.filter(task=OuterRef("task"), user=user).values("draft_id")[:1]
    changed = Q(seen_id__isnull=False) & ~Q(seen_id=F("latest_id"))
    return found.annotate(seen_id=Subquery(seen)).annotate(
        changed_since_seen=ExpressionWrapper(changed, output_field=BooleanField())
    )


def waiting_for_review(projects: Iterable[Project] | QuerySet[Project]) -> Waiting:
    """What waits in these projects: undecided drafts, and accepted ones that were changed since."""
    found = ToReview.objects.filter(project__in=projects)
    count = found.values("pk")[: COUNTED_MOST + 1].count()
    return Waiting(
        count=min(count, COUNTED_MOST),
        oldest=found.aggregate(oldest=Min("since"))["oldest"],
        more=count > COUNTED_MOST,
    )


def _state() -> Case:
    other = Q(latest_id__isnull=False) & ~Q(latest_id=F("decided_id"))
    return Case(
        When(Q(verdict__isnull=True) | Q(verdict=Verdict.WITHDRAWN), then=Value(ReviewState.WAITS)),
        When(Q(verdict=Verdict.ACCEPTED) & other, then=Value(ReviewState.CHANGED)),
        # what was sent back and has been worked on is to be looked at again
        When(Q(verdict=Verdict.CHANGES) & other, then=Value(ReviewState.WAITS)),
        When(verdict=Verdict.ACCEPTED, then=Value(ReviewState.ACCEPTED)),
        When(verdict=Verdict.CHANGES, then=Value(ReviewState.CHANGES)),
        default=Value(ReviewState.REJECTED),
        output_field=CharField(),
    )
