"""What ``make bench-web`` prints."""

from __future__ import annotations

from collections.abc import Sequence

from bench.web.plans import explained
from bench.web.visit import HIGH_MS, MEDIAN_MS, Visited

HEAD = f"{'page':34} {'median':>9} {'p95':>9} {'processor':>9} {'queries':>8}  {MEDIAN_MS:.0f} / {HIGH_MS:.0f} ms  alone"
SHOWN = 2500  # characters of a query
LINES = 60  # of a plan
PASS, FAIL = "PASS", "FAIL"


def line(one: Visited, whole: set[str]) -> str:
    """One row of the table. ``whole``: large tables that were read from end to end."""
    by_clock = PASS if one.fast else FAIL
    alone = PASS if one.fast_alone else FAIL
    said = f"{by_clock:13} {alone}" if one.status == 200 else f"FAIL: HTTP {one.status}"
    calls = "" if len(one.took) >= 30 else f", {len(one.took)} calls"
    reads = f", reads all of {', '.join(sorted(whole))}" if whole else ""
    return f"{one.page.name:34} {one.median:6.0f} ms {one.high:6.0f} ms {one.processor:6.0f} ms {len(one.queries):8}  {said}{reads}{calls}"


def summary(seen: Sequence[Visited]) -> str:
    """How many pages pass, by the clock and by what they cost the processor."""
    by_clock, alone = sum(one.fast for one in seen), sum(one.fast_alone for one in seen)
    return (
        f"\n{by_clock} of {len(seen)} pages within {MEDIAN_MS:.0f} / {HIGH_MS:.0f} ms by the clock;"
        f" {alone} of {len(seen)} with at most {MEDIAN_MS:.0f} ms of processor time a call"
    )


def why(slow: Sequence[Visited]) -> str:
    """The slowest query of each page that is too slow, with its plan."""
    if not slow:
        return "\nEvery page is fast enough, and none reads a large table from end to end."
    return "\n".join(part for one in slow for part in _why(one))


def _why(one: Visited) -> list[str]:
    if not one.queries:
        return ["", f"== {one.page.name}: no query"]
    in_queries = sum(query.ms for query in one.queries)
    slowest = one.slowest
    return [
        "",
        f"== {one.page.name} {one.page.path}",
        f"{in_queries:.0f} ms in queries, {slowest.ms:.0f} ms in this one:",
        slowest.sql[:SHOWN],
        *explained(slowest)[:LINES],
    ]
