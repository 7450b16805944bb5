"""The Wagtail site of ``contrib``: in an environment of its own, on a database of its own."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from once_delivery.config.house.virtual_environment import (
    InstallFailedError,
    is_installed,
    virtual_environment,
)

ROOT = Path(__file__).resolve().parents[3]
SITE = ROOT / "contrib" / "wagtail_site"
REQUIREMENTS = SITE / "requirements.txt"
SET_UP_S = 300


class SiteFailedError(Exception):
    """The site could not be installed, set up or started; the text says why."""


@dataclass(frozen=True, slots=True)
class SiteAccounts:
    """What ``set_up`` of the site made: the page below which drafts go, and a token for each account."""

    section: int
    tokens: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class WagtailSite:
    """One site. ``database``: libpq's parameters of a PostgreSQL; None: an SQLite file in ``data``."""

    programs: Path
    data: Path
    base_url: str
    database: Mapping[str, str] | None

    def environment(self) -> dict[str, str]:
        """What the site reads (its README)."""
        values = {
            "DJANGO_SETTINGS_MODULE": "shop.settings",  # in place of the house's own
            "CMS_DATA": str(self.data),
            "CMS_URL": self.base_url,
        }
        if self.database is not None:
            names = {"dbname": "NAME", "host": "HOST", "port": "PORT", "user": "USER"}
            values |= {f"CMS_DATABASE_{theirs}": self.database[ours] for ours, theirs in names.items()}
        return values

    def set_up(self, admin_password: str = "", *, replace: bool = False) -> SiteAccounts:
        """Every table, the section and the accounts are there afterwards; again changes nothing.

        ``admin_password``: for an administrator without one, and with ``replace`` for every administrator.
        """
        self.data.mkdir(parents=True, exist_ok=True)
        self._manage("migrate", "--verbosity", "0")
        options = ["--replace"] if replace else []
        made = json.loads(self._manage("set_up", *options, CMS_ADMIN_PASSWORD=admin_password))
        return SiteAccounts(section=made["section"], tokens=made["tokens"])

    def command(self, bind: str, *, workers: int) -> list[str]:
        """What serves it."""
        return [
            str(self.programs / "python"), "-m", "gunicorn", "--workers", str(workers), "--bind", bind,
            "--chdir", str(SITE), "--no-control-socket", "--log-level", "warning", "shop.wsgi",
        ]  # fmt: skip

    def _manage(self, *arguments: str, **secret: str) -> str:
        command = [str(self.programs / "python"), str(SITE / "manage.py"), *arguments]
        done = subprocess.run(  # noqa: S603 -- the site's own interpreter and commands
            command,
            env={**os.environ, **self.environment(), **secret},
            cwd=SITE,
            capture_output=True,
            text=True,
            timeout=SET_UP_S,
            check=False,
        )
        if done.returncode != 0:
            raise SiteFailedError(f"{arguments[0]}: {done.stderr.strip()[-2000:]}")
        return done.stdout


def programs(cache: Path) -> Path:
    """The site's programs, installed when they are not there. Raises SiteFailedError."""
    try:
        return virtual_environment("wagtail", REQUIREMENTS, cache)
    except InstallFailedError as error:
        raise SiteFailedError(str(error)) from None


def programs_are_there(cache: Path) -> bool:
    """Whether nothing needs to be installed."""
    return is_installed("wagtail", REQUIREMENTS, cache)


def fingerprint() -> str:
    """Of what the database is made from: another one needs :meth:`WagtailSite.set_up`."""
    files = [REQUIREMENTS, *sorted(SITE.rglob("*.py"))]
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()[:16]
