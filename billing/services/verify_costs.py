"""Verify both ledgers: chains are whole, sums are what entries come to, and closed months as their certificates say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import connection

from billing.certificate import figures_of, hash_of
from billing.models import CostEntry, Period, PeriodStatus, UnitEntry
from once_delivery.accounts.models import Project

_BROKEN = """
SELECT seq FROM (
    SELECT seq, hash, prev_hash, billing_hash(prev_hash, billing_said(e)) AS said,
           lag(seq, 1, 0::bigint) OVER w AS before, lag(hash, 1, '') OVER w AS head
    FROM {table} e WHERE project_id = %s WINDOW w AS (ORDER BY seq)
) chained
WHERE hash <> said OR prev_hash <> head OR seq <> before + 1 ORDER BY seq LIMIT 1
"""
_ALIKE = "posted_period, origin_period, correction, kind, bucket, sub_bucket, cause, bearer, grade"
_WRONG_SUM = f"""
SELECT DISTINCT posted_period FROM (
    (SELECT {_ALIKE}, sum(amount) AS amount, sum(tax_memo) AS tax_memo, count(*) AS entries
     FROM billing_costentry WHERE project_id = %(project)s GROUP BY {_ALIKE}
     EXCEPT SELECT {_ALIKE}, amount, tax_memo, entries FROM billing_costsum WHERE project_id = %(project)s)
    UNION ALL
    (SELECT {_ALIKE}, amount, tax_memo, entries FROM billing_costsum WHERE project_id = %(project)s
     EXCEPT SELECT {_ALIKE}, sum(amount), sum(tax_memo), count(*)
     FROM billing_costentry WHERE project_id = %(project)s GROUP BY {_ALIKE})
) wrong_costs
UNION
SELECT posted_period FROM (
    (SELECT posted_period, origin_period, sum(sign) AS sign, count(*) AS entries
     FROM billing_unitentry WHERE project_id = %(project)s GROUP BY 1, 2
     EXCEPT SELECT posted_period, origin_period, sign, entries FROM billing_unitsum WHERE project_id = %(project)s)
    UNION ALL
    (SELECT posted_period, origin_period, sign, entries FROM billing_unitsum WHERE project_id = %(project)s
     EXCEPT SELECT posted_period, origin_period, sum(sign), count(*)
     FROM billing_unitentry WHERE project_id = %(project)s GROUP BY 1, 2)
) wrong_units
ORDER BY 1
"""  # noqa: S608 -- constants


@dataclass(frozen=True, slots=True)
class Verified:
    """``broken``: each thing that is not as it must be, as ``costs:17`` (the first entry whose hash is wrong),
    ``sums:2026-09`` (what totals are read from is not what the entries come to) or ``certificate:2026-09``."""

    costs: int
    units: int
    months: int
    broken: tuple[str, ...]


def verify_costs(*, project: Project) -> Verified:
    """Works out anew every hash and every sum of the project, and every closed month's certificate. Reads only."""
    broken = []
    with connection.cursor() as cursor:
        for name, table in (("costs", "billing_costentry"), ("units", "billing_unitentry")):
            cursor.execute(_BROKEN.format(table=table), [project.pk])
            row = cursor.fetchone()
            if row:
                broken.append(f"{name}:{row[0]}")
        cursor.execute(_WRONG_SUM, {"project": project.pk})
        broken += [f"sums:{month:%Y-%m}" for (month,) in cursor.fetchall()]
    closed = list(Period.objects.filter(project=project, status=PeriodStatus.CLOSED).order_by("month"))
    broken += [f"certificate:{period.month:%Y-%m}" for period in closed if not _stands(project, period)]
    return Verified(
        CostEntry.objects.filter(project=project).count(),
        UnitEntry.objects.filter(project=project).count(),
        len(closed),
        tuple(broken),
    )


def _stands(project: Project, period: Period) -> bool:
    said = period.certificate
    return (
        hash_of(said) == period.certificate_hash
        and said["posted"] == figures_of(project, period.month)
        and _head_stands(project, said)
    )


def _head_stands(project: Project, said: dict[str, Any]) -> bool:
    return all(
        not head["seq"] or model.objects.filter(project=project, seq=head["seq"], hash=head["hash"]).exists()
        for head, model in ((said["heads"]["costs"], CostEntry), (said["heads"]["units"], UnitEntry))
    )
