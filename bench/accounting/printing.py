"""The figures as people read them."""

from __future__ import annotations

from typing import Any

NAMES = {
    "post": "post the entries",
    "allocate": "allocate 24 monthly fees",
    "page": "totals, and by product, locale, month",
    "plain": "core of the report, one plain SQL query",
    "pandas": "core of the report, pandas",
    "report": "report of each asset (D1), 50 columns",
    "csv": "D1 as CSV",
    "xlsx": "D1 as XLSX",
    "ledger-csv": "ledger (D2) as CSV, a row an entry",
    "ledger-xlsx": "ledger (D2) as XLSX",
}
_COMPARED = ("plain", "pandas", "report", "csv")


def line(name: str, told: dict[str, Any]) -> str:
    """One step."""
    return (
        f"{NAMES[name]:<40} {told['seconds']:>8.2f} s {told['peak_kb'] / 1024:>6.0f} MB"
        f" {told['server_kb'] / 1024:>6.0f} MB {told['rows']:>10,} rows"
    )


def adds_up(run: dict[str, Any]) -> bool:
    """Whether every way to the report came to the same total."""
    return len({run[name]["total"] for name in ("page", "plain", "pandas", "report", "csv", "xlsx")}) == 1


def tables(runs: list[dict[str, Any]]) -> str:
    """For each size what a step took, what of the plain query's time that is; then how it grew."""
    told = []
    for run in runs:
        page = run["page"]
        told += [
            "",
            (
                f"{page['entries']:,} entries, {run['tasks']:,} tasks, {page['units']:,} assets that count, total {page['total']}"
                f" ({'every way the same' if adds_up(run) else 'THE TOTALS DIFFER'})"
            ),
            "",
            "| step | rows | seconds | of the plain query | process | PostgreSQL |",
            "|---|--:|--:|--:|--:|--:|",
        ]
        told += [_row(run, name) for name in NAMES]
    if len(runs) > 1:
        told += _growth(runs)
    return "\n".join(told)


def _row(run: dict[str, Any], name: str) -> str:
    one = run[name]
    ratio = f"{one['seconds'] / run['plain']['seconds']:.1f}"
    return (
        f"| {NAMES[name]} | {one['rows']:,} | {one['seconds']:.2f} | {ratio} | {one['peak_kb'] / 1024:.0f} MB"
        f" | {one['server_kb'] / 1024:.0f} MB |"
    )


def _growth(runs: list[dict[str, Any]]) -> list[str]:
    first, last = runs[0], runs[-1]
    times = last["page"]["entries"] / first["page"]["entries"]
    head = f"With {times:.0f} times the entries: time, and memory of the process, grew to so many times"
    rows = [
        f"| {NAMES[name]} | {last[name]['seconds'] / first[name]['seconds']:.0f}"
        f" | {last[name]['peak_kb'] / first[name]['peak_kb']:.1f} |"
        for name in NAMES
    ]
    return ["", head, "", "| step | time | memory |", "|---|--:|--:|", *rows]
