"""n8n with each template: the same cases, and one draft a task in the target's own inventory."""

from __future__ import annotations

import pytest

from once_delivery.drill.losing_proxy import LosingProxy
from once_delivery.ledger.models import Run, RunKind
from tests.real.n8n.bench import Bench
from tests.real.n8n.cases import CASES
from tests.real.n8n.places import LETTERS, WordPressPlace
from tests.real.n8n.playing import play, play_all
from tests.real.n8n.report import Report
from tests.real.systems.wordpress import WordPressServer

pytestmark = pytest.mark.real


@pytest.mark.parametrize("kind", ["gateway", "permit"])
def test_every_way_of_repeating_leaves_one_draft_a_task(kind: str, bench: Bench, report: Report) -> None:
    stages = {case.key: bench.stage(kind, bench.space(f"{kind}-{case.key}"), case) for case in CASES}
    played = report.columns[kind] = play_all(bench.n8n, CASES, lambda case: stages[case.key])
    assert {key: one.held for key, one in played.items()} == {
        case.key: dict.fromkeys(LETTERS, 1) for case in CASES
    }
    known = set(Run.objects.filter(kind=RunKind.OUTSIDE).values_list("external_id", flat=True))
    for one in played.values():
        assert ("error" in one.statuses) != one.case.stays_green, one.case
        assert {f"n8n-{execution.id}" for execution in one.executions} <= known


@pytest.mark.parametrize("kind", ["gateway", "permit"])
def test_the_same_on_wordpress(kind: str, bench: Bench, wordpress: WordPressServer) -> None:
    case = CASES[0]
    with LosingProxy(wordpress.plain.base_url) as proxy:
        place = WordPressPlace(wordpress.plain, proxy, f"{kind}-wordpress")
        assert play(bench.n8n, case, bench.stage_on_wordpress(kind, place, case)).counted == "A1 B1 C1"
