"""What docs/api.md and its twin show is run as it stands there, against a served house, without Django on the other side."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from once_delivery.accounts.models import Project, Role
from once_delivery.ledger import tasks
from once_delivery.ledger.models import Action, Receipt, UsageReport
from once_delivery.ledger.services.work_target import work_target
from tests.api.caller import a_caller
from tests.builders import a_target
from tests.ledger.given import ACTOR, REAL_LIFE

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("api.md", "api.zh-CN.md")
WITHOUT_THE_HOUSE = """
import sys
for name in ("django", "ninja", "once_delivery", "psycopg"):
    sys.modules[name] = None
"""


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("language", ["sh", "python"])
def test_both_pages_show_the_same(language: str) -> None:
    shown = [blocks(page, language) for page in PAGES]
    assert len(shown[0]) > 3
    assert shown[0] == shown[1]


@pytest.mark.django_db(transaction=True)
class TestServed:
    @pytest.fixture
    def env(
        self, live_server: LiveServer, project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> dict[str, str]:
        """Two targets: one that the house performs at once, one that only permits reach."""
        a_target(project, name="cms", kind="noop", **REAL_LIFE)
        a_target(project, name="shop", kind="permit", **REAL_LIFE)
        monkeypatch.setattr(
            tasks.work_target, "delay", lambda target_id: work_target(target_id=target_id, actor=ACTOR)
        )
        shutil.copy(ROOT / "once_delivery" / "client.py", tmp_path)
        caller = a_caller(project, Role.ADMIN)
        return {
            "PATH": os.environ["PATH"],
            "ONCE": f"{live_server.url}/api/v1",
            "TOKEN": caller.secret,
            "NO_PROXY": "*",
        }

    def test_the_python_examples(self, env: dict[str, str], tmp_path: Path) -> None:
        code = WITHOUT_THE_HOUSE + "\n".join(blocks(PAGES[0], "python"))
        program = tmp_path / "program.py"
        program.write_text(code, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, program], env=env, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert "reuse 4712" in done.stdout
        assert "content-changed" in done.stdout
        states = dict(Action.objects.values_list("task__product__code", "state"))
        assert states == {"kettle": "confirmed", "lamp": "confirmed", "cup": "confirmed", "bottle": "refused"}
        assert Receipt.objects.get(result_id="4712").usage["amount"] == "0.02"
        assert UsageReport.objects.get().usage["amount"] == "0.01"

    @pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
    def test_the_curl_examples(self, env: dict[str, str], tmp_path: Path) -> None:
        script = "set -euo pipefail\n" + "\n".join(blocks(PAGES[0], "sh")[1:])
        done = subprocess.run(
            ["bash", "-c", script], env=env, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr + done.stdout
        states = dict(Action.objects.values_list("task__product__code", "state"))
        assert states == {"kettle": "confirmed", "lamp": "confirmed"}
        assert Action.objects.get(task__product__code="lamp").result_id == "4711"
        assert UsageReport.objects.get().usage["currency"] == "CNY"
