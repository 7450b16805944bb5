"""Drafts in a list or a grid, each with its state of review."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet
from django.db.models.fields.json import KT
from django.urls import reverse
from django.utils.translation import gettext as _

from once_delivery.accounts.models import User
from once_delivery.ledger.models import Action, Event, Task
from once_delivery.review.models import Draft, Review
from once_delivery.review.reading import images_of, plain
from once_delivery.review.services.fetch_image import base_of
from once_delivery.review.waiting import COUNTED_MOST, LookedAt, ReviewState
from once_delivery.targets.base import Presence
from once_delivery.web.selectors.image_claims import image_claim
from once_delivery.web.selectors.review_filters import STATES, ReviewFilters, drafts_for, in_state
from reconciliation.models import Case, CaseKind, CaseStatus, Finding, FindingKind

PAGE = 50
EXCERPT_OF, EXCERPT = 2000, 160  # characters
HEAVY = ("payload", "target__declaration", "target__credentials_sealed", "task__input_version__content")


@dataclass(frozen=True, slots=True)
class Twice:
    """Two of ours at the target: their IDs, and the case where that is dealt with."""

    result_ids: tuple[str, ...]
    case: Case | None


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """One draft. ``image`` is the address of its first image, within this house."""

    action: Action
    task: Task
    state: ReviewState
    title: str
    image: str
    draft: Draft | None
    review: Review | None
    changed_since_seen: bool
    twice: Twice | None

    @property
    def excerpt(self) -> str:
        """How the text begins, where there is no image."""
        body = str(self.draft.content.get("body", "")) if self.draft else ""
        return plain(body[:EXCERPT_OF])[:EXCERPT]


@dataclass(frozen=True, slots=True)
class StateLink:
    """A state to choose: its address, how many there are (None: too many to count), whether it is chosen."""

    query: str
    count: int | None
    here: bool


@dataclass(frozen=True, slots=True)
class ReviewList:
    """A page of drafts. ``counts`` by state; None when there are more than anybody counts."""

    rows: list[ReviewRow]
    next_key: str
    first: bool
    total: int
    more: bool
    counts: dict[str, int] | None


def review_list(user: User, filters: ReviewFilters, *, key: str) -> ReviewList:
    """One page, by product. The number of queries does not grow with the rows."""
    found = drafts_for(user, filters)
    states = list(found.order_by().values_list("review_state", flat=True)[: COUNTED_MOST + 1])
    counted = Counter(states) if len(states) <= COUNTED_MOST else None
    wanted = in_state(found, filters.state)
    total = (
        sum(counted[state] for state in STATES[filters.state])
        if counted is not None
        else len(wanted.order_by().values_list("pk", flat=True)[: COUNTED_MOST + 1])
    )
    place = _place(key)
    rows = list(_after(wanted, *place)[: PAGE + 1]) if place else list(heavy(wanted)[: PAGE + 1])
    last = rows[PAGE - 1] if len(rows) > PAGE else None
    return ReviewList(
        rows=rows_of(rows[:PAGE]),
        next_key=f"{last.task.product_id}.{last.task_id}" if last else "",
        first=place is None,
        total=min(total, COUNTED_MOST),
        more=total > COUNTED_MOST,
        counts=dict(counted) if counted is not None else None,
    )


def state_links(filters: ReviewFilters, page: ReviewList) -> list[tuple[StateLink, str]]:
    """The states that can be chosen, each with its word."""
    words = {"": _("to decide"), "all": _("all states")}
    words |= {str(state): str(state.label) for state in ReviewState if state.value in STATES}
    links = []
    for state in STATES:
        count = sum(page.counts.get(one, 0) for one in STATES[state]) if page.counts is not None else None
        here = filters.state == state
        links.append((StateLink(filters.query(state=state), count, here), words[state]))
    return links


def neighbours(user: User, filters: ReviewFilters, task: Task) -> tuple[UUID | None, UUID | None]:
    """The tasks before and after this one among those that the filters show."""
    wanted = in_state(drafts_for(user, filters), filters.state)
    here = (task.product_id, task.pk)
    before = wanted.filter(_behind(*here)).order_by("-task__product_id", "-task_id")
    after = wanted.filter(ahead_of(*here))
    return (
        before.values_list("task__uuid", flat=True).first(),
        after.values_list("task__uuid", flat=True).first(),
    )


def next_to_decide(user: User, filters: ReviewFilters, task: Task) -> UUID | None:
    """The next draft that waits, from the first one on again after the last."""
    waits = in_state(drafts_for(user, filters), "").exclude(task=task)
    after = waits.filter(ahead_of(task.product_id, task.pk)).values_list("task__uuid", flat=True).first()
    return after or waits.values_list("task__uuid", flat=True).first()


def rows_of(actions: Sequence[LookedAt]) -> list[ReviewRow]:
    """Rows with what stands beside each draft."""
    drafts = Draft.objects.select_related("action__target").defer(
        "action__payload", "action__target__declaration"
    )
    read = drafts.in_bulk([one.latest_id for one in actions if one.latest_id])
    reviews = _reviews([one.task_id for one in actions])
    twice = twice_of(actions)
    return [
        _row(one, read.get(one.latest_id or 0), reviews.get(one.task_id), twice.get(one.pk))
        for one in actions
    ]


def twice_of(actions: Sequence[Action]) -> dict[int, Twice]:
    """Which of these the target holds more than once, by action ID: the finding's evidence, or the event's."""
    ids = [one.pk for one in actions if one.presence == Presence.DUPLICATE]
    named: dict[int, set[str]] = defaultdict(set)
    evidence = [
        *Finding.objects.filter(action__in=ids, kind=FindingKind.DUPLICATE, over_at=None).values_list(
            "action_id", "evidence"
        ),
        *Event.objects.filter(action__in=ids, kind="duplicate.seen").values_list("action_id", "data"),
    ]
    for action_id, data in evidence:
        if action_id is not None:
            named[action_id] |= _named(data)
    cases = Case.objects.filter(action__in=ids, kind=CaseKind.DUPLICATE, status=CaseStatus.OPEN)
    by_action = {case.action_id: case for case in cases}
    return {
        one.pk: Twice(tuple(sorted({one.result_id, *named[one.pk]})), by_action.get(one.pk))
        for one in actions
        if one.presence == Presence.DUPLICATE
    }


def _named(data: object) -> set[str]:
    if not isinstance(data, dict):
        return set()
    held = data.get("held") if isinstance(data.get("held"), list) else []
    ids = data.get("result_ids") if isinstance(data.get("result_ids"), list) else []
    return {str(one.get("result_id")) for one in held or () if isinstance(one, dict)} | {
        str(i) for i in ids or ()
    }


def _row(one: LookedAt, draft: Draft | None, review: Review | None, twice: Twice | None) -> ReviewRow:
    content = draft.content if draft else {}
    images = images_of(content, base=base_of(draft)) if draft else []
    image = ""
    if draft and images:
        claim = image_claim(draft.pk, images[0])
        image = f"{reverse('web:review-image', args=[one.task.uuid])}?of={claim}"
    return ReviewRow(
        action=one,
        task=one.task,
        state=ReviewState(one.review_state),
        title=str(content.get("title") or getattr(one, "sent_title", "") or one.result_id),
        image=image,
        draft=draft,
        review=review,
        changed_since_seen=one.changed_since_seen,
        twice=twice,
    )


def _reviews(task_ids: Sequence[int]) -> dict[int, Review]:
    latest = (
        Review.objects.filter(task__in=task_ids)
        .select_related("user", "link")
        .order_by("task_id", "-at", "-pk")
        .distinct("task_id")
    )
    return {review.task_id: review for review in latest}


def heavy(found: QuerySet[LookedAt]) -> QuerySet[LookedAt]:
    return (
        found.select_related("target", "task__product", "task__input_version", "task__project")
        .defer(*HEAVY)
        .annotate(sent_title=KT("payload__title"))
    )


def _after(found: QuerySet[LookedAt], product_id: int, task_id: int) -> QuerySet[LookedAt]:
    return heavy(found.filter(ahead_of(product_id, task_id)))


def ahead_of(product_id: int, task_id: int) -> Q:
    return Q(task__product_id__gt=product_id) | Q(task__product_id=product_id, task_id__gt=task_id)


def _behind(product_id: int, task_id: int) -> Q:
    return Q(task__product_id__lt=product_id) | Q(task__product_id=product_id, task_id__lt=task_id)


def _place(key: str) -> tuple[int, int] | None:
    """The product and task after which a page begins; None for a key that is none."""
    product, _dot, task = key.partition(".")
    if not all(part.isdecimal() and len(part) < 19 for part in (product, task)):  # noqa: PLR2004
        return None
    return int(product), int(task)
