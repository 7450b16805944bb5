"""The ``DATABASES`` entry, from an address or for the embedded server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from once_delivery.common.embedded_postgres import EmbeddedPostgres
from once_delivery.common.operator_error import OperatorError

DJANGO_NAMES = {"dbname": "NAME", "user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT"}
KEEP_CONNECTION_SECONDS = 60


def database_settings(url: str, *, state_dir: Path, durable: bool, pool: bool) -> dict[str, Any]:
    """PostgreSQL at ``url`` (an address or libpq's ``key=value`` form), or the embedded one when empty."""
    server = None if url else EmbeddedPostgres(state_dir, durable=durable)
    found = _parse(url) if server is None else server.connection()
    options: dict[str, Any] = {key: value for key, value in found.items() if key not in DJANGO_NAMES}
    entry: dict[str, Any] = {name: found.get(key, "") for key, name in DJANGO_NAMES.items()}
    entry |= {
        "ENGINE": "django.db.backends.postgresql"
        if server is None
        else "once_delivery.config.embedded_backend",
        "EMBEDDED": server,
        "CONN_MAX_AGE": 0 if pool else KEEP_CONNECTION_SECONDS,
        "CONN_HEALTH_CHECKS": not pool,
        "OPTIONS": options | ({"pool": {"min_size": 1, "max_size": 10, "timeout": 10}} if pool else {}),
    }
    return entry


def libpq(entry: dict[str, Any]) -> str:
    """What libpq wants for a ``DATABASES`` entry; the only form in which a socket's folder survives."""
    named = {key: str(entry[name]) for key, name in DJANGO_NAMES.items() if entry.get(name)}
    extra = {
        key: str(value) for key, value in entry.get("OPTIONS", {}).items() if isinstance(value, str | int)
    }
    return make_conninfo(**named, **extra)


def _parse(url: str) -> dict[str, Any]:
    try:
        found = dict(conninfo_to_dict(url))
    except ProgrammingError:
        found = {}
    if not found.get("dbname"):
        # the address holds a password and is not shown
        raise OperatorError(
            "setting-invalid",
            en="DATABASE_URL must be like postgresql://user:password@host:5432/name (PostgreSQL only).",
            zh="DATABASE_URL 必须形如 postgresql://user:password@host:5432/name（仅支持 PostgreSQL）。",
        )
    return found
