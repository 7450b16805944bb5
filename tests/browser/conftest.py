from __future__ import annotations

import uuid
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from once_delivery.config.celery import app
from once_delivery.sandbox.process import SandboxProcess
from tests.browser.chromium import chromium, context_of
from tests.browser.demo import Demo, a_demo
from tests.browser.visitor import Visitor
from tests.house.sources import ROOT
from tests.workers import PGMQ, sending_to, worker

NewVisitor = Callable[..., Visitor]
RESULTS = ROOT / "test-results"  # what the last page looked like when a story failed
FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("chromium")) as opened:
        yield opened


@pytest.fixture(scope="session")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxProcess]:
    with SandboxProcess(tmp_path_factory.mktemp("sandbox")) as process:
        yield process


@pytest.fixture(params=["zh-hans", "en"])
def language(request: pytest.FixtureRequest) -> str:
    value: str = request.param
    return value


@pytest.fixture
def demo(transactional_db: None, sandbox: SandboxProcess, settings: Settings, tmp_path: Path) -> Demo:
    settings.STATE_DIR = tmp_path / "state"  # passwords of this test alone
    return a_demo(sandbox.admin, f"s{uuid.uuid4().hex[:8]}")


@pytest.fixture
def working(demo: Demo, tmp_path: Path, sandbox: SandboxProcess) -> Iterator[None]:
    """A worker of the house is at work on the test's database."""
    places = {"ONCE_SANDBOX_URL": sandbox.base_url, "ONCE_SANDBOX_ADMIN_TOKEN": sandbox.admin_token}
    with (
        worker(tmp_path / "worker.log", module="once_delivery.config.celery", children=2, **places),
        sending_to(app, PGMQ),
    ):
        yield


@pytest.fixture
def visitor(
    request: pytest.FixtureRequest, browser: Browser, live_server: LiveServer, language: str
) -> Iterator[NewVisitor]:
    """Makes people with a browser of their own; the test fails with what went wrong on any of their pages."""
    made: list[Visitor] = []

    def new(name: str = "", password: str = "", **options: object) -> Visitor:
        context, watched = context_of(browser, live_server.url, language=language, **options)
        one = Visitor(context, watched, language)
        made.append(one)
        if name:
            one.sign_in(name, password)
        return one

    yield new
    for number, one in enumerate(made):
        if request.node.stash.get(FAILED, False):
            one.page.screenshot(path=RESULTS / f"{request.node.name}-{number}.png", full_page=True)
        one.leave()
    assert [problem for one in made for problem in one.watched.problems] == []
