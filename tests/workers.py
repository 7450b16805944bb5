"""Real Celery workers in processes of their own, on the test's database."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from celery import Celery
from django.db import connection
from kombu import pools

from once_delivery.config.celery import broker_options
from once_delivery.config.database import libpq

PGMQ = "pgmq://database"
READY_SECONDS = 90  # on a busy machine


def environment(broker_url: str, **extra: str) -> dict[str, str]:
    """What a process of the house needs to work on the test's database."""
    database = libpq({**connection.settings_dict, "OPTIONS": {}})
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "once_delivery.config.settings",  # not the tests', which set the rest aside
        "DATABASE_URL": database,
        "CELERY_BROKER_URL": broker_url,
        "ONCE_LOG_LEVEL": "INFO",
        **extra,
    }


@contextlib.contextmanager
def sending_to(app: Celery, broker_url: str) -> Iterator[None]:
    """Messages that this process sends go to ``broker_url``."""
    name = "CELERY_BROKER_URL"  # Celery itself reads it, before its own configuration
    before = os.environ[name], app.conf.broker_transport_options
    os.environ[name] = broker_url
    app.conf.broker_transport_options = broker_options(connection.settings_dict, broker_url)
    _forget_connections(app)
    try:
        yield
    finally:
        _forget_connections(app)
        os.environ[name], app.conf.broker_transport_options = before


@contextlib.contextmanager
def worker(
    log: Path, broker_url: str = PGMQ, *, module: str = "tests.worker_tasks", children: int = 1, **extra: str
) -> Iterator[subprocess.Popen[bytes]]:
    """A worker that is ready inside the block and gone after it, whatever happened to it."""
    command = [sys.executable, "-m", "celery", "-A", module, "worker", "-l", "INFO", "-c", str(children)]
    command += ["--without-mingle", "--without-gossip", "--without-heartbeat"]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, "-n", f"{log.stem}@tests"],
            env=environment(broker_url, **extra),
            stdout=output,
            stderr=output,
        )
        try:
            wait_for(lambda: b" ready." in log.read_bytes() or process.poll() is not None, READY_SECONDS)
            assert process.poll() is None, log.read_text()
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGKILL)
            process.wait()


def wait_for(condition: Callable[[], bool], seconds: float = 10.0) -> None:
    """Return as soon as ``condition`` holds; fail when it does not in time."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "did not happen in time"
        time.sleep(0.02)


def _forget_connections(app: Celery) -> None:
    pools.reset()
    app._pool = None  # type: ignore[attr-defined]
    app.amqp._producer_pool = None  # type: ignore[attr-defined]
