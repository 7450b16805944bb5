"""The drill itself: real processes, a real sandbox, real SIGKILL; judged by the sandbox's inventory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from once_delivery.accounts.models import Project
from once_delivery.drill.models import Drill, DrillStatus
from tests.builders import a_project, a_user
from tests.drill.given import a_project_with_products

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def project() -> Project:
    return a_project_with_products("demo")


def test_every_guard_passes_with_one_recovery_and_with_two_at_once(
    project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, data = tmp_path / "report.html", tmp_path / "report.json"

    call_command("drill", html=page, json=data)

    rounds = json.loads(data.read_text(encoding="utf-8"))["rounds"]
    assert [(one["guard"], one["round"], one["passed"]) for one in rounds] == [
        (guard, number, True)
        for guard in ("idempotency_key", "client_id", "lookup", "none")
        for number in ("one", "two")
    ]
    assert [one["totals"]["held_now"] for one in rounds] == [3] * 8
    assert [one["totals"]["deleted"] for one in rounds] == [0] * 8
    lost = {one["guard"]: one["items"][1] for one in rounds}
    assert {guard: (item["state"], item["owner"]) for guard, item in lost.items()} == {
        "idempotency_key": ("confirmed", ""),
        "client_id": ("confirmed", ""),
        "lookup": ("confirmed", ""),
        "none": ("reconcile", "ops"),
    }
    assert "Every verdict is a pass." in capsys.readouterr().out
    assert page.read_text(encoding="utf-8").count("<tr>") == 8 * 5


def test_a_project_without_products_gets_a_clear_error() -> None:
    a_project("empty")

    with pytest.raises(CommandError, match="drill-needs-products") as caught:
        call_command("drill", project="empty")

    assert caught.value.returncode == 2


def test_nobody_sees_the_drills_of_another_project(client: Client) -> None:
    """R14"""
    project = a_project()
    drill = Drill.objects.create(project=project, status=DrillStatus.PASSED)
    client.force_login(a_user("charlie"))

    answers = [
        client.get(f"/drills/{drill.uuid}/{rest}").status_code for rest in ("", "report.json", "report.html")
    ]

    assert answers == [404, 404, 404]
    assert str(drill.uuid) not in client.get("/drills/").content.decode()
