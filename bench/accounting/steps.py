"""One step of the benchmark, in a process of its own: what it took and how much memory this process had at most."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from bench.accounting.pages import visited  # noqa: E402
from bench.seed import noop_target  # noqa: E402
from billing.entry import NewEntry  # noqa: E402
from billing.exchange import SAME, Rate  # noqa: E402
from billing.exports.files import Format  # noqa: E402
from billing.exports.writing import write_report  # noqa: E402
from billing.models import Bearer, Books, Cause, EntryKind, Grade, SubBucket  # noqa: E402
from billing.reports.per_asset import per_asset  # noqa: E402
from billing.reports.per_asset_columns import COLUMNS  # noqa: E402
from billing.reports.registry import REPORTS  # noqa: E402
from billing.reports.scope import Dimension, ReportScope  # noqa: E402
from billing.reports.slices import slices  # noqa: E402
from billing.reports.totals import totals  # noqa: E402
from billing.services.allocate import allocate  # noqa: E402
from billing.services.post_entries import post_entries  # noqa: E402
from once_delivery.accounts.models import Client, Project, User  # noqa: E402
from once_delivery.ledger.models import Attempt  # noqa: E402

MONTHS = [date(2024 + place // 12, place % 12 + 1, 1) for place in range(24)]
Told = dict[str, Any]


def prepare() -> Told:
    """Tables, a project with accounts and a target."""
    call_command("migrate", verbosity=0)
    user = User.objects.create(username="bench")
    client = Client.objects.create(name="Bench")
    project = Project.objects.create(
        client=client, code="bench", name="Bench", default_owner=user, stand_in_owner=user
    )
    Books.objects.create(project=project)
    return {"project": project.pk, "user": user.pk, "target": noop_target(project).pk}


def the_project() -> Project:
    return Project.objects.get(code="bench")


def post() -> Told:
    """Five costs of each attempt, manual work for one task in ten, and the platform's fee of each month."""
    posted = post_entries(entries=_entries(the_project().pk), actor="bench")
    return {"rows": posted.posted}


def share_out() -> Told:
    """Each month's platform fee, to its tasks and then to their attempts."""
    project = the_project()
    return {"rows": sum(allocate(project=project, month=month, actor="bench") for month in MONTHS)}


def page() -> Told:
    """What a page of costs reads: the totals, and the same by product, locale and month."""
    scope = ReportScope(the_project())
    found = totals(scope)
    rows = sum(
        len(slices(scope, dimension)) for dimension in (Dimension.PRODUCT, Dimension.LOCALE, Dimension.MONTH)
    )
    return {"rows": rows, "total": f"{found.n:.2f}", "units": found.d, "entries": found.entries}


def pages() -> Told:
    """The pages of finance as `bench.web` opens the others: milliseconds of the wall's clock, and of the processor."""
    call_command("collectstatic", verbosity=0, interactive=False)
    found = visited(the_project())
    return {
        "rows": len(found),
        "pages": [
            {
                "name": one.page.name,
                "status": one.status,
                "median": one.median,
                "p95": one.high,
                "processor": one.processor,
                "queries": len(one.queries),
            }
            for one in found
        ],
    }


def report() -> Told:
    """Every row of the report, one by one."""
    place = [column.name for column in COLUMNS].index("total_cost")
    rows, total = 0, ""
    for row in per_asset(ReportScope(the_project())):
        rows += 1
        total = f"{row[place]:.2f}"  # the last row is the total
    return {"rows": rows, "total": total}


def plain() -> Told:
    """The query that one would write by hand, read to its end."""
    query = Path(__file__).with_name("plain.sql").read_text(encoding="utf-8")
    rows, total = 0, Decimal(0)
    with connection.cursor() as cursor:
        cursor.execute(query, {"project": the_project().pk})
        for found in cursor.fetchall():
            rows += 1
            total += found[-1] or 0
    return {"rows": rows, "total": f"{total:.2f}"}


def export(code: str, form: Format) -> Callable[[], Told]:
    def step() -> Told:
        with TemporaryDirectory(dir=Path.cwd() / ".once") as folder:
            written = write_report(
                report=REPORTS[code],
                scope=ReportScope(the_project()),
                format=form,
                profile="internal",
                path=Path(folder) / "file",
                exporter="bench",
            )
        return {"rows": written.rows, "bytes": written.size, "total": f"{written.control['cost']:.2f}"}

    return step


def _entries(project_id: int) -> Iterator[NewEntry]:
    attempts = Attempt.objects.order_by("pk").values_list("pk", "action__task_id", "number", "intended_at")
    rate = Rate(Decimal("7.1234"), date(2024, 1, 1), "bench")
    for attempt_id, task_id, number, intended_at in attempts.iterator(chunk_size=5000):
        again = number > 1
        cause, bearer = (Cause.PLATFORM_RETRY, Bearer.VENDOR) if again else (Cause.NORMAL, Bearer.CLIENT)
        for place, (sub_bucket, grade, native) in enumerate(_COSTS):
            foreign = sub_bucket is not SubBucket.ORCHESTRATION
            yield NewEntry(
                project_id=project_id,
                incurred_on=intended_at.date(),
                kind=EntryKind.CHARGE,
                sub_bucket=sub_bucket,
                cause=cause,
                bearer=bearer,
                grade=grade,
                native_amount=native + Decimal(attempt_id % 97) / 100,
                native_currency="USD" if foreign else "CNY",
                exchange=rate if foreign else SAME,
                task_id=task_id,
                attempt_id=attempt_id,
                source_key=f"bench:{attempt_id}:{place}",
            )
        if task_id % 10 == 0 and not again:
            yield _work(project_id, task_id, intended_at.date())
    for month in MONTHS:
        yield _fee(project_id, month)


_COSTS = (
    (SubBucket.GENERATION, Grade.INVOICE, Decimal("0.40")),
    (SubBucket.GENERATION, Grade.BILLING_EVENT, Decimal("0.12")),
    (SubBucket.STORAGE, Grade.INVOICE, Decimal("0.03")),
    (SubBucket.OTHER, Grade.ANSWER, Decimal("0.05")),
    (SubBucket.ORCHESTRATION, Grade.PRICED, Decimal("1.50")),
)


def _work(project_id: int, task_id: int, day: date) -> NewEntry:
    return NewEntry(
        project_id=project_id,
        incurred_on=day,
        kind=EntryKind.LABOUR,
        sub_bucket=SubBucket.RECOVERY,
        cause=Cause.VENDOR_FAULT,
        bearer=Bearer.VENDOR,
        grade=Grade.ESTIMATE,
        amount=Decimal("30.00"),
        task_id=task_id,
        source_key=f"bench:work:{task_id}",
    )


def _fee(project_id: int, month: date) -> NewEntry:
    return NewEntry(
        project_id=project_id,
        incurred_on=month + timedelta(days=14),
        kind=EntryKind.CHARGE,
        sub_bucket=SubBucket.PLATFORM,
        cause=Cause.NORMAL,
        bearer=Bearer.CLIENT,
        grade=Grade.INVOICE,
        amount=Decimal("98765.43"),
        source_key=f"bench:fee:{month}",
    )


STEPS: dict[str, Callable[[], Told]] = {
    "prepare": prepare,
    "post": post,
    "allocate": share_out,
    "page": page,
    "pages": pages,
    "report": report,
    "plain": plain,
    "csv": export("per_asset", Format.CSV_EXCEL),
    "xlsx": export("per_asset", Format.XLSX),
    "ledger-csv": export("ledger", Format.CSV_SYSTEMS),
    "ledger-xlsx": export("ledger", Format.XLSX),
}


def main() -> None:
    connection.ensure_connection()
    begun, used = time.monotonic(), time.process_time()
    told = STEPS[sys.argv[1]]()
    seconds, own = time.monotonic() - begun, time.process_time() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"seconds": seconds, "own_s": own, "peak_kb": peak} | told))


if __name__ == "__main__":
    main()
