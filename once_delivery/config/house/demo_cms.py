"""The demo's real CMS: Wagtail beside the sandbox. What it needs is made once; the house runs without it too."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from psycopg import sql
from psycopg.conninfo import make_conninfo

from once_delivery.config.house.wagtail_site import (
    ROOT,
    SITE,
    SiteAccounts,
    SiteFailedError,
    WagtailSite,
    fingerprint,
    programs,
    programs_are_there,
)
from once_delivery.config.kept_secret import kept_secret

DATABASE = "once_wagtail"
WORKERS = 2
READY_S = 60
STOP_S = 10
ADMIN = "admin"  # its name in the site


@dataclass(frozen=True, slots=True)
class DemoCms:
    """One site, set up, with its accounts."""

    site: WagtailSite
    accounts: SiteAccounts
    port: int
    password: str

    @property
    def admin_url(self) -> str:
        return f"{self.site.base_url}/admin/"

    def environment(self) -> dict[str, str]:
        """What the line in the Procfile and ``deliver_demo`` read."""
        return {
            "ONCE_WAGTAIL_PYTHON": str(self.site.programs / "python"),
            "ONCE_WAGTAIL_SITE": str(SITE),
            "ONCE_WAGTAIL_PORT": str(self.port),
            "ONCE_WAGTAIL_URL": self.site.base_url,
            "ONCE_WAGTAIL_TOKEN": self.accounts.tokens["delivery"],
            "ONCE_WAGTAIL_SECTION": str(self.accounts.section),
            **{name: value for name, value in self.site.environment().items() if name.startswith("CMS_")},
        }


def cache() -> Path:
    """Where other programs are installed: kept when the data is deleted."""
    return Path(os.environ.get("ONCE_CACHE_DIR") or ROOT / ".cache")


def is_prepared() -> bool:
    """Whether :func:`prepare` has next to nothing to do."""
    return programs_are_there(cache()) and _marked() == fingerprint()


def prepare(port: int) -> DemoCms:
    """Installed, with its database, section and accounts. Raises SiteFailedError; again changes nothing."""
    data = Path(settings.STATE_DIR) / "wagtail"
    first = not (data / "admin-password").exists()
    password = kept_secret(data / "admin-password", size=12)  # people type it
    site = WagtailSite(programs(cache()), data, f"http://127.0.0.1:{port}", _database())
    accounts = _kept_accounts(data) if not first and _marked() == fingerprint() else None
    if accounts is None:
        _make_database()
        accounts = site.set_up(password, replace=first)
        _mark(fingerprint())
    return DemoCms(site, accounts, port, password)


@contextlib.contextmanager
def running(cms: DemoCms) -> Iterator[None]:
    """It serves inside the block. Raises SiteFailedError."""
    log = cms.site.data / "gunicorn.log"
    command = cms.site.command(f"127.0.0.1:{cms.port}", workers=WORKERS)
    with log.open("ab") as out:
        process = subprocess.Popen(  # noqa: S603 -- the site's own interpreter
            [sys.executable, "-m", "once_delivery.common.die_with_parent", str(os.getpid()), *command],
            cwd=settings.BASE_DIR,
            env={**os.environ, **cms.site.environment()},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
        )
    try:
        _wait(process, cms.port, log)
        yield
    finally:
        process.terminate()
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    until = time.monotonic() + READY_S
    while not _answers(port):
        if process.poll() is not None or time.monotonic() > until:
            raise SiteFailedError(log.read_text(encoding="utf-8", errors="replace").strip()[-2000:])
        time.sleep(0.1)


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/api/v3/whoami/")
        return connection.getresponse().status < http.HTTPStatus.INTERNAL_SERVER_ERROR
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _kept_accounts(data: Path) -> SiteAccounts | None:
    """What the site wrote down when it was set up; None when somebody has deleted it."""
    with contextlib.suppress(FileNotFoundError, ValueError, KeyError):
        made: dict[str, Any] = json.loads((data / "accounts.json").read_text(encoding="utf-8"))
        return SiteAccounts(section=made["section"], tokens=made["tokens"])
    return None


def _database() -> dict[str, str] | None:
    """One of its own in the embedded PostgreSQL; beside a database of yours an SQLite file."""
    server = settings.DATABASES["default"]["EMBEDDED"]
    return None if server is None else server.connection(DATABASE)


def _make_database() -> None:
    server = settings.DATABASES["default"]["EMBEDDED"]
    if server is None:
        return
    with psycopg.connect(make_conninfo(**server.connection()), autocommit=True) as connection:
        if not _exists(connection):
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))


def _exists(connection: psycopg.Connection[Any]) -> bool:
    found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
    return found is not None


def _marked() -> str:
    """Of what the database was made: it says so itself, so that the mark goes with it."""
    server = settings.DATABASES["default"]["EMBEDDED"]
    if server is None:
        with contextlib.suppress(FileNotFoundError):
            return _mark_file().read_text(encoding="utf-8")
        return ""
    with psycopg.connect(make_conninfo(**server.connection())) as connection:
        told = connection.execute(
            "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = %s", [DATABASE]
        ).fetchone()
    return str(told[0]) if told is not None and told[0] else ""


def _mark(text: str) -> None:
    server = settings.DATABASES["default"]["EMBEDDED"]
    if server is None:
        _mark_file().write_text(text, encoding="utf-8")
        return
    with psycopg.connect(make_conninfo(**server.connection()), autocommit=True) as connection:
        statement = sql.SQL("COMMENT ON DATABASE {} IS {}")
        connection.execute(statement.format(sql.Identifier(DATABASE), sql.Literal(text)))


def _mark_file() -> Path:
    """Beside the SQLite file."""
    return Path(settings.STATE_DIR) / "wagtail" / "made-from"
