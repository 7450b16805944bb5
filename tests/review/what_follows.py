"""How every draft stands with review, worked out from actions, texts and decisions alone: what PostgreSQL must have kept."""

from __future__ import annotations

from once_delivery.ledger.models import Action
from once_delivery.ledger.states import State
from once_delivery.review.models import TO_DO, Draft, Review, ReviewState, Seen, Verdict, VisibleDraft
from once_delivery.targets.base import Kind


def visible_drafts_are_right() -> None:
    """Every row of VisibleDraft and every ``changed`` is what follows, and none is missing."""
    confirmed = Action.objects.filter(kind=Kind.CREATE_DRAFT, state=State.CONFIRMED)
    overtaken = set(Action.objects.filter(state=State.CONFIRMED).values_list("original_id", flat=True))
    first: dict[int, Action] = {}
    for action in confirmed.select_related("task", "target").order_by("-pk"):
        first[action.task_id] = action
    decided = set(Review.objects.values_list("task_id", flat=True))
    shown = {pk: one for pk, one in first.items() if not one.target.of_drill or pk in decided}
    expected = {pk: _row(one) for pk, one in shown.items() if one.pk not in overtaken}
    written = VisibleDraft.objects.all()
    assert {one.pk: _written(one) for one in written} == expected
    latest = {one.pk: one.latest_id for one in written}
    for seen in Seen.objects.all():
        assert seen.changed == (latest.get(seen.task_id) not in {None, seen.draft_id})


def state_of(action: Action) -> ReviewState:
    """As SCREENS.md says it, in words of this house."""
    decided = Review.objects.filter(task=action.task_id).order_by("-at", "-pk").first()
    latest = Draft.objects.filter(action=action).order_by("-read_at", "-pk").first()
    if decided is None or decided.verdict == Verdict.WITHDRAWN:
        return ReviewState.WAITS
    if latest is not None and latest.pk != decided.draft_id:
        if decided.verdict == Verdict.ACCEPTED:
            return ReviewState.CHANGED
        if decided.verdict == Verdict.CHANGES:
            return ReviewState.WAITS
    return ReviewState(decided.verdict)


def _row(action: Action) -> tuple[object, ...]:
    state = state_of(action)
    latest = Draft.objects.filter(action=action).order_by("-read_at", "-pk").first()
    decided = Review.objects.filter(task=action.task_id).order_by("-at", "-pk").first()
    task = action.task
    known = (action.pk, task.project_id, task.product_id, task.locale, task.purpose)
    since = (
        None if state in TO_DO or decided is None else decided.at
    )  # how long it waits has tests of its own
    return *known, str(state), latest and latest.pk, decided and decided.pk, since


def _written(one: VisibleDraft) -> tuple[object, ...]:
    known = (one.action_id, one.project_id, one.product_id, one.locale, one.purpose)
    return *known, one.state, one.latest_id, one.review_id, None if one.state in TO_DO else one.since
