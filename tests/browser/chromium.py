"""Debian's Chromium, driven by Playwright; what a page must never do is written down while somebody uses it."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    Request,
    Response,
    sync_playwright,
)

PROGRAM = "chromium"
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE_MS = 15_000
# Chromium says it of every answer that is no success; the answers themselves are judged
SAID_OF_ANSWERS = "Failed to load resource: the server responded with a status of"
# a person who goes on while something still loads makes the browser give that up
GIVEN_UP = "net::ERR_ABORTED"
REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error("policy: " + event.violatedDirective + " " + event.blockedURI + " " + event.sourceFile);
});
"""


@contextlib.contextmanager
def chromium(data: Path) -> Iterator[Browser]:
    """The browser, with what it keeps in ``data``; it ends with the block."""
    program = shutil.which(PROGRAM)
    assert program, "chromium is missing: tests/real/install-servers installs it"
    # asyncio runs in this thread while Playwright does, and Django would refuse the tests' own queries
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    data.mkdir(parents=True, exist_ok=True)
    places = {"XDG_CONFIG_HOME": str(data), "XDG_CACHE_HOME": str(data), "TMPDIR": str(data)}
    with _playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=[*ARGUMENTS], env={**os.environ, **places}
        )
        try:
            yield browser
        finally:
            browser.close()


_RUNNING: list[Playwright] = []


@contextlib.contextmanager
def _playwright() -> Iterator[Playwright]:
    """One a thread: a second one refuses to start where the first one's loop runs."""
    if _RUNNING:
        yield _RUNNING[0]
        return
    with sync_playwright() as playwright:
        _RUNNING.append(playwright)
        try:
            yield playwright
        finally:
            _RUNNING.remove(playwright)


@dataclass
class Watched:
    """What went wrong on the pages of one visit, in the order in which it did."""

    origin: str
    problems: list[str] = field(default_factory=list)
    # answers that a story means to get: status codes
    meant: set[int] = field(default_factory=set)

    def watch(self, context: BrowserContext) -> None:
        context.add_init_script(REPORT_VIOLATIONS)
        context.on("page", self._watch_page)
        context.on("console", self._said)
        context.on("requestfailed", self._failed)
        context.on("response", self._answered)
        context.on("weberror", lambda error: self.problems.append(f"page error: {error.error}"))

    def _watch_page(self, page: Page) -> None:
        page.set_default_timeout(PATIENCE_MS)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and not message.text.startswith(SAID_OF_ANSWERS):
            self.problems.append(f"console {message.type}: {message.text}")

    def _failed(self, request: Request) -> None:
        if request.url.startswith(self.origin) and request.failure != GIVEN_UP:
            self.problems.append(f"request failed: {request.url} {request.failure}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400 and response.status not in self.meant:
            self.problems.append(f"answer {response.status}: {response.request.method} {response.url}")


def context_of(
    browser: Browser, origin: str, *, language: str, **options: Any
) -> tuple[BrowserContext, Watched]:
    """A fresh profile that asks for ``language``, watched from its first page on."""
    locale = {"zh-hans": "zh-CN", "en": "en-GB"}[language]
    options = {"viewport": {"width": 1440, "height": 900}, "reduced_motion": "reduce", **options}
    context = browser.new_context(base_url=origin, locale=locale, timezone_id="Asia/Shanghai", **options)
    watched = Watched(origin)
    watched.watch(context)
    return context, watched
