"""n8n alone: what its own means of repeating a step leave in the target."""

from __future__ import annotations

import pytest

from once_delivery.drill.losing_proxy import LosingProxy
from once_delivery.sandbox.process import SandboxProcess
from tests.real.n8n.bench import alone
from tests.real.n8n.cases import CASES, Case
from tests.real.n8n.places import LETTERS, SandboxPlace, WordPressPlace
from tests.real.n8n.playing import Stage, play, play_all
from tests.real.n8n.report import Report
from tests.real.systems.n8n import N8nServer
from tests.real.systems.wordpress import WordPressServer

pytestmark = pytest.mark.real

# how many drafts there are of each item afterwards
LEFT = {
    "retry": 2,
    "second-retry": 3,
    "three-retries": 4,
    "retry-on-fail": 2,
    "continue": 2,
    "again": 2,
    "doubled": 2,
}


def test_every_way_of_repeating_makes_duplicates(
    n8n: N8nServer, sandbox: SandboxProcess, before_sandbox: LosingProxy, report: Report
) -> None:
    def stage_of(case: Case) -> Stage:
        return alone(n8n, SandboxPlace(sandbox.admin, before_sandbox, f"alone-{case.key}"), case)

    played = report.columns["alone"] = play_all(n8n, CASES, stage_of)
    assert {key: one.held for key, one in played.items()} == {
        key: dict.fromkeys(LETTERS, count) for key, count in LEFT.items()
    }
    for case in CASES:
        first = played[case.key].executions[0]
        assert first.status == ("success" if case.stays_green else "error"), case


def test_the_same_on_wordpress(n8n: N8nServer, wordpress: WordPressServer) -> None:
    case = CASES[0]
    with LosingProxy(wordpress.plain.base_url, allow_inside=True) as proxy:
        place = WordPressPlace(wordpress.plain, proxy, "alone-wordpress")
        assert play(n8n, case, alone(n8n, place, case)).counted == "A2 B2 C2"
