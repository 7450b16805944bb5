"""The same core of the report in pandas, over the same rows. A program of its own, in an environment of its own."""

from __future__ import annotations

import io
import json
import resource
import sys
import time

import pandas as pd
import psycopg

_ENTRIES = """COPY (SELECT task_id, amount, sub_bucket, bucket, bearer FROM billing_costentry
              WHERE kind <> 'fx_diff') TO STDOUT (FORMAT csv, HEADER)"""
_UNITS = """COPY (SELECT a.task_id, u.sign FROM billing_unitentry u JOIN review_asset a ON a.id = u.asset_id)
            TO STDOUT (FORMAT csv, HEADER)"""
_TASKS = """COPY (SELECT t.id AS task_id, t.uuid, p.code, t.locale, t.purpose FROM ledger_task t
            JOIN ledger_product p ON p.id = t.product_id) TO STDOUT (FORMAT csv, HEADER)"""


def read(connection: psycopg.Connection, query: str) -> pd.DataFrame:
    text = io.BytesIO()
    with connection.cursor().copy(query.encode()) as copy:
        for block in copy:
            text.write(block)
    text.seek(0)
    return pd.read_csv(text)


def report(connection: psycopg.Connection) -> pd.DataFrame:
    """One row a task; cents as whole numbers, since pandas knows no decimals."""
    entries = read(connection, _ENTRIES)
    entries["cents"] = (entries["amount"] * 100).round().astype("int64")
    by_task = entries.pivot_table(
        index="task_id", columns="sub_bucket", values="cents", aggfunc="sum", fill_value=0
    )
    by_task["direct"] = by_task.sum(axis=1)
    by_task["client"] = entries[entries["bearer"] == "client"].groupby("task_id")["cents"].sum()
    units = read(connection, _UNITS).groupby("task_id")["sign"].sum()
    by_task["counts"] = by_task.index.map(units).fillna(0) > 0
    no_task = int(entries.loc[entries["task_id"].isna(), "cents"].sum())
    pool = int(by_task.loc[~by_task["counts"], "direct"].sum()) + no_task
    counted = by_task[by_task["counts"]].index.sort_values()
    share, rest = divmod(pool, len(counted))
    absorbed = pd.Series(share, index=counted)
    absorbed.iloc[:rest] += 1
    by_task["total"] = (by_task["direct"] + absorbed).fillna(0)
    return by_task.join(read(connection, _TASKS).set_index("task_id"))


def main() -> None:
    begun, used = time.monotonic(), time.process_time()
    with psycopg.connect(sys.argv[1]) as connection:
        found = report(connection)
    seconds, own = time.monotonic() - begun, time.process_time() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    total = int(found["total"].sum())
    print(
        json.dumps(
            {
                "seconds": seconds,
                "own_s": own,
                "peak_kb": peak,
                "rows": len(found),
                "total": f"{total / 100:.2f}",
            }
        )
    )


if __name__ == "__main__":
    main()
