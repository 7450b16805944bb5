"""Opening a page as a person does: warm, in this process, without a network."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median

import psutil
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bench.web.pages import PageAt
from once_delivery.accounts.models import User

MEDIAN_MS, HIGH_MS = 100.0, 300.0
PAGE_S = 6.0  # a page that is far too slow is not opened thirty times


@dataclass(frozen=True, slots=True)
class Query:
    """A statement as it was sent, and how long it took."""

    sql: str
    ms: float


@dataclass(frozen=True, slots=True)
class Visited:
    """What a page took. ``took``: milliseconds of each call, sorted."""

    page: PageAt
    status: int
    took: list[float]
    queries: list[Query] = field(default_factory=list)
    processor: float = (
        0.0  # milliseconds a call: this process and its PostgreSQL, whatever else the machine does
    )

    @property
    def median(self) -> float:
        return median(self.took)

    @property
    def high(self) -> float:
        """The 95th percentile: of thirty calls the second slowest."""
        return self.took[min(len(self.took) - 1, round(0.95 * len(self.took)) - 1)] if self.took else 0.0

    @property
    def fast(self) -> bool:
        return self.status == 200 and self.median <= MEDIAN_MS and self.high <= HIGH_MS

    @property
    def fast_alone(self) -> bool:
        """What it would be on a machine that does nothing else: waiting for other programs is left out."""
        return self.status == 200 and self.processor <= MEDIAN_MS

    @property
    def slowest(self) -> Query:
        return max(self.queries, key=lambda query: query.ms)


class Visitors:
    """Browsers that are signed in, one a person."""

    def __init__(self) -> None:
        self._browsers: dict[str, Client] = {}

    def of(self, username: str) -> Client:
        if username not in self._browsers:
            browser = Client(headers={"host": "localhost"}, raise_request_exception=False)
            browser.force_login(User.objects.get(username=username))
            self._browsers[username] = browser
        browser = self._browsers[username]
        session = browser.session
        session["confirmed_at"] = time.time()  # the pages that ask for a fresh confirmation
        session.save()
        return browser

    def visit(self, page: PageAt, *, calls: int) -> Visited:
        """Once to warm it and to see its queries, then ``calls`` times with a clock."""
        browser = self.of(page.user)
        browser.get(page.path)
        with CaptureQueriesContext(connection) as caught:
            answer = browser.get(page.path)
        # at once: the next request empties the log
        queries = [Query(one["sql"], float(one["time"]) * 1000) for one in caught.captured_queries]
        took: list[float] = []
        spent: list[float] = []
        begun = time.perf_counter()
        with _processor(spent):
            while len(took) < calls and (len(took) < 3 or time.perf_counter() - begun < PAGE_S):
                since = time.perf_counter()
                list(browser.get(page.path))
                took.append((time.perf_counter() - since) * 1000)
        return Visited(page, answer.status_code, sorted(took), queries, 1000 * spent[0] / len(took))


@contextmanager
def _processor(spent: list[float]) -> Iterator[None]:
    """Adds the processor time (seconds) of the block. A query's parallel workers are not in it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        ((pid,),) = cursor.fetchall()
    processes = psutil.Process(), psutil.Process(pid)
    before = [process.cpu_times() for process in processes]
    yield
    after = [process.cpu_times() for process in processes]
    spent.append(sum(b.user + b.system - a.user - a.system for a, b in zip(before, after, strict=True)))
