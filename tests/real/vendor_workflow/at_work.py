"""A vendor at work: its script in a process of its own, with nothing of the house's settings, until every task is done."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

from tests.real.vendor_workflow.messages import app_on, times_done
from tests.workers import READY_SECONDS, wait_for

OURS = ("ONCE_", "CELERY_", "DJANGO_", "DATABASE_", "SECRET_KEY")
DONE_S = 90


@dataclass(frozen=True, slots=True)
class Workplace:
    """What the vendor was given. ``cms``: the base URL in place of the CMS's own; ``dialect``: how that is spoken to."""

    cms: str = field(repr=False)
    authorization: str = field(repr=False)
    dialect: str
    folder: Path

    def work(
        self, script: str, titles: Mapping[str, str], *, twice: Collection[str] = (), **environment: str
    ) -> None:
        """One task for each product, as many tries as ``script`` makes.

        ``twice``: products for which the workflow is started a second time; two workers are at it then.
        """
        runs = {product: 2 if product in twice else 1 for product in titles}
        with contextlib.ExitStack() as workers:
            logs = [
                workers.enter_context(self._worker(script, environment, number))
                for number in range(max(runs.values()))
            ]
            # two are two at once only when both are there before there is anything to do
            wait_for(lambda: all(b" ready." in log.read_bytes() for log in logs), READY_SECONDS)
            with mock.patch.dict(os.environ, _theirs(), clear=True):
                sender: Any = app_on(self.folder)
                for product, title in titles.items():
                    for _ in range(runs[product]):
                        sender.send_task("publish", [product, title])
            wait_for(lambda: all(times_done(self.folder, one) == runs[one] for one in titles), DONE_S)

    @contextlib.contextmanager
    def _worker(self, script: str, environment: Mapping[str, str], number: int) -> Iterator[Path]:
        """Its log."""
        settings = {
            "WORKFLOW_CMS": self.cms,
            "WORKFLOW_AUTHORIZATION": self.authorization,
            "WORKFLOW_DIALECT": self.dialect,
            "WORKFLOW_FOLDER": str(self.folder),
            **environment,
        }
        command = [sys.executable, "-m", "celery", "-A", f"tests.real.vendor_workflow.{script}", "worker"]
        command += ["-P", "solo", "--without-mingle", "--without-gossip", "--without-heartbeat", "-l", "INFO"]
        log = self.folder / f"{script}-{number}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(command, env={**_theirs(), **settings}, stdout=output, stderr=output)
            try:
                yield log
            finally:
                process.kill()
                process.wait()


def _theirs() -> dict[str, str]:
    """A vendor's machine."""
    return {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
