"""The figures as people read them."""

from __future__ import annotations

from typing import Any

OK = 200
NAMES = {
    "post": "post the entries",
    "allocate": "allocate 24 monthly fees",
    "page": "totals, and by product, locale, month",
    "pages": "the pages of finance, together",
    "plain": "core of the report, one plain SQL query",
    "pandas": "core of the report, pandas",
    "report": "report of each asset (D1), 50 columns",
    "csv": "D1 as CSV",
    "xlsx": "D1 as XLSX",
    "ledger-csv": "ledger (D2) as CSV, a row an entry",
    "ledger-xlsx": "ledger (D2) as XLSX",
}


def line(name: str, told: dict[str, Any]) -> str:
    """One step."""
    return (
        f"{NAMES[name]:<40} {told['seconds']:>8.2f} s {processor(told):>8.2f} s {told['peak_kb'] / 1024:>6.0f} MB"
        f" {told['server_kb'] / 1024:>6.0f} MB {told['rows']:>10,} rows"
    )


def processor(told: dict[str, Any]) -> float:
    """Processor seconds of the step and of the server for it: what it costs whatever else the machine does."""
    return float(told["own_s"] + told["server_s"])


def adds_up(run: dict[str, Any]) -> bool:
    """Whether every way to the report came to the same total."""
    return len({run[name]["total"] for name in ("page", "plain", "pandas", "report", "csv", "xlsx")}) == 1


def tables(runs: list[dict[str, Any]]) -> str:
    """What was measured, then one table: processor time by size; at the largest size memory, and how both grew."""
    first, last = runs[0], runs[-1]
    sizes = " | ".join(f"{run['page']['entries']:,} entries" for run in runs)
    head = f"| step | {sizes} | of the plain query's | process | PostgreSQL | time grew | memory grew |"
    rule = f"|---|{'--:|' * (len(runs) + 5)}"
    rows = (_row(name, runs, first, last) for name in NAMES if name != "pages")
    return "\n".join(["", *map(_of_what, runs), "", head, rule, *rows, "", *_pages(runs)])


def _pages(runs: list[dict[str, Any]]) -> list[str]:
    """Each page of finance at every size: median of the wall's clock."""
    sizes = " | ".join(f"{run['page']['entries']:,} entries" for run in runs)
    each = zip(*(run["pages"]["pages"] for run in runs), strict=True)
    return [
        f"| page, median | {sizes} | processor | queries |",
        f"|---|{'--:|' * (len(runs) + 2)}",
        *(
            f"| {sized[0]['name']} | {' | '.join(_median(one) for one in sized)}"
            f" | {sized[-1]['processor']:.0f} ms | {sized[-1]['queries']} |"
            for sized in each
        ),
    ]


def _median(one: dict[str, Any]) -> str:
    return f"{one['median']:.0f} ms" if one["status"] == OK else f"answered {one['status']}"


def _of_what(run: dict[str, Any]) -> str:
    page = run["page"]
    same = "every way the same" if adds_up(run) else "THE TOTALS DIFFER"
    return (
        f"{page['entries']:,} entries, {run['tasks']:,} tasks, {page['units']:,} assets that count,"
        f" total {page['total']} ({same})"
    )


def _row(name: str, runs: list[dict[str, Any]], first: dict[str, Any], last: dict[str, Any]) -> str:
    one = last[name]
    times = " | ".join(f"{processor(run[name]):.2f} s" for run in runs)
    return (
        f"| {NAMES[name]} | {times} | {processor(one) / processor(last['plain']):.1f}"
        f" | {one['peak_kb'] / 1024:.0f} MB | {one['server_kb'] / 1024:.0f} MB"
        f" | {processor(one) / processor(first[name]):.0f} | {one['peak_kb'] / first[name]['peak_kb']:.1f} |"
    )
