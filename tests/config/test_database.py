from __future__ import annotations

from pathlib import Path

import pytest
from django.db import connection
from psycopg.conninfo import conninfo_to_dict

from once_delivery.common.operator_error import OperatorError
from once_delivery.config.database import database_settings, libpq


def test_an_address_becomes_django_settings() -> None:
    entry = database_settings(
        "postgresql://me:p%40ss@db.example:6432/once?sslmode=require",
        state_dir=Path("/x"),
        durable=True,
        pool=False,
    )
    assert (entry["NAME"], entry["USER"], entry["PASSWORD"], entry["HOST"], entry["PORT"]) == (
        "once",
        "me",
        "p@ss",
        "db.example",
        "6432",
    )
    assert entry["OPTIONS"] == {"sslmode": "require"}
    assert entry["ENGINE"] == "django.db.backends.postgresql"
    assert conninfo_to_dict(libpq(entry))["sslmode"] == "require"


def test_libpqs_own_form_keeps_a_socket_folder_with_spaces() -> None:
    entry = database_settings("host='/a b' dbname=once", state_dir=Path("/x"), durable=True, pool=False)
    assert entry["HOST"] == "/a b"
    assert conninfo_to_dict(libpq(entry)) == {"host": "/a b", "dbname": "once"}


@pytest.mark.parametrize(
    "url", ["mysql://user:hunter2@host/db", "sqlite:///db", "postgresql://user:hunter2@host/"]
)
def test_what_is_not_postgresql_is_refused_without_showing_it(url: str) -> None:
    with pytest.raises(OperatorError) as caught:
        database_settings(url, state_dir=Path("/x"), durable=True, pool=False)
    assert caught.value.code == "setting-invalid"
    assert "hunter2" not in str(caught.value)


@pytest.mark.django_db
def test_tests_run_on_the_embedded_postgresql_as_no_superuser() -> None:
    assert connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT usesuper, current_setting('server_version_num')::int FROM pg_user WHERE usename = current_user"
        )
        assert cursor.fetchone()[0] is False
