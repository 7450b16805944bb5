"""``python -m once_delivery.sandbox --data DIR --port 0``."""

from __future__ import annotations

import argparse
import asyncio
import fcntl
import logging
import os
import secrets
import sys
from pathlib import Path

from once_delivery.sandbox.app import App
from once_delivery.sandbox.server import Server

TOKEN_VARIABLE = "ONCE_SANDBOX_ADMIN_TOKEN"  # noqa: S105 -- the name of a variable


def main() -> int:
    """Run a sandbox until it is told to stop."""
    options = _options()
    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s"
    )
    data: Path = options.data
    data.mkdir(parents=True, exist_ok=True)
    with (data / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.stderr.write(f"another sandbox is running on {data}\n")
            return 2
        return asyncio.run(_serve(data, options))


async def _serve(data: Path, options: argparse.Namespace) -> int:
    app = App(data, admin_token(data), quota_mb=options.quota_mb)

    def ready(base_url: str) -> None:
        sys.stdout.write(f"{base_url}\n")
        sys.stdout.flush()
        if options.ready_file:
            _write_whole(options.ready_file, base_url + "\n")

    try:
        await Server(app).run(options.host, options.port, ready)
    except OSError as error:
        sys.stderr.write(f"cannot listen on {options.host}:{options.port}: {error.strerror}\n")
        return 2
    finally:
        app.close()
    return 0


def admin_token(data: Path) -> str:
    """The token from the environment, or else the one kept in the data folder (made at the first start)."""
    given = os.environ.get(TOKEN_VARIABLE, "").strip()
    if given:
        return given
    path = data / "admin-token"
    if not path.exists():
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(32) + "\n")
    return path.read_text().strip()


def _write_whole(path: Path, text: str) -> None:
    """A reader sees all of it or nothing."""
    part = path.with_name(path.name + ".part")
    part.write_text(text)
    part.replace(path)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m once_delivery.sandbox", description="A small CMS to be tested on."
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the sandbox's own storage")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="0 picks a free one")
    parser.add_argument("--ready-file", type=Path, help="gets the base URL once the sandbox listens")
    parser.add_argument(
        "--quota-mb", type=int, default=0, help="behave as if the disk were full beyond this size"
    )
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
