from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import psycopg
import pytest
from django.db import connections
from psycopg.conninfo import make_conninfo

from once_delivery.common import embedded_postgres
from once_delivery.common.embedded_postgres import EmbeddedPostgres
from once_delivery.common.operator_error import OperatorError
from once_delivery.common.postgres_place import Place
from once_delivery.config.database import database_settings
from once_delivery.config.embedded_backend.base import DatabaseWrapper
from tests.house.sources import ROOT

START = """
import sys, time
from pathlib import Path
from once_delivery.common.embedded_postgres import EmbeddedPostgres
EmbeddedPostgres(Path(sys.argv[1]), durable=False).ensure_running()
print("running", flush=True)
time.sleep(float(sys.argv[2]))
"""

Make = Callable[[Path], EmbeddedPostgres]


@pytest.fixture
def make() -> Iterator[Make]:
    made: list[EmbeddedPostgres] = []

    def make_one(folder: Path) -> EmbeddedPostgres:
        made.append(EmbeddedPostgres(folder, durable=False))
        return made[-1]

    yield make_one
    for server in made:
        server.destroy()


def starter(folder: Path, seconds: float = 0) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", START, str(folder), str(seconds)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )


def server_pid(server: EmbeddedPostgres) -> int:
    return int((server.place.data / "postmaster.pid").read_text().splitlines()[0])


def asked(server: EmbeddedPostgres, query: str) -> object:
    with psycopg.connect(make_conninfo(**server.connection())) as connection:
        row = connection.execute(query.encode()).fetchone()
    return row[0] if row else None


def test_many_starters_at_once_make_one_server(make: Make, tmp_path: Path) -> None:
    server = make(tmp_path)
    starters = [starter(tmp_path) for _ in range(6)]
    assert [process.communicate(timeout=60)[0] for process in starters] == ["running\n"] * 6
    assert server.answers("once", "once")
    assert [process.returncode for process in starters] == [0] * 6


def test_the_server_outlives_a_killed_starter(make: Make, tmp_path: Path) -> None:
    server = make(tmp_path)
    process = starter(tmp_path, 60)
    assert process.stdout is not None
    assert process.stdout.readline() == "running\n"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert server.answers("once", "once")


def test_a_server_that_is_just_going_down_is_started_again(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = make(tmp_path)
    looks = iter([True, True])  # still there when it is looked at, and gone a moment later
    real = embedded_postgres._is_server
    monkeypatch.setattr(embedded_postgres, "_is_server", lambda file: next(looks, None) or real(file))
    server.ensure_running()
    assert asked(server, "SELECT 1") == 1


def test_a_killed_server_is_started_again_with_its_data(tmp_path: Path) -> None:
    server = EmbeddedPostgres(tmp_path)
    try:
        server.ensure_running()
        with psycopg.connect(make_conninfo(**server.connection()), autocommit=True) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
            os.kill(server_pid(server), signal.SIGKILL)
        server.ensure_running()
        assert asked(server, "SELECT answer FROM kept") == 42
    finally:
        server.destroy()


@pytest.mark.parametrize(
    ("_case", "name"),
    [("spaces and quotes", "a 'b' \"c\""), ("long", "long/" * 40), ("chinese", "交付/一次")],
)
def test_any_folder_will_do(make: Make, tmp_path: Path, _case: str, name: str) -> None:
    server = make(tmp_path / name)
    server.ensure_running()
    assert asked(server, "SELECT 1") == 1


def test_a_folder_that_only_its_owner_may_enter_will_do(make: Make, tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    server = make(private / "state")
    server.ensure_running()
    assert asked(server, "SELECT 1") == 1
    assert private.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's server runs as somebody else")
def test_data_is_found_again_when_permissions_change(make: Make) -> None:
    with tempfile.TemporaryDirectory(prefix="once-private-") as private:  # not open to the server's user
        server = make(Path(private) / "state")
        place = server.place
        server.ensure_running()
        Path(private).chmod(0o755)
        assert server.place == place
        assert server.answers("once", "once")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's server runs as somebody else")
def test_programs_that_the_servers_user_cannot_reach_are_copied(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Place, "needs_copy", lambda *_: True)
    server = make(tmp_path)
    server.ensure_running()
    program = psutil.Process(server_pid(server)).exe()
    assert Path(program).is_relative_to(server.place.home)


def test_nobody_else_may_connect_and_the_house_is_no_superuser(make: Make, tmp_path: Path) -> None:
    server = make(tmp_path)
    server.ensure_running()
    assert server.place.socket_dir.stat().st_mode & 0o777 == 0o700
    assert asked(server, "SELECT current_setting('listen_addresses')") == ""
    assert asked(server, "SELECT usesuper FROM pg_user WHERE usename = current_user") is False


def test_only_what_can_be_made_again_runs_without_fsync(make: Make, tmp_path: Path) -> None:
    assert asked_settings(make(tmp_path / "a")) == "off"
    durable = EmbeddedPostgres(tmp_path / "b")
    try:
        assert asked_settings(durable) == "on"
    finally:
        durable.destroy()


def asked_settings(server: EmbeddedPostgres) -> object:
    server.ensure_running()
    return asked(server, "SELECT current_setting('fsync')")


def test_the_pid_of_another_program_does_not_keep_it_from_starting(make: Make, tmp_path: Path) -> None:
    server = make(tmp_path)
    server.ensure_running()
    server.stop()
    (server.place.data / "postmaster.pid").write_text(f"{os.getpid()}\n{server.place.data}\n1\n5432\n\n\n\n")
    server.ensure_running()
    assert asked(server, "SELECT 1") == 1


def test_what_a_killed_initdb_left_is_made_anew(make: Make, tmp_path: Path) -> None:
    server = make(tmp_path)
    server.place.prepare()
    (server.place.home / "data.unfinished").mkdir()
    (server.place.home / "data.unfinished" / "PG_VERSION").write_text("18\n")
    server.ensure_running()
    assert asked(server, "SELECT 1") == 1


def test_a_ruined_cluster_of_tests_is_made_anew_and_a_durable_one_is_not(make: Make, tmp_path: Path) -> None:
    server = make(tmp_path)
    server.ensure_running()
    server.stop()
    (server.place.data / "global" / "pg_control").write_bytes(b"ruined")
    with pytest.raises(OperatorError, match="postgres-failed"):
        EmbeddedPostgres(tmp_path, durable=True).ensure_running()
    server.ensure_running()
    assert asked(server, "SELECT 1") == 1


def test_data_of_another_major_version_is_left_alone(make: Make, tmp_path: Path) -> None:
    server = make(tmp_path)
    server.place.prepare()
    server.place.data.mkdir()
    (server.place.data / "PG_VERSION").write_text("16\n")
    with pytest.raises(OperatorError, match="postgres-version"):
        EmbeddedPostgres(tmp_path, durable=True).ensure_running()
    assert (server.place.data / "PG_VERSION").read_text() == "16\n"


def test_the_last_user_stops_it(make: Make, tmp_path: Path) -> None:
    server = make(tmp_path)
    with server.in_use():
        with server.in_use():
            pass
        assert server.answers()
    assert not server.answers()


def test_stopping_what_does_not_run_is_nothing(make: Make, tmp_path: Path) -> None:
    assert make(tmp_path).stop() is False


@pytest.mark.django_db
def test_django_starts_it_when_nobody_answers(make: Make, tmp_path: Path) -> None:
    server = make(tmp_path)
    entry = database_settings("", state_dir=tmp_path, durable=False, pool=False)
    wrapper = DatabaseWrapper(connections["default"].settings_dict | entry, alias="own")
    for _time in ("first", "after a stop"):
        with wrapper.cursor() as cursor:
            cursor.execute("SELECT 1")
            assert cursor.fetchone() == (1,)
        wrapper.close()
        server.stop()


@pytest.mark.django_db
def test_django_tells_of_a_database_that_is_not_there(make: Make, tmp_path: Path) -> None:
    make(tmp_path).ensure_running()
    entry = database_settings("", state_dir=tmp_path, durable=False, pool=False) | {"NAME": "other"}
    wrapper = DatabaseWrapper(connections["default"].settings_dict | entry, alias="own")
    with pytest.raises(Exception, match='database "other" does not exist'):
        wrapper.connect()
