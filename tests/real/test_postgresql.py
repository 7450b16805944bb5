"""The house on a PostgreSQL that somebody else runs, by its address."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.house.sources import ROOT
from tests.real.postgresql import postgresql, versions


@pytest.fixture(params=versions() or ["none"])
def address(request: pytest.FixtureRequest) -> Iterator[str]:
    if request.param == "none":
        pytest.fail("Debian's PostgreSQL is not installed: tests/real/install-servers")
    with postgresql(request.param) as made:
        yield made


def manage(address: str, state_dir: Path, *arguments: str) -> str:
    environment = {
        **{name: value for name, value in os.environ.items() if name != "CELERY_BROKER_URL"},
        "DJANGO_SETTINGS_MODULE": "once_delivery.config.settings",
        "DATABASE_URL": address,
        "ONCE_STATE_DIR": str(state_dir),
    }
    command = [sys.executable, str(ROOT / "manage.py"), *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_house_moves_in_and_out(address: str, tmp_path: Path) -> None:
    manage(address, tmp_path, "migrate", "-v", "0")
    manage(address, tmp_path, "check", "--database", "default", "--fail-level", "WARNING")
    with psycopg.connect(address) as connection:
        assert connection.execute("SELECT count(*) FROM pgmq.meta").fetchone() == (0,)
    manage(address, tmp_path, "migrate", "-v", "0", "ledger", "zero")
    manage(address, tmp_path, "migrate", "-v", "0")
    manage(address, tmp_path, "check", "--database", "default", "--fail-level", "WARNING")
    assert not (tmp_path / "postgres").exists()  # the embedded one was not started


def test_the_drill_is_passed(address: str, tmp_path: Path) -> None:
    assert "Every verdict is a pass." in manage(address, tmp_path, "serve", "--only-drill")
