"""n8n with each template: the same cases, and one draft a task in the target's own inventory."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client

from once_delivery.accounts.models import User
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
    for one in played.values():
        assert ("error" in one.statuses) != one.case.stays_green, one.case
        for execution in one.executions:
            assert is_shown_as_run(f"n8n-{execution.id}")


def is_shown_as_run(execution: str) -> bool:
    """The page of the batch names it among the runs."""
    run = Run.objects.select_related("batch").get(kind=RunKind.OUTSIDE, external_id=execution)
    assert run.batch is not None
    reader = Client()
    reader.force_login(User.objects.get(username="ops"))
    page = reader.get(f"/batches/{run.batch.uuid}/").content.decode()
    return f'<code translate="no">{execution}</code>' in page


@pytest.mark.parametrize("report", ["done", "unknown", "found"])
def test_a_report_whose_answer_is_lost_is_made_again(report: str, bench: Bench) -> None:
    """n8n turns red after the drafts were made, and goes on with the report."""
    stage = bench.stage("permit", bench.space(f"report-{report}"), CASES[0])
    lost = replace(stage, proxies=())
    bench.before_house.lose(f"/{report}")
    played = play(bench.n8n, CASES[0], lost)
    assert (played.counted, played.statuses) == ("A1 B1 C1", ["error", "success"])


@pytest.mark.parametrize("kind", ["gateway", "permit"])
def test_the_same_on_wordpress(kind: str, bench: Bench, wordpress: WordPressServer) -> None:
    case = CASES[0]
    with LosingProxy(wordpress.plain.base_url) as proxy:
        place = WordPressPlace(wordpress.plain, proxy, f"{kind}-wordpress")
        assert play(bench.n8n, case, bench.stage_on_wordpress(kind, place, case)).counted == "A1 B1 C1"
