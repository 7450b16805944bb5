"""Drafts in a list or a grid, each with its state of review."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.db.models.fields.json import KeyTextTransform
from django.urls import reverse
from django.utils.translation import gettext as _

from once_delivery.accounts.models import User
from once_delivery.common.digits import whole_number
from once_delivery.ledger.models import Action, Event, Task
from once_delivery.review.finding import Place, page_of, tasks_of
from once_delivery.review.models import Draft, Review, ReviewState, Seen, VisibleDraft
from once_delivery.review.reading import images_of, plain
from once_delivery.review.services.fetch_image import base_of
from once_delivery.review.waiting import COUNTED_MOST
from once_delivery.targets.base import Presence
from once_delivery.web.selectors.image_claims import image_claim
from once_delivery.web.selectors.review_filters import STATES, ReviewFilters, wanted_by
from reconciliation.models import Case, CaseKind, CaseStatus, Finding, FindingKind

PAGE = 50
EXCERPT_OF, EXCERPT = 2000, 160  # characters
HEAVY = (
    "action__payload",
    "action__target__declaration",
    "action__target__credentials_sealed",
    "action__target__profile_data",
    "task__input_version__content",
)


@dataclass(frozen=True, slots=True)
class Twice:
    """Two of ours at the target: their IDs, and the case where that is dealt with."""

    result_ids: tuple[str, ...]
    case: Case | None


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """One draft. ``image`` is the address of its first image, within this house; it and ``body`` only in a grid."""

    action: Action
    task: Task
    state: ReviewState
    title: str
    image: str
    body: str
    draft: Draft | None
    review: Review | None
    changed_since_seen: bool
    twice: Twice | None

    @property
    def excerpt(self) -> str:
        """How the text begins, where there is no image."""
        return plain(self.body[:EXCERPT_OF])[:EXCERPT]


@dataclass(frozen=True, slots=True)
class StateLink:
    """A state to choose: its address, how many there are, whether there are more than that, whether it is chosen."""

    query: str
    count: int
    more: bool
    here: bool


@dataclass(frozen=True, slots=True)
class ReviewList:
    """A page of drafts. ``counts`` by state, each up to one more than COUNTED_MOST."""

    rows: list[ReviewRow]
    next_key: str
    first: bool
    total: int
    more: bool
    counts: dict[str, int]


def review_list(user: User, filters: ReviewFilters, *, key: str) -> ReviewList:
    """One page, by product. The number of queries does not grow with the rows."""
    place, states = _place(key), STATES[filters.state]
    wanted = wanted_by(user, filters, any_state=True)
    found, counts = page_of(wanted, states=states, many=PAGE + 1, after=place, most=COUNTED_MOST + 1)
    total = sum(counts[state] for state in states)
    rows = _drafts(found[:PAGE], user, with_texts=filters.view == "grid")
    last = rows[-1] if len(found) > PAGE else None
    return ReviewList(
        rows=rows_of(rows),
        next_key=f"{last.product_id}.{last.pk}" if last else "",
        first=place is None,
        total=min(total, COUNTED_MOST),
        more=total > COUNTED_MOST,
        counts=counts,
    )


def state_links(filters: ReviewFilters, page: ReviewList) -> list[tuple[StateLink, str]]:
    """The states that can be chosen, each with its word."""
    words = {"": _("to decide"), "all": _("all states")}
    words |= {str(state): str(state.label) for state in ReviewState if state.value in STATES}
    links = []
    for state in STATES:
        count = sum(page.counts[one] for one in STATES[state])
        more = count > COUNTED_MOST
        here = filters.state == state
        links.append(
            (StateLink(filters.query(state=state), min(count, COUNTED_MOST), more, here), words[state])
        )
    return links


def neighbours(user: User, filters: ReviewFilters, task: Task) -> tuple[UUID | None, UUID | None]:
    """The tasks before and after this one among those that the filters show."""
    wanted, here = wanted_by(user, filters), (task.product_id, task.pk)
    before, after = tasks_of(wanted, many=1, before=here), tasks_of(wanted, many=1, after=here)
    uuids = dict(Task.objects.filter(pk__in=before + after).values_list("pk", "uuid"))
    return uuids.get(before[0]) if before else None, uuids.get(after[0]) if after else None


def next_to_decide(user: User, filters: ReviewFilters, task: Task) -> UUID | None:
    """The next draft that waits, from the first one on again after the last."""
    waits = wanted_by(user, replace(filters, state=""))
    after = tasks_of(waits, many=1, after=(task.product_id, task.pk))
    others = after or [pk for pk in tasks_of(waits, many=2) if pk != task.pk]
    return Task.objects.values_list("uuid", flat=True).get(pk=others[0]) if others else None


def all_rows(user: User, filters: ReviewFilters, *, at_once: int) -> Iterator[ReviewRow]:
    """Every draft that the filters show, in the order of the page, a part at a time."""
    wanted, place = wanted_by(user, filters), None
    while found := tasks_of(wanted, many=at_once, after=place):
        drafts = _drafts(found, user, with_texts=False)
        yield from rows_of(drafts)
        if len(found) < at_once or not drafts:
            return
        place = (drafts[-1].product_id, drafts[-1].pk)


def rows_of(drafts: Sequence[VisibleDraft]) -> list[ReviewRow]:
    """Rows with what stands beside each draft."""
    twice = twice_of([one.action for one in drafts])
    return [_row(one, twice.get(one.action_id)) for one in drafts]


def _drafts(task_ids: Sequence[int], user: User, *, with_texts: bool) -> list[VisibleDraft]:
    """The drafts of these tasks in this order, each with ``title``, ``sent_title`` and the ``seen_and_changed`` of ``user``.

    ``with_texts``: with the text that was read last, which may be long.
    """
    changed = Seen.objects.filter(user=user, task=OuterRef("pk"), changed=True)
    found = (
        VisibleDraft.objects.filter(pk__in=task_ids)
        .select_related(
            "action__target",
            "task__product",
            "task__input_version",
            "task__project",
            "latest",
            "review__user",
            "review__link",
        )
        .defer(*HEAVY, *(() if with_texts else ("latest__content",)))
        .annotate(
            title=KeyTextTransform("title", "latest__content"),
            sent_title=KeyTextTransform("title", "action__payload"),
            seen_and_changed=Exists(changed),
        )
    )
    by_task = {one.pk: one for one in found}
    return [by_task[pk] for pk in task_ids if pk in by_task]


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


def _row(one: VisibleDraft, twice: Twice | None) -> ReviewRow:
    draft = one.latest
    image, body = "", ""
    if draft is not None and "content" not in draft.get_deferred_fields():
        draft.action = one.action  # its target says where relative addresses begin
        body = str(draft.content.get("body", ""))
        images = images_of(draft.content, base=base_of(draft))
        if images:
            claim = image_claim(draft.pk, images[0])
            image = f"{reverse('web:review-image', args=[one.task.uuid])}?of={claim}"
    return ReviewRow(
        action=one.action,
        task=one.task,
        state=ReviewState(one.state),
        title=str(getattr(one, "title", "") or getattr(one, "sent_title", "") or one.action.result_id),
        image=image,
        body=body,
        draft=draft,
        review=one.review,
        changed_since_seen=bool(getattr(one, "seen_and_changed", False)),
        twice=twice,
    )


def _place(key: str) -> Place | None:
    """The product and task after which a page begins; None for a key that is none."""
    before, _dot, after = key.partition(".")
    product, task = whole_number(before), whole_number(after)
    return None if product is None or task is None else (product, task)
