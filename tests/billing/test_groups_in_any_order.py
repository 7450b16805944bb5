"""Whatever the order of accepting, deciding, pulling, taking back and accepting again: a group counts exactly once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from datetime import date, datetime

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from billing.contradictions import OneThroughOthersError, SaidToBeTwoError
from billing.counted import counting
from billing.models import SAID_TO_BE_TWO, Cause, Duplicate, DuplicateDecision, DuplicateStatus, Terms
from billing.services.decide_duplicate import decide_duplicate, dismiss_duplicate, reopen_duplicate
from billing.services.hold_period import hold_period
from billing.services.lift_hold import lift_hold
from billing.services.pull_duplicates import pull_duplicates
from billing.services.pull_units import pull_units
from billing.superseded import superseded
from once_delivery.accounts.models import Project, User
from once_delivery.ledger.models import Task
from once_delivery.review.models import Asset, RevocationStatus
from once_delivery.review.revocations import REVOKED
from once_delivery.review.services.revoke import accepted_again
from tests.billing.deliveries import accepted, at, decided, delivered, taken_back, tasks_of
from tests.billing.raw_rows import commit
from tests.billing.test_units import an_approval, count_latest_only, counted
from tests.billing.world import OCTOBER, SEPTEMBER, a_keeper, a_project_with_books

places = st.integers(0, 3)
steps = st.one_of(
    st.tuples(st.just("accept"), places, st.sampled_from(["", "alike"])),
    st.tuples(st.just("back"), places, st.sampled_from(RevocationStatus)),
    st.tuples(st.just("rewrite"), places, st.sampled_from(["alike", "another"])),
    st.tuples(st.just("decide"), places, places, st.booleans()),
    st.tuples(st.just("dismiss"), st.integers(0, 5)),
    st.tuples(st.just("open_again"), st.integers(0, 5)),
    st.tuples(st.just("units")),
    st.tuples(st.just("duplicates")),
    st.tuples(st.just("hold"), st.sampled_from([SEPTEMBER, OCTOBER])),
    st.tuples(st.just("lift")),
    st.tuples(st.just("terms"), st.sampled_from([5, 12]), st.booleans()),
)


class Story:
    """Four tasks, two of them versions of one product; nothing in it may be refused."""

    def __init__(self, project: Project, finance: User, tasks: list[Task]) -> None:
        self.project, self.finance, self.tasks = project, finance, tasks
        self.day = 0
        self.approval = an_approval(project)
        self.said: dict[str, str] = {}  # by its record: what a person decided

    def _moment(self) -> datetime:
        """Later each time, from September into October."""
        self.day += 1
        return at(8 + self.day) if self.day < 12 else at(self.day - 11, month=10)

    def accept(self, place: int, text: str) -> None:
        free = [one for one in self.tasks if not one.assets.filter(withdrawn_at=None).exists()]
        if free:
            task = free[place % len(free)]
            accepted(task, self._moment(), text=text)
            accepted_again(task=task)

    def back(self, place: int, status: str) -> None:
        asset = self.tasks[place].assets.filter(withdrawn_at=None).first()
        if asset is not None:
            taken_back(asset, status, moment=self._moment())

    def rewrite(self, place: int, text: str) -> None:
        """Another text of an asset that stands is accepted."""
        asset = self.tasks[place].assets.filter(withdrawn_at=None).first()
        if asset is not None:
            review = decided(self.tasks[place], "accepted", self._moment(), text=text)
            Asset.objects.filter(pk=asset.pk).update(draft=review.draft, review=review)

    def decide(self, one: int, step: int, wanted: bool) -> None:
        """About the latest acceptances of two tasks, taken back or not, pulled or not."""
        latest = [task.assets.order_by("pk").last() for task in self.tasks]
        known = [asset for asset in latest if asset is not None]
        if len(known) > 1:
            first = one % len(known)
            asset, survivor = known[first], known[(first + 1 + step % (len(known) - 1)) % len(known)]

            def say(record: str) -> None:
                decide_duplicate(
                    asset=asset,
                    survivor=survivor,
                    user=self.finance,
                    cause=Cause.CLIENT_DUPLICATE,
                    record=record,
                    wanted=wanted,
                    approval=self.approval,
                )

            self._say(say, "wanted" if wanted else "decided")

    def dismiss(self, number: int) -> None:
        self._about(number, dismiss_duplicate, "dismissed")

    def open_again(self, number: int) -> None:
        self._about(number, reopen_duplicate, "suggested")

    def _about(self, number: int, service: Callable[..., None], status: str) -> None:
        rows = list(Duplicate.objects.filter(project=self.project).order_by("pk"))
        if not rows:
            return
        row = rows[number % len(rows)]
        if status == "suggested" == row.status:
            return
        self._say(lambda record: service(duplicate=row, user=self.finance, record=record), status)

    def _say(self, say: Callable[[str], None], status: str) -> None:
        """It is done and on record, or refused, and nothing has changed."""
        record = f"record {len(self.said)}"
        before = (counted(self.project), DuplicateDecision.objects.count())
        try:
            say(record)
        except (SaidToBeTwoError, OneThroughOthersError):
            assert (counted(self.project), DuplicateDecision.objects.count()) == before
        else:
            self.said[record] = status

    def units(self) -> None:
        assert pull_units(project=self.project).refused == ()

    def duplicates(self) -> None:
        assert pull_duplicates(project=self.project).refused == ()

    def hold(self, month: date) -> None:
        period = self.project.periods.filter(month=month, status="open").first()
        if period is not None:
            hold_period(project=self.project, month=period.month, user=self.finance)

    def terms(self, day: int, latest_only: bool) -> None:
        """Another version of them, from a day on that may be past."""
        last = Terms.objects.filter(project=self.project).latest("number")
        Terms.objects.create(
            project=self.project,
            number=last.number + 1,
            valid_from=at(day).date(),
            currency=last.currency,
            counts_latest_only=latest_only,
        )

    def lift(self) -> None:
        for period in self.project.periods.filter(status="hold"):
            lift_hold(project=self.project, month=period.month, user=self.finance)


@pytest.fixture(params=[False, True], ids=["every-version", "latest-only"])
def story(db: None, request: pytest.FixtureRequest) -> Story:
    project = a_project_with_books()
    tasks = []
    for one in (("kettle", 1), ("kettle", 2), ("pan", 1), ("pot", 1)):
        tasks += tasks_of(project, one)
        delivered(tasks[-1], at(3))
    if request.param:
        count_latest_only(project)
    return Story(project, a_keeper(project), tasks)


@given(st.lists(places, min_size=2, max_size=4), st.lists(steps, min_size=3, max_size=12))
@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_a_group_counts_exactly_once(
    story: Story, begun: list[int], history: list[tuple[object, ...]]
) -> None:
    with transaction.atomic():
        story.day = 0
        story.said = {}
        for place in begun:
            story.accept(place, "")
        for name, *given_ in history:
            getattr(story, str(name))(*given_)
            no_task_counts_twice(story.project)
            every_decision_is_kept(story)
        story.lift()
        for _ in range(3):  # what follows an earlier decision may be found from another one that followed
            story.units()
            story.duplicates()
        counts_once(story.project)
        every_decision_is_kept(story)
        commit()
        assert pull_units(project=story.project).posted == 0
        transaction.set_rollback(True)


def no_task_counts_twice(project: Project) -> None:
    tasks = list(counting(project).values_list("task", flat=True))
    assert len(tasks) == len(set(tasks))


def every_decision_is_kept(story: Story) -> None:
    """Under the record that a person named, also where it was followed since; and what holds was said last."""
    kept = defaultdict(set)
    for record, status in DuplicateDecision.objects.exclude(record="").values_list("record", "status"):
        kept[record].add(status)
    assert kept == {record: {status} for record, status in story.said.items()}
    for row in Duplicate.objects.filter(project=story.project):
        last = row.decisions.order_by("pk").last()
        assert (last.status if last else "suggested") == row.status


def counts_once(project: Project) -> None:
    """Of each group the earliest accepted that stands, whatever joined them; and none of it is said to be two."""
    stands = set(Asset.objects.filter(~REVOKED, project=project).values_list("pk", flat=True))
    stands -= set(superseded(project))
    accepted_at = dict(Asset.objects.filter(project=project).values_list("pk", "accepted_at"))
    group = {pk: {pk} for pk in accepted_at}
    for row in Duplicate.objects.filter(project=project, status=DuplicateStatus.DECIDED):
        both = group[row.asset_id] | group[row.survivor_id]
        group |= dict.fromkeys(both, both)
    for row in Duplicate.objects.filter(project=project, status__in=SAID_TO_BE_TWO):
        assert row.survivor_id not in group[row.asset_id]
    counts = set(counting(project).values_list("pk", flat=True))
    for members in group.values():
        first = sorted(stands & members, key=lambda pk: (accepted_at[pk], pk))[:1]
        assert counts & members == set(first), members
