"""The drill of any vendor's workflow, on a real n8n: without ONCE it fails, with either template it passes."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from pytest_django import Settings

from tests.real.n8n.bench import Bench
from tests.real.n8n.cases import CASES
from tests.real.n8n.places import LETTERS, SandboxPlace
from tests.real.n8n.playing import LivePlay, tasks_of
from tests.vendor_drill.given import proxy_running

pytestmark = pytest.mark.real
FAULTS = ("answer_lost", "error_before")  # of B and of C


@dataclass(frozen=True)
class DrilledPlace(SandboxPlace):
    """What the vendor was given: an address in place of the CMS's, and a token."""

    address: str = ""
    given_token: str = ""

    def __post_init__(self) -> None:
        """The space is there already."""

    @property
    def base_url(self) -> str:
        return self.address

    @property
    def token(self) -> str:
        return self.given_token


@pytest.fixture
def drilled(bench: Bench, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    """The bench, with the proxy of the drills running."""
    monkeypatch.setenv("ONCE_SANDBOX_ADMIN_TOKEN", bench.admin._token)
    with proxy_running() as proxy:
        settings.DRILL_PROXY_URL = f"http://127.0.0.1:{proxy.port}"
        yield bench


def begin(bench: Bench, vendor: str) -> tuple[str, DrilledPlace]:
    name = f"drilled-{vendor}"
    values = [part for letter in LETTERS for part in ("--value", f"{name} {letter}")]
    faults = [part for fault in FAULTS for part in ("--fault", fault)]
    told = io.StringIO()
    call_command(
        "vendor_drill", "start", "--vendor", f"n8n, {vendor}", "--project", bench.house.project.code,
        "--sandbox-url", bench.admin.base_url, "--field", "json:/title", *values, *faults,
        "--creates-at", "/drafts", "--machine", stdout=told,
    )  # fmt: skip
    started = json.loads(told.getvalue())
    place = DrilledPlace(
        bench.admin, bench.before_sandbox, name, address=started["base_url"], given_token=started["token"]
    )
    return started["drill"], place


@pytest.mark.parametrize(
    ("vendor", "verdicts"),
    [
        ("without-once", {"A": False, "B": False, "C": True}),
        ("gateway", {"A": True, "B": True, "C": True}),
        ("permit", {"A": True, "B": True, "C": True}),
    ],
)
def test_the_drill_tells_them_apart(
    vendor: str, verdicts: dict[str, bool], drilled: Bench, tmp_path: Path
) -> None:
    drill, place = begin(drilled, vendor)
    with_once = vendor != "without-once"
    stage = drilled.stage(vendor, place, CASES[0])
    if with_once:
        drilled.before_house.lose(f"{place.name} B")  # n8n turns red here too, and its people press Retry
    play = LivePlay(drilled.n8n, drilled.n8n.add_workflow(stage.workflow), stage.hook, tasks_of(place))
    CASES[0].play(play)
    told, data = io.StringIO(), tmp_path / "drill.json"
    code = _finish(drill, told, data)
    document = json.loads(data.read_text(encoding="utf-8"))
    assert {one["item"]: one["passed"] for one in document["items"] if one["item"]} == verdicts, (
        told.getvalue()
    )
    assert code == (0 if all(verdicts.values()) else 1), told.getvalue()


def _finish(drill: str, told: io.StringIO, data: Path) -> Any:
    try:
        call_command("vendor_drill", "finish", drill, "--json", str(data), stdout=told)
    except SystemExit as end:
        return end.code
    return 0
