"""A newcomer's way: the file comes in by the editor's own menu, the red execution is retried by its own button."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import chromium
from tests.real.n8n.bench import Bench
from tests.real.n8n.cases import CASES
from tests.real.n8n.editor import Editor
from tests.real.n8n.playing import LivePlay, tasks_of
from tests.real.n8n.templates import FOLDER, template
from tests.real.systems.n8n import N8nServer

pytestmark = pytest.mark.real
MOST_BYTES = 200_000
# by the names that the files ask for
CREDENTIALS = ("ONCE", "CMS")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("chromium")) as opened:
        yield opened


@pytest.fixture(scope="module")
def credentials(n8n: N8nServer) -> dict[str, str]:
    return {name: n8n.add_header_credential(name, "Authorization", "Bearer …") for name in CREDENTIALS}


@pytest.fixture(scope="module")
def editor(browser: Browser, n8n: N8nServer) -> Editor:
    return Editor(browser, n8n)


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Where pictures go: into the tree only with ONCE_TEST_SCREENSHOTS=1."""
    return FOLDER if os.environ.get("ONCE_TEST_SCREENSHOTS") == "1" else tmp_path


@pytest.mark.parametrize("name", ["gateway", "permit", "without-once"])
def test_a_file_comes_in_whole(
    name: str, n8n: N8nServer, editor: Editor, credentials: dict[str, str], pictures: Path
) -> None:
    editor.import_file(FOLDER / f"{name}.json")
    wanted = [node for node in template(name)["nodes"] if not node["type"].endswith("stickyNote")]
    assert editor.nodes() == [node["name"] for node in wanted]
    editor.picture(pictures / f"{name}.png")
    assert (pictures / f"{name}.png").stat().st_size < MOST_BYTES
    assert editor.complaints() == 0
    _, kept = n8n.api("GET", f"/workflows/{editor.workflow_id()}")
    found = {
        node["name"]: node["credentials"]["httpHeaderAuth"]["id"]
        for node in kept["nodes"]
        if "credentials" in node
    }
    assert found == {
        node["name"]: credentials[node["credentials"]["httpHeaderAuth"]["name"]]
        for node in wanted
        if "credentials" in node
    }


def test_the_button_retry(bench: Bench, editor: Editor, pictures: Path) -> None:
    place = bench.space("button")
    stage = bench.stage("gateway", place, CASES[0])
    for proxy in (place.proxy, *stage.proxies):
        proxy.lose("button B")
    workflow_id = bench.n8n.add_workflow(stage.workflow)
    play = LivePlay(bench.n8n, workflow_id, stage.hook, tasks_of(place))
    play.trigger()
    (first,) = play.settle(1)
    assert bench.n8n.execution(first).status == "error"
    editor.press_retry(workflow_id, first)
    _, again = play.settle(2)
    assert bench.n8n.execution(again).status == "success"
    assert sorted(place.held().items()) == [("button A", 1), ("button B", 1), ("button C", 1)]
    editor.show_execution(workflow_id, again)
    editor.page.screenshot(path=pictures / "retried.png", animations="disabled")
    assert (pictures / "retried.png").stat().st_size < MOST_BYTES
