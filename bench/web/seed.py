"""A large ledger, made by SQL: projects, batches, evidence, cases, findings, reviews. Needs Django to be set up.

The rows are what the services would have left, without their triggers: a million actions through the services would
take hours. Use it in a database that can be thrown away, and nowhere else.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from datetime import time as time_of_day
from pathlib import Path

import psycopg

from bench.seed import noop_target
from once_delivery.accounts.models import Client, Membership, Project, Role, User
from once_delivery.targets.services.save_target import save_target
from reconciliation.models import Calendar

SQL = Path(__file__).with_name("sql")
PROJECTS = ("large", "second", "third", "fourth", "fifth")
_MARK = "seeded"


def fingerprint(actions: int) -> str:
    """Another one when another ledger would be made."""
    texts = [str(actions), Path(__file__).read_text(encoding="utf-8")]
    texts += [file.read_text(encoding="utf-8") for file in sorted(SQL.glob("*.sql"))]
    return hashlib.sha256("".join(texts).encode()).hexdigest()


def is_seeded(connection: psycopg.Connection, actions: int) -> bool:
    """Whether the database holds exactly this ledger."""
    row = connection.execute(
        "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = current_database()"
    ).fetchone()
    return row is not None and row[0] == f"{_MARK} {fingerprint(actions)}"


def seed(connection: psycopg.Connection, *, actions: int, say: Callable[[str], None]) -> None:
    """Fill an empty, migrated database. ``connection`` may leave out triggers, and commits by itself."""
    people_and_targets()
    connection.execute("SET session_replication_role = replica")
    connection.execute("SET work_mem = '256MB'")
    connection.execute("SET maintenance_work_mem = '512MB'")
    connection.execute("CREATE TEMP TABLE seed_size AS SELECT %s::bigint AS actions", [actions])
    for file in sorted(SQL.glob("*.sql")):
        begun = time.monotonic()
        connection.execute(file.read_text(encoding="utf-8").encode())
        say(f"{file.stem}: {time.monotonic() - begun:.0f} s")
    begun = time.monotonic()
    _go_on_counting(connection)
    connection.execute("VACUUM (ANALYZE)")
    connection.execute("CHECKPOINT")
    connection.execute(f"COMMENT ON DATABASE once IS '{_MARK} {fingerprint(actions)}'".encode())
    say(f"vacuum: {time.monotonic() - begun:.0f} s")


def people_and_targets() -> None:
    """Five projects with somebody of every role. Everybody of the first is in all of them."""
    for number, code in enumerate(PROJECTS):
        people = {role: _person(role, number) for role in Role}
        project = Project.objects.create(
            client=Client.objects.create(name=f"Client {code}"),
            code=code,
            name=code.title(),
            default_owner=people[Role.OPS_OWNER],
            stand_in_owner=people[Role.ADMIN],
        )
        Membership.objects.bulk_create(
            Membership(project=project, user=user, role=role) for role, user in people.items()
        )
        if number:
            Membership.objects.bulk_create(
                Membership(project=project, user=_person(role, 0), role=role) for role in Role
            )
        else:
            Calendar.objects.create(project=project, opens=time_of_day(9), closes=time_of_day(18))
        first = noop_target(project)
        for name in ("shop", "magazine"):
            save_target(
                project=project,
                name=name,
                kind="noop",
                base_url="",
                declaration={},
                profile=first.profile_data,
            )


def _person(role: Role, number: int) -> User:
    return User.objects.get_or_create(username=f"{role}-{number}".replace("_", "-"), last_name="爱丽")[0]


def _go_on_counting(connection: psycopg.Connection) -> None:
    """IDs were given by hand: the next one comes after the last."""
    connection.execute(
        b"""
        DO $$ DECLARE one record; BEGIN
            FOR one IN SELECT format('%I', relname) AS name, pg_get_serial_sequence(format('%I', relname), 'id') AS counter
                FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'id' AND a.attidentity <> ''
                WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
            LOOP
                EXECUTE format('SELECT setval(%L, coalesce(max(id), 0) + 1, false) FROM %s', one.counter, one.name);
            END LOOP;
        END $$
        """
    )
