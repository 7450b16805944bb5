"""What PostgreSQL does for a page: the plan of a query, and whether it reads a large table from end to end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.db import connection

from bench.web.visit import Query

LARGE = 20_000  # rows of a table, by PostgreSQL's own estimate
READ_MS = 25  # a query that reads one from end to end may take so long: names of which a part is asked for


def large_tables() -> frozenset[str]:
    """The tables that no page may read from end to end."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples >= %s", [LARGE])
        return frozenset(name for (name,) in cursor.fetchall())


def read_whole(queries: list[Query], large: frozenset[str]) -> set[str]:
    """The large tables that these queries read from end to end, by PostgreSQL's plan."""
    found: set[str] = set()
    for one in queries:
        if not _reads(one.sql):
            continue
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (FORMAT JSON) {one.sql}")
            ((plan,),) = cursor.fetchall()
        found |= {
            str(node["Relation Name"])
            for node in _nodes(plan[0]["Plan"])
            if node["Node Type"].endswith("Seq Scan")
        } & large
    return found


def explained(query: Query) -> list[str]:
    """The plan with times, line by line."""
    if not _reads(query.sql):
        return []
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS) {query.sql}")
        return [line for (line,) in cursor.fetchall()]


def _reads(sql: str) -> bool:
    return sql.lstrip().upper().startswith(("SELECT", "WITH"))


def _nodes(plan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if "Relation Name" in plan:
        yield plan
    for part in plan.get("Plans", ()):
        yield from _nodes(part)
