"""Whether the house is well, and its figures."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client as Browser
from django.utils import timezone
from pytest_django.fixtures import Settings

from once_delivery.ledger.models import Action, Heartbeat
from once_delivery.ledger.services.heart import note_sweep
from once_delivery.ledger.services.restore_ledger import end_restorations, open_restoration
from once_delivery.ledger.tasks import sweep
from once_delivery.ledger.transitions import Actor
from tests.web.conftest import World


def test_alive() -> None:
    assert Browser().get("/health/live").content == b"ok"


def test_ready_and_nothing_late(world: World) -> None:
    note_sweep()
    Action.objects.filter(next_step_at__isnull=False).update(next_step_at=timezone.now())
    answer = Browser().get("/health/ready")
    assert (answer.status_code, answer.json()["late"]) == (200, [])


def test_what_is_late_is_named(world: World) -> None:
    assert "sweep" in Browser().get("/health/ready").json()["late"]  # none has run yet
    note_sweep()
    Heartbeat.objects.update(at=timezone.now() - timedelta(minutes=2))
    Action.objects.filter(next_step="look_up").update(next_step_at=timezone.now() - timedelta(hours=1))
    said = Browser().get("/health/ready")
    assert (said.status_code, said.json()["late"]) == (200, ["sweep", "due"])
    assert said.json()["sweep_seconds"] >= 120
    assert said.json()["oldest_due_seconds"] >= 3600


def test_a_broker_that_is_away(world: World, settings: Settings) -> None:
    note_sweep()
    settings.CELERY_BROKER_URL = "amqp://127.0.0.1:1/"
    said = Browser().get("/health/ready")
    assert (said.status_code, said.json()["broker"], "broker" in said.json()["late"]) == (200, False, True)


def test_the_sweep_leaves_its_beat(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from once_delivery.ledger import tasks

    monkeypatch.setattr(tasks, "due_targets", list)
    sweep()
    assert Heartbeat.objects.get().name == "sweep"


def figures(text: str) -> dict[str, float]:
    return {found[1]: float(found[2]) for found in re.finditer(r"(?m)^(once_\w+(?:\{[^}]*\})?) (\S+)$", text)}


def test_the_figures(world: World) -> None:
    note_sweep()
    answer = Browser().get("/metrics")
    assert answer["Content-Type"].startswith("text/plain")
    found = figures(answer.content.decode())
    assert found['once_uncertain_actions{state="uncertain"}'] == 1
    assert found['once_uncertain_actions{state="reconcile"}'] == 1
    assert found['once_attempts_total{outcome="unknown"}'] == 2
    assert found['once_attempts_total{outcome="done"}'] == 1
    assert found['once_look_ups_total{verdict="absent"}'] == 1
    assert found["once_duplicates_open"] == 0
    assert 0 <= found["once_sweep_seconds"] < 60
    assert found["once_breakers_open"] == 0
    # no tenant, product or address is named
    assert not {"aurora", "kettle", "cms", "n8n"} & set(re.findall(r"[a-z0-9]+", answer.content.decode()))


def test_how_long_questions_took(world: World) -> None:
    from once_delivery.ledger.services.decide import adopt

    adopt(action=world.case.action, result_id="found-1", user=world.alice)
    found = figures(Browser().get("/metrics").content.decode())
    assert found["once_resolution_seconds_count"] == found['once_resolution_seconds_bucket{le="60.0"}'] == 1
    assert 0 <= found["once_resolution_seconds_sum"] < 60


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("10.0.0.7", {}, 404),
        ("127.0.0.1", {"x-forwarded-for": "203.0.113.5"}, 404),
    ],
)
@pytest.mark.django_db
def test_this_machine_may_read_them(address: str, headers: dict[str, str], status: int) -> None:
    assert Browser(headers=headers, REMOTE_ADDR=address).get("/metrics").status_code == status


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 404),
        ("10.0.0.7", {"authorization": "Bearer wrong"}, 404),
        ("10.0.0.7", {"authorization": "Bearer secret"}, 200),
    ],
)
@pytest.mark.django_db
def test_whoever_has_the_token_may(
    settings: Settings, address: str, headers: dict[str, str], status: int
) -> None:
    settings.METRICS_TOKEN = "secret"
    assert Browser(headers=headers, REMOTE_ADDR=address).get("/metrics").status_code == status


def test_an_open_restoration_is_told(world: World) -> None:
    assert Browser().get("/health/ready").json()["restored_from"] is None
    since = timezone.now() - timedelta(hours=2)
    open_restoration(since=since, actor=Actor("test"))
    assert Browser().get("/health/ready").json()["restored_from"] == since.isoformat()
    assert figures(Browser().get("/metrics").content.decode())["once_restorations_open"] == 1
    end_restorations(actor=Actor("test"))
    assert Browser().get("/health/ready").json()["restored_from"] is None
    assert figures(Browser().get("/metrics").content.decode())["once_restorations_open"] == 0
