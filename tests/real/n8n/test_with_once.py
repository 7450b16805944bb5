"""n8n with each template: the same cases, and one draft a task in the target's own inventory."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client

from once_delivery.accounts.models import User
from once_delivery.drill.losing_proxy import LosingProxy
from once_delivery.ledger.models import Permit, Run, RunKind
from once_delivery.targets.models import Target
from tests.real.n8n.bench import Bench
from tests.real.n8n.cases import CASES
from tests.real.n8n.places import LETTERS, WordPressPlace
from tests.real.n8n.playing import play, play_all, tasks_of
from tests.real.n8n.report import Report
from tests.real.systems.wordpress import WordPressServer
from tests.workers import wait_for

pytestmark = pytest.mark.real
SECONDS = 120  # on a busy machine; it takes a few


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


def test_nothing_is_sent_under_a_permit_that_will_be_over(bench: Bench) -> None:
    """Here every permit is shorter than the target's deadline, as if n8n had been held up before it sends."""
    place = bench.space("held-up")
    stage = bench.stage("permit", place, CASES[0])
    target = Target.objects.get(name=place.name)
    target.profile_data |= {"deadline_s": 30.0}
    target.save()
    ask = next(one for one in stage.workflow["nodes"] if one["name"] == "Ask ONCE")
    ask["parameters"]["jsonBody"] = ask["parameters"]["jsonBody"].replace(
        "execution:", "lease_s: 5, execution:"
    )
    workflow_id = bench.n8n.add_workflow(stage.workflow)
    assert bench.n8n.call_webhook(stage.hook, {"tasks": tasks_of(place)}) == 200
    wait_for(lambda: Permit.objects.filter(reported="unknown").count() == len(LETTERS), SECONDS)
    assert (place.held(), place.sent()) == ({}, [])
    assert bench.n8n.stop_all(workflow_id) == 1


@pytest.mark.parametrize("kind", ["gateway", "permit"])
def test_the_same_on_wordpress(kind: str, bench: Bench, wordpress: WordPressServer) -> None:
    case = CASES[0]
    with LosingProxy(wordpress.plain.base_url, allow_inside=True) as proxy:
        place = WordPressPlace(wordpress.plain, proxy, f"{kind}-wordpress")
        assert play(bench.n8n, case, bench.stage_on_wordpress(kind, place, case)).counted == "A1 B1 C1"
