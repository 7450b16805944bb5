"""What came back is counted as it is written down, whoever writes, and stays so when it is added up."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Count, Sum

from once_delivery.ledger.models import Action, Batch, Counted, Event, Observation, Receipt
from once_delivery.ledger.services import decide
from once_delivery.ledger.services.gather_counts import KEPT_DAYS, gather_counts
from tests.builders import a_user
from tests.fakes.clock import DatabaseClock
from tests.fakes.connector import FakeTarget, answer_lost, refused
from tests.ledger.given import a_batch_of, claim, done, look, perform, record

pytestmark = pytest.mark.django_db(transaction=True)


def counts_are_right() -> None:
    """Each figure is what counting the evidence gives."""
    whole = Counted.objects.filter(gathered=True, hour=None) | Counted.objects.filter(gathered=False)
    sums = {
        (one["name"], one["label"]): one["all"]
        for one in whole.order_by().values("name", "label").annotate(all=Sum("many"))
        if one["name"] != "resolved"
    }
    expected = {("attempts", outcome): many for outcome, many in _by(Receipt, "outcome")}
    expected |= {("look_ups", verdict): many for verdict, many in _by(Observation, "verdict")}
    assert sums == expected
    hourly = Counted.objects.filter(name="attempts", hour__isnull=False).order_by()
    by_target = set(hourly.values_list("target", "label").annotate(all=Sum("many")))
    answers = Receipt.objects.order_by().values_list("action__target", "outcome")
    assert by_target == set(answers.annotate(all=Count("pk")))


def _by(model: type[Receipt | Observation], field: str) -> list[tuple[str, int]]:
    return list(model.objects.order_by().values_list(field).annotate(many=Count("pk")))


def resolved() -> list[tuple[str, int, float]]:
    found = Counted.objects.filter(name="resolved", hour=None).order_by("pk")
    return list(found.values_list("label", "many", "seconds"))


@pytest.fixture
def batch(fake: FakeTarget) -> Batch:
    """Four drafts: two made, one refused, one whose answer was lost."""
    fake.scripted = [refused, answer_lost]
    batch = a_batch_of(4)
    perform(batch, fake)
    return batch


def test_what_is_written_is_counted_and_gathered(batch: Batch, fake: FakeTarget) -> None:
    counts_are_right()
    gather_counts()
    counts_are_right()
    assert not Counted.objects.filter(gathered=False).exists()
    look(batch, fake)
    more = a_batch_of_one(batch)
    counts_are_right()
    gather_counts()
    gather_counts()
    counts_are_right()
    assert Counted.objects.get(name="attempts", label="done", hour=None).many == 2 + more


def a_batch_of_one(batch: Batch) -> int:
    """One more answer at the same target, in a statement of its own."""
    from tests.builders import a_batch, a_delivery

    another = a_batch(batch.project, a_delivery("another"), name="another")
    group = claim(another)
    assert group is not None
    return len(record(another, (group.items[0], done("obj-another"))))


def test_how_long_a_result_stayed_uncertain(batch: Batch, fake: FakeTarget, clock: DatabaseClock) -> None:
    unsure = Action.objects.get(state="uncertain")
    clock.forward(120)
    look(batch, fake)
    unsure.refresh_from_db()
    if unsure.state != "confirmed":
        decide.adopt(action=unsure, result_id="found", user=a_user())
    ((label, many, seconds),) = resolved()
    assert (label, many) == ("300", 1)
    assert 120 <= seconds < 130
    gather_counts()
    assert resolved() == [(label, many, seconds)]


def test_hours_of_long_ago_are_forgotten_and_the_sum_stays(batch: Batch) -> None:
    gather_counts()
    Counted.objects.filter(hour__isnull=False).update(
        hour=Receipt.objects.latest("pk").received_at - timedelta(days=KEPT_DAYS, hours=1)
    )
    gather_counts()
    assert not Counted.objects.filter(hour__isnull=False).exists()
    assert Counted.objects.get(name="attempts", label="done").many == 2


def test_what_another_gathers_is_left_to_it(batch: Batch) -> None:
    import threading

    from django.db import transaction

    def other() -> None:
        gather_counts()
        connection.close()

    with transaction.atomic():
        gather_counts()
        thread = threading.Thread(target=other)
        thread.start()
        thread.join(5)
        assert not thread.is_alive()  # it waits for nobody
    counts_are_right()


def test_what_is_there_already_is_counted_once(batch: Batch, fake: FakeTarget) -> None:
    look(batch, fake)
    executor = MigrationExecutor(connection)
    now = executor.loader.graph.leaf_nodes()
    executor.migrate([("ledger", "0013_counted")])
    assert not Counted.objects.exists()
    MigrationExecutor(connection).migrate(now)
    counts_are_right()
    questions = Event.objects.filter(from_state__in=["uncertain", "reconcile"]).exclude(
        to_state__in=["uncertain", "reconcile", "sending"]
    )
    assert sum(many for _, many, _ in resolved()) == questions.count() > 0
