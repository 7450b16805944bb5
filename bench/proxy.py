"""How much longer a request takes through the proxy of vendors' drills: make bench-proxy.

Every request is sent to the sandbox CMS twice, in turns: straight to it, and through the proxy, which recognises it and
writes it down. Both callers keep their connection. What counts is the difference of the two medians of the same run.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from urllib.parse import urlsplit

from bench.place import ROOT, BusyError, conninfo, environment, server

AIM_MS = 5.0
ROUNDS = 400
SMALL, LARGE = 700, 200_000  # bytes of a draft's body


class Caller:
    """One kept connection to one base URL."""

    def __init__(self, base_url: str, token: str) -> None:
        parts = urlsplit(base_url)
        self._connection = http.client.HTTPConnection(parts.netloc, timeout=30)
        self._prefix = parts.path
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def took_ms(self, method: str, path: str, body: bytes | None) -> float:
        """From the first byte out to the last byte in."""
        begun = time.perf_counter()
        self._connection.request(method, self._prefix + path, body, self._headers)
        response = self._connection.getresponse()
        response.read()
        assert response.status < http.HTTPStatus.BAD_REQUEST, response.status
        return (time.perf_counter() - begun) * 1000

    def close(self) -> None:
        self._connection.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """0: the aim is reached for each kind of request; 1: it is not; 2: it could not be measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N", help="requests of each kind")
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args(arguments)
    settings = environment()
    os.environ.clear()
    os.environ.update(settings)
    try:
        with server() as found:
            figures = _run(given.rounds)
            print(_facts(conninfo(found)))
    except BusyError:
        print("Another benchmark runs in this checkout.", file=sys.stderr)
        return 2
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2), encoding="utf-8")
    return 0 if all(one["adds_ms"] < AIM_MS for one in figures) else 1


def _run(rounds: int) -> list[dict[str, Any]]:
    import django  # noqa: PLC0415 - the environment is set first

    django.setup()
    from django.core.management import call_command  # noqa: PLC0415

    from bench.seed import make_project  # noqa: PLC0415
    from once_delivery.sandbox.process import SandboxProcess  # noqa: PLC0415
    from once_delivery.vendor_drill.agreement import Agreement  # noqa: PLC0415
    from once_delivery.vendor_drill.services.open_drill import open_drill  # noqa: PLC0415
    from once_delivery.vendor_drill.services.start_drill import start_drill  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    with tempfile.TemporaryDirectory() as folder, SandboxProcess(Path(folder) / "sandbox") as sandbox:
        started = start_drill(
            project=make_project(),
            target=None,
            agreement=Agreement(
                vendor="bench", count=3, recognise="json", place="/title", values=("A", "B", "C")
            ),
            user=None,
            sandbox_url=sandbox.base_url,
            sandbox_token=sandbox.admin._token,  # noqa: SLF001 - it is in the same process
        )
        drill = open_drill(drill=started.drill)
        with _proxy() as address:
            direct = Caller(drill.target.base_url, started.token)
            through = Caller(f"{address}/{started.secret}", started.token)
            figures = [_kind(direct, through, name, rounds) for name in KINDS]
            direct.close()
            through.close()
    return figures


def _body(size: int, title: str = "bench") -> bytes:
    return json.dumps({"title": title, "body": "x" * size}).encode()


KINDS: dict[str, tuple[str, str, bytes | None]] = {
    "GET one page of drafts": ("GET", "/drafts?per_page=1", None),
    "POST a draft of 0.7 kB": ("POST", "/drafts", _body(SMALL)),
    "the same, for an item": ("POST", "/drafts", _body(SMALL, "A")),
    "POST a draft of 200 kB": ("POST", "/drafts", _body(LARGE)),
}


def _kind(direct: Caller, through: Caller, name: str, rounds: int) -> dict[str, Any]:
    method, path, body = KINDS[name]
    straight: list[float] = []
    proxied: list[float] = []
    for number in range(rounds + rounds // 10):  # the first tenth warms up
        pair = (direct, straight), (through, proxied)
        for caller, times in pair if number % 2 else reversed(pair):
            times.append(caller.took_ms(method, path, body))
    straight, proxied = straight[rounds // 10 :], proxied[rounds // 10 :]
    figures: dict[str, Any] = {
        "request": name,
        "direct_ms": round(median(straight), 3),
        "through_ms": round(median(proxied), 3),
        "adds_ms": round(median(proxied) - median(straight), 3),
        "adds_p95_ms": round(quantiles(proxied, n=20)[-1] - quantiles(straight, n=20)[-1], 3),
    }
    reached = "reached" if figures["adds_ms"] < AIM_MS else "NOT reached"
    print(
        f"{name:<24} direct {figures['direct_ms']:7.2f} ms   through the proxy {figures['through_ms']:7.2f} ms   "
        f"adds {figures['adds_ms']:5.2f} ms (at the 95th percentile {figures['adds_p95_ms']:5.2f})   "
        f"aim < {AIM_MS:.0f} ms: {reached}",
        flush=True,
    )
    return figures


@contextlib.contextmanager
def _proxy() -> Iterator[str]:
    """The proxy in a process of its own, as the house runs it; its address."""
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "manage.py"), "drill_proxy", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ,
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait(10)


def _facts(database: str) -> str:
    from bench import facts  # noqa: PLC0415
    from bench.place import STATE_DIR  # noqa: PLC0415

    return "\n".join(f"{name}: {value}" for name, value in facts.machine_facts(database, STATE_DIR).items())


if __name__ == "__main__":
    sys.exit(main())
