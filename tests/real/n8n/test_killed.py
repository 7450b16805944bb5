"""n8n is killed while B is under way, and started again: it retries such an execution from its beginning."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from once_delivery.drill.passing import Loss
from tests.real.n8n.bench import Bench
from tests.real.n8n.cases import CASES
from tests.real.n8n.playing import LivePlay, Stage, tasks_of
from tests.workers import wait_for

pytestmark = pytest.mark.real
SECONDS = 120  # on a busy machine; it takes a few
KINDS = ("without-once", "gateway", "permit")


def begin(bench: Bench, kind: str, stage: Stage) -> LivePlay:
    """Until all drafts are there, and n8n still waits for the answer about B."""
    proxy = bench.before_house if kind == "gateway" else stage.place.proxy
    proxy.lose(f"{stage.place.name} B", Loss.HANG)
    play = LivePlay(bench.n8n, bench.n8n.add_workflow(stage.workflow), stage.hook, tasks_of(stage.place))
    play.trigger()
    return play


def held(stage: Stage) -> list[int]:
    return sorted(stage.place.held().values())


def test_what_n8n_has_kept_is_retried(bench: Bench) -> None:
    stages = {kind: bench.stage(kind, bench.space(f"killed-{kind}"), CASES[0]) for kind in KINDS}
    plays = {kind: begin(bench, kind, stage) for kind, stage in stages.items()}
    wait_for(lambda: all(held(stage) == [1, 1, 1] for stage in stages.values()), SECONDS)
    bench.n8n.crash()
    with ThreadPoolExecutor(len(plays)) as pool:
        list(pool.map(lambda play: play.retry(play.settle(1)[0]), plays.values()))
    for play in plays.values():
        play.settle(2)
        first, again = play.executions()
        assert (first.status, again.mode, again.status) == ("crashed", "retry", "success")
    assert {kind: held(stage) for kind, stage in stages.items()} == {
        "without-once": [2, 2, 2],
        "gateway": [1, 1, 1],
        "permit": [1, 1, 1],
    }
