"""Finding drafts by keys gives what looking through all of them gives, whatever is wished."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Batch, Task
from once_delivery.review.finding import Wanted, counts_of, page_of, tasks_of
from once_delivery.review.models import ReviewState, VisibleDraft
from tests.builders import a_batch, a_delivery, a_project, a_target
from tests.ledger.given import claim, done, record

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 9, 30, 12, tzinfo=UTC)
LOCALES, PURPOSES = ("de-DE", "fr-FR"), ("page", "letter")


@pytest.fixture
def batches() -> list[Batch]:
    """Two projects with eight drafts each, in all states; the second batch of the first asks for two of them again."""
    made = []
    for code in ("aurora", "borealis"):
        project = a_project(code)
        a_target(project)
        wishes = [
            a_delivery(name, locale, purpose=purpose)
            for name, locale, purpose in product(("kettle", "lamp"), LOCALES, PURPOSES)
        ]
        made.append(a_batch(project, *wishes, name="all"))
        group = claim(made[-1])
        assert group is not None
        record(made[-1], *((item, done(f"{code}-{item.action_id}")) for item in group.items))
        if code == "aurora":
            made.append(a_batch(project, *wishes[1:6:2], name="again"))
    for number, one in enumerate(VisibleDraft.objects.order_by("pk")):
        since = NOON - timedelta(days=number % 8)
        VisibleDraft.objects.filter(pk=one.pk).update(state=ReviewState.values[number % 5], since=since)
    return made


def wishes(batches: list[Batch]) -> list[Wanted]:
    both = list(Project.objects.values_list("pk", flat=True))
    lamp = Task.objects.filter(product__code="lamp").values_list("product_id", flat=True)[0]
    everything = Wanted(both)
    found = [everything, Wanted(both[:1]), Wanted(both[1:]), Wanted([]), Wanted(both, states=["rejected"])]
    found += [replace(everything, states=states) for states in (["waits", "changed"], ["accepted"])]
    found += [replace(everything, locale=locale) for locale in (*LOCALES, "xx")]
    found += [replace(everything, purpose="page"), replace(everything, locale="de-DE", purpose="letter")]
    found += [replace(everything, product_id=lamp), replace(everything, product_id=0)]
    found += [replace(everything, batch=one.uuid) for one in batches]
    found += [replace(everything, since_before=NOON - timedelta(days=days)) for days in (0, 3, 9)]
    found += [replace(everything, since_before=NOON - timedelta(days=3), batch=batches[0].uuid)]
    return [
        *found,
        Wanted(both[1:], batch=batches[0].uuid),
        Wanted(both, batch=batches[0].uuid, locale="fr-FR"),
    ]


def looked_through(wanted: Wanted) -> list[VisibleDraft]:
    found = VisibleDraft.objects.filter(project__in=list(wanted.project_ids), state__in=list(wanted.states))
    if wanted.product_id is not None:
        found = found.filter(product=wanted.product_id)
    if wanted.locale is not None:
        found = found.filter(locale=wanted.locale)
    if wanted.purpose is not None:
        found = found.filter(purpose=wanted.purpose)
    if wanted.since_before is not None:
        found = found.filter(since__lte=wanted.since_before)
    if wanted.batch is not None:
        found = found.filter(task__references__batch__uuid=wanted.batch)
    return list(found.order_by("product_id", "task_id"))


def test_pages_and_counts(batches: list[Batch]) -> None:
    seen = set()
    for wanted in wishes(batches):
        all_of_it = looked_through(wanted)
        keys = [one.pk for one in all_of_it]
        seen.add(len(keys))
        assert tasks_of(wanted, many=99) == keys
        assert tasks_of(wanted, many=2) == keys[:2]
        counts = {str(state): sum(one.state == state for one in all_of_it) for state in wanted.states}
        assert counts_of(wanted, most=99) == counts
        assert counts_of(wanted, most=1) == {state: min(many, 1) for state, many in counts.items()}
        waits = [one.pk for one in all_of_it if one.state == "waits"]
        assert page_of(wanted, states=["waits"], many=1, after=None, most=99) == (waits[:1], counts)
        for number, one in enumerate(all_of_it):
            place = (one.product_id, one.pk)
            assert tasks_of(wanted, many=3, after=place) == keys[number + 1 : number + 4]
            behind = page_of(wanted, states=list(wanted.states), many=3, after=place, most=99)
            assert behind == (keys[number + 1 : number + 4], counts)
            assert tasks_of(wanted, many=3, before=place) == keys[:number][::-1][:3]
    assert len(seen) > 5  # the wishes differ
