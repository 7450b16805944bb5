"""A real Celery worker over the default broker (PGMQ in the same database), one task an item, no ledger."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg

from bench.contenders.base import SPARE, ContenderError, tail
from bench.processors import Watch

READY_SECONDS = 30.0
FIRST = 100  # tasks that a worker does before its time begins
WARM_UP = 1000
_COPY = """
WITH first AS (SELECT message::text AS message, headers::text AS headers, message #>> '{headers,id}' AS id,
                      message #>> '{properties,delivery_tag}' AS tag FROM pgmq.q_once
               ORDER BY msg_id DESC LIMIT 1),
     ids AS (SELECT gen_random_uuid()::text AS id, gen_random_uuid()::text AS tag FROM generate_series(1, %(more)s))
INSERT INTO pgmq.q_once (vt, message, headers)
SELECT clock_timestamp(), replace(replace(first.message, first.id, ids.id), first.tag, ids.tag)::jsonb,
       replace(first.headers, first.id, ids.id)::jsonb
FROM first, ids
"""


@dataclass(slots=True)
class CeleryWorker:
    """See :class:`bench.contenders.base.Contender`. The worker is started for every round and killed after it.

    The messages are there before a round, as the ledger's requests are. What is done is counted in the queue: a
    task is over when its message is gone.
    """

    key: str
    title: str
    environment: dict[str, str]
    log: Path
    conninfo: str
    children: int
    payload: dict[str, str]
    guess: float = 1000.0

    def start(self) -> None:
        """The first message, from which the others are copied."""
        from bench.workers.celery_tasks import create  # noqa: PLC0415 - needs Django's settings

        create.delay(1, self.payload)

    def round(self, seconds: float, watch: Watch) -> float:
        """See :class:`bench.contenders.base.Contender`. The time begins when the worker has done the first ones."""
        self._fill(round(self.guess * seconds * SPARE) + WARM_UP)
        with self._worker() as process:
            self._wait_for_the_first(process)
            with watch.running():
                before, begun = self._left(), time.monotonic()
                time.sleep(seconds)
                after, took = self._left(), time.monotonic() - begun
        if after == 0:
            raise ContenderError("the queue ran dry: more messages are needed")
        rate = (before - after) / took
        self.guess = max(self.guess, rate)
        return rate

    def stop(self) -> None:
        """Nothing of it runs between rounds."""

    @contextlib.contextmanager
    def _worker(self) -> Iterator[subprocess.Popen[bytes]]:
        command = [
            sys.executable, "-m", "celery", "-A", "bench.workers.celery_tasks", "worker", "-l", "WARNING",
            "-c", str(self.children), "-n", "bench@localhost",
        ]  # fmt: skip
        with self.log.open("ab") as log:
            process = subprocess.Popen(
                command, env=self.environment, stdout=log, stderr=log, start_new_session=True
            )
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _wait_for_the_first(self, process: subprocess.Popen[bytes]) -> None:
        before, until = self._left(), time.monotonic() + READY_SECONDS
        while self._left() > before - FIRST:
            if process.poll() is not None or time.monotonic() > until:
                raise ContenderError(f"the Celery worker did not start: {tail(self.log)}")
            time.sleep(0.05)

    def _fill(self, wanted: int) -> None:
        """PostgreSQL copies a message that Celery wrote, each with IDs of its own; that is quicker than sending."""
        with psycopg.connect(self.conninfo, autocommit=True) as connection:
            connection.execute(_COPY, {"more": max(0, wanted - self._left())})

    def _left(self) -> int:
        with psycopg.connect(self.conninfo, autocommit=True) as connection:
            row = connection.execute("SELECT count(*) FROM pgmq.q_once").fetchone()
        assert row is not None
        return int(row[0])
