"""The brokers for several machines: two workers in two processes share the work (R12)."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from once_delivery.config.celery import app
from once_delivery.drill.setting_up import make_target
from once_delivery.ledger.models import Attempt
from once_delivery.ledger.states import State
from once_delivery.ledger.tasks import work_target
from once_delivery.sandbox.process import SandboxProcess
from once_delivery.targets.profile import Guard
from tests.builders import a_batch, a_delivery, a_draft, a_project, actions_of
from tests.worker_tasks import note, note_slowly
from tests.workers import sending_to, wait_for, worker

pytestmark = pytest.mark.django_db(transaction=True)
ITEMS = 200


@pytest.fixture
def broker(broker_url: str, transactional_db: None) -> Iterator[str]:
    with sending_to(app, broker_url):
        yield broker_url


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    return folder


def marks(folder: Path) -> list[str]:
    return [mark for file in folder.iterdir() for mark in file.read_text().splitlines()]


def test_two_workers_share_the_messages(broker: str, tmp_path: Path, notes: Path) -> None:
    with worker(tmp_path / "one.log", broker), worker(tmp_path / "two.log", broker):
        for number in range(ITEMS):
            note.delay(str(notes), str(number))
        wait_for(lambda: len(marks(notes)) == ITEMS, 120)
    assert sorted(marks(notes), key=int) == [str(number) for number in range(ITEMS)]
    assert len(list(notes.iterdir())) == 2


def test_a_killed_workers_message_goes_to_the_other(broker: str, tmp_path: Path, notes: Path) -> None:
    with worker(tmp_path / "one.log", broker, ONCE_REDELIVERY_SECONDS="3") as first:
        note_slowly.delay(str(notes), "a", 30)
        wait_for(lambda: marks(notes) == ["begun a"], 60)
        first.send_signal(signal.SIGKILL)
        first.wait()
        with worker(tmp_path / "two.log", broker, ONCE_REDELIVERY_SECONDS="3"):
            wait_for(lambda: marks(notes) == ["begun a", "begun a"], 60)


def test_two_workers_share_one_batch_and_make_nothing_twice(broker: str, tmp_path: Path) -> None:
    with SandboxProcess(tmp_path / "sandbox") as sandbox:
        target, _judge = make_target(project=a_project(), admin=sandbox.admin, guard=Guard.LOOKUP, name="cms")
        target.profile_data |= {"concurrency": 8}  # two lanes, one for each worker
        target.save()
        deliveries = [
            a_delivery(f"p{number}", actions=(a_draft(f"p{number}", locale="de-DE", product=f"p{number}"),))
            for number in range(ITEMS)
        ]
        batch = a_batch(target.project, *deliveries)
        with worker(tmp_path / "one.log", broker), worker(tmp_path / "two.log", broker):
            for _message in range(10):  # more than enough, and more than once: a message only wakes
                work_target.delay(target.pk)
            wait_for(lambda: {action.state for action in actions_of(batch)} == {State.CONFIRMED}, 120)
        held = [str(one["marker"]) for one in sandbox.admin.objects("cms")]
        assert sorted(held) == sorted(action.marker for action in actions_of(batch))
        assert sandbox.admin.get_space("cms")["create_calls"] == ITEMS
    assert Attempt.objects.count() == ITEMS
    assert len(set(Attempt.objects.values_list("sender", flat=True))) == 2
