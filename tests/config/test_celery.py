from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from once_delivery.config.celery import app
from once_delivery.drill.setting_up import make_target
from once_delivery.ledger.states import State
from once_delivery.ledger.tasks import sweep
from once_delivery.sandbox.process import SandboxProcess
from once_delivery.targets.profile import Guard
from tests.builders import a_batch, a_delivery, a_draft, a_project, actions_of
from tests.worker_tasks import note, note_slowly
from tests.workers import PGMQ, sending_to, wait_for, worker

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def over_pgmq(transactional_db: None) -> Iterator[None]:
    with sending_to(app, PGMQ):
        yield
    with connection.cursor() as cursor:
        cursor.execute("SELECT pgmq.purge_queue('once')")


def marks(folder: Path) -> list[str]:
    return [mark for file in folder.iterdir() for mark in file.read_text().splitlines()]


def messages_left() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pgmq.q_once")
        count: int = cursor.fetchone()[0]
    return count


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    return folder


def test_a_hundred_messages_are_each_done_once(over_pgmq: None, tmp_path: Path, notes: Path) -> None:
    with worker(tmp_path / "worker.log", children=2):
        for number in range(100):
            note.delay(str(notes), str(number))
        wait_for(lambda: len(marks(notes)) == 100)
        wait_for(lambda: messages_left() == 0)
    assert sorted(marks(notes), key=int) == [str(number) for number in range(100)]


def test_a_killed_workers_message_is_delivered_again(over_pgmq: None, tmp_path: Path, notes: Path) -> None:
    with worker(tmp_path / "first.log", ONCE_REDELIVERY_SECONDS="2") as first:
        note_slowly.delay(str(notes), "a", 60)
        wait_for(lambda: marks(notes) == ["begun a"])
        first.send_signal(signal.SIGKILL)
    assert messages_left() == 1
    with worker(tmp_path / "second.log", ONCE_REDELIVERY_SECONDS="60"):
        wait_for(lambda: marks(notes) == ["begun a", "begun a"])


def test_a_killed_workers_children_end_with_it(over_pgmq: None, tmp_path: Path, notes: Path) -> None:
    with worker(tmp_path / "worker.log") as process:
        note_slowly.delay(str(notes), "a", 1)
        wait_for(lambda: marks(notes) == ["begun a"])
        child = int(next(notes.iterdir()).name)
        process.send_signal(signal.SIGKILL)
        wait_for(lambda: not Path(f"/proc/{child}").exists())
    assert marks(notes) == ["begun a"]


def test_messages_are_json_and_acknowledged_late() -> None:
    assert app.conf.accept_content == ["json"]
    assert app.conf.task_serializer == "json"
    assert app.conf.task_acks_late is True
    assert app.conf.task_reject_on_worker_lost is True
    assert app.conf.result_backend is None


def test_every_scheduled_task_exists() -> None:
    app.loader.import_default_modules()
    assert {entry["task"] for entry in app.conf.beat_schedule.values()} - set(app.tasks) == set()


def test_settings_hold_nothing_that_json_cannot() -> None:
    json.dumps(app.conf.broker_transport_options)
    assert settings.CELERY_BROKER_URL == "memory://"


def test_a_real_worker_performs_a_batch_that_one_sweep_found(over_pgmq: None, tmp_path: Path) -> None:
    """R2: the pool's children must be able to arm the alarm; R12: the message only woke them."""
    with SandboxProcess(tmp_path / "sandbox") as sandbox:
        target, judge = make_target(project=a_project(), admin=sandbox.admin, guard=Guard.LOOKUP, name="cms")
        deliveries = [
            a_delivery(f"p{number}", actions=(a_draft(f"p{number}", locale="de-DE", product=f"p{number}"),))
            for number in range(5)
        ]
        batch = a_batch(target.project, *deliveries)
        judge.lose_answer(actions_of(batch)[2].marker, keep_open=False)
        with worker(tmp_path / "worker.log", module="once_delivery.config"):
            sweep.delay()
            wait_for(lambda: {action.state for action in actions_of(batch)} == {State.CONFIRMED}, 20)
        held = {str(one["marker"]): one["id"] for one in sandbox.admin.objects("cms")}
        assert held == {action.marker: action.result_id for action in actions_of(batch)}
        assert sandbox.admin.get_space("cms")["create_calls"] == 5
