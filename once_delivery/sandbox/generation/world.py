"""The jobs of one simulated account: made, finished when they are due, shown late, and forgotten."""

from __future__ import annotations

import itertools
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

POLICY_WORD = "forbidden"  # a prompt with it is refused before anything is made
FAIL_WORD = "fails"  # a prompt with it makes a job that fails


@dataclass
class Job:
    """One job; times are seconds since 1970 by the world's clock."""

    id: str
    order: dict[str, Any]
    created: float
    ends: float
    key: str = ""
    callback_url: str = ""
    failing: bool = False

    @property
    def prompt(self) -> str:
        """The words of the order, wherever a door has put them."""
        return str(self.order.get("prompt", ""))

    def state(self, now: float) -> str:
        """running, succeeded or failed."""
        if now < self.ends:
            return "running"
        return "failed" if self.failing else "succeeded"


@dataclass
class World:
    """One account. ``keep_s``: how long a job can be asked for; ``list_lag_s``: how late it stands in the list."""

    finish_s: float = 0.0
    keep_s: float = float("inf")
    list_lag_s: float = 0.0
    rate_per_s: int = 0  # 0: no limit
    offset_s: float = 0.0  # of the world's clock
    fails: bool = True  # whether FAIL_WORD does what it says
    jobs: dict[str, Job] = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)
    on_made: Callable[[Job], None] | None = None
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    _second: tuple[int, int] = (0, 0)

    def now(self) -> float:
        """The service's clock."""
        return time.time() + self.offset_s

    def make(self, order: dict[str, Any], *, key: str = "", callback_url: str = "") -> Job:
        """A job, made and to be paid."""
        with self.lock:
            now = self.now()
            job = Job(
                id=str(uuid.uuid4()),
                order=dict(order),
                created=now,
                ends=now + self.finish_s,
                key=key,
                callback_url=callback_url,
                failing=self.fails and FAIL_WORD in str(order.get("prompt", "")),
            )
            self.jobs[job.id] = job
        if self.on_made is not None:
            self.on_made(job)
        return job

    def get(self, job_id: str) -> Job | None:
        """The job, while it is kept."""
        with self.lock:
            job = self.jobs.get(job_id)
            return job if job is not None and self._kept(job) else None

    def by_key(self, key: str) -> Job | None:
        """The job that was made under this key of the caller, while it is kept."""
        with self.lock:
            return next((job for job in self.jobs.values() if job.key == key and self._kept(job)), None)

    def listed(self) -> list[Job]:
        """What the list shows now, newest first."""
        with self.lock:
            seen = [
                job
                for job in self.jobs.values()
                if self._kept(job) and self.now() >= job.created + self.list_lag_s
            ]
        return sorted(seen, key=lambda job: job.created, reverse=True)

    def over_the_rate(self) -> bool:
        """Count one request; whether it is one too many in this second."""
        if not self.rate_per_s:
            return False
        with self.lock:
            second, count = self._second
            now = int(self.now())
            self._second = (now, count + 1 if now == second else 1)
            return self._second[1] > self.rate_per_s

    def _kept(self, job: Job) -> bool:
        return self.now() - job.created <= self.keep_s
