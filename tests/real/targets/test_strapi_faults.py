"""Strapi when its database is slow, when nobody waits for an answer any more, and when it dies in the middle."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from once_delivery.common.embedded_postgres import EmbeddedPostgres
from once_delivery.targets.base import Kind, Outcome, Verdict
from once_delivery.targets.profile import Guard
from tests.real.systems.strapi import StrapiServer, strapi_site
from tests.real.targets.asking import Asker, a_marker
from tests.real.targets.strapi_system import StrapiSystem

pytestmark = pytest.mark.real
DRAFT = Kind.CREATE_DRAFT
LANDS_S = 3.0  # a write that waited for the lock alone
INDEXES = ["once_articles_external_ref", "once_files", "once_leaflets_external_ref"]


@contextlib.contextmanager
def slow(server: StrapiServer, table: str) -> Iterator[None]:
    """Reads go on, writes wait."""
    with psycopg.connect(server.database) as connection:
        connection.execute(f"LOCK TABLE {table} IN SHARE MODE")
        yield
        connection.rollback()


def wait_for(system: StrapiSystem, marker: str, count: int) -> None:
    """Until so many are there, or every one that may still come would be."""
    until = time.monotonic() + LANDS_S
    while len(system.held(DRAFT, marker)) < count and time.monotonic() < until:
        time.sleep(0.05)


@pytest.mark.parametrize("guard", [Guard.CLIENT_ID, Guard.LOOKUP], ids=["plugin", "plain"])
def test_a_request_that_nobody_waits_for_lands_all_the_same(strapi: StrapiServer, guard: Guard) -> None:
    """Absent was true when it was said. With the index the late one finds the other there; without it only time helps."""
    system = StrapiSystem(strapi, guard)
    asker, marker = Asker(system), a_marker()
    with ThreadPoolExecutor(1) as pool:
        with slow(strapi, system.plural):
            first = asker.perform(DRAFT, marker, deadline_s=1.0)
            look = asker.look(DRAFT, marker)
            again = pool.submit(asker.perform, DRAFT, marker)
            time.sleep(0.5)  # it waits behind the first
        second = again.result(30)
    assert (first.outcome, first.code, look.verdict) == (Outcome.UNKNOWN, "deadline", Verdict.ABSENT)
    plugged = guard == Guard.CLIENT_ID
    wait_for(system, marker, 2)
    held = system.held(DRAFT, marker)
    look = asker.look(DRAFT, marker)
    if plugged:
        # whichever came first
        assert (second.outcome, len(held), look.verdict) in {
            (Outcome.DONE, 1, Verdict.FOUND),
            (Outcome.EXISTS, 1, Verdict.FOUND),
        }
    else:
        assert (second.outcome, len(held), look.verdict) == (Outcome.DONE, 2, Verdict.FOUND_MANY)
    asker.connector.close()


def test_a_crash_in_the_middle_leaves_all_or_nothing(
    tmp_path: Path, embedded_postgres: EmbeddedPostgres
) -> None:
    """Marker and draft are one row and one transaction. The index is there again before anybody can ask."""
    marker, kept = a_marker(), a_marker()
    with strapi_site(tmp_path, embedded_postgres, "strapi_crash") as site:
        with site.started() as server:
            asker = Asker(StrapiSystem(server, Guard.CLIENT_ID))
            assert asker.perform(DRAFT, kept).outcome == Outcome.DONE
            with ThreadPoolExecutor(1) as pool, slow(server, "articles"):
                asked = pool.submit(asker.perform, DRAFT, marker)
                time.sleep(0.5)
                server.process.kill()
                answer = asked.result(30)
            asker.connector.close()
            assert answer.outcome == Outcome.UNKNOWN, answer
        with site.started() as server:
            system = StrapiSystem(server, Guard.CLIENT_ID)
            asker = Asker(system)
            found = server.rows("SELECT indexname FROM pg_indexes WHERE indexname LIKE 'once%%' ORDER BY 1")
            assert [name for (name,) in found] == INDEXES
            assert (len(system.held(DRAFT, kept)), system.held(DRAFT, marker)) == (1, [])
            assert asker.look(DRAFT, marker).verdict == Verdict.ABSENT
            assert asker.perform(DRAFT, kept).outcome == Outcome.EXISTS
            assert asker.perform(DRAFT, marker).outcome == Outcome.DONE
            asker.connector.close()


def test_the_plugin_says_when_there_are_duplicates_already(
    tmp_path: Path, embedded_postgres: EmbeddedPostgres
) -> None:
    """The index cannot be made then; nothing is delivered until a person has chosen."""
    marker = a_marker()
    with strapi_site(tmp_path, embedded_postgres, "strapi_doubled") as site:
        with site.started() as server:
            server.rows("DROP INDEX once_articles_external_ref")
            asker = Asker(StrapiSystem(server, Guard.CLIENT_ID))
            assert asker.perform(DRAFT, marker).outcome == Outcome.DONE
            other = asker.perform(DRAFT, a_marker())
            server.rows(
                "UPDATE articles SET external_ref = %s WHERE document_id = %s", marker, other.result_id
            )
            asker.connector.close()
        with site.started() as server:
            asker = Asker(StrapiSystem(server, Guard.CLIENT_ID))
            (line,) = [line for line in asker.connector.check() if not line.ok]
            assert (line.code, line.detail) == ("plugin-not-ready", "articles: duplicates")
            assert asker.perform(DRAFT, a_marker()).outcome == Outcome.REFUSED
            assert asker.look(DRAFT, marker).verdict == Verdict.FOUND_MANY
            asker.connector.close()
