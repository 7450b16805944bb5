"""A scope as conditions of SQL. Names of columns are the house's own; everything that was asked for is a parameter."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

from billing.reports.scope import Basis, ReportScope, Viewpoint

_TASK_OF_WHAT_IT_NAMES = (
    "(SELECT x.task_id FROM review_asset x WHERE x.id = e.asset_id),"
    " (SELECT n.task_id FROM ledger_attempt y JOIN ledger_action n ON n.id = y.action_id WHERE y.id = e.attempt_id)"
)
# the task that an entry belongs to, whichever way it names it
TASK_OF = f"coalesce(e.task_id, {_TASK_OF_WHAT_IT_NAMES})"
FIRST_BATCH = "(SELECT r.batch_id FROM ledger_batchtask r WHERE r.task_id = t.id ORDER BY r.id LIMIT 1)"
_THE_BATCH = "(SELECT b.id FROM ledger_batch b WHERE b.project_id = %(project)s AND b.name = %(batch)s)"
NOT_FX = "e.kind <> 'fx_diff'"  # differences of exchange stand beside the cost

_EARLIEST, _LATEST = date(1, 1, 1), date(9999, 12, 1)
_END = datetime(9999, 12, 31, tzinfo=UTC)


def month_column(scope: ReportScope) -> str:
    """The column that says which month an entry counts in."""
    return "posted_period" if scope.basis is Basis.POSTED else "origin_period"


def parameters(scope: ReportScope) -> dict[str, Any]:
    """Every parameter that the conditions below may name."""
    return {
        "project": scope.project.pk,
        "first": scope.first or _EARLIEST,
        "last": scope.last or _LATEST,
        "ends": scope.ends or _END,
        "as_of": scope.as_of or _END,
        "product": scope.product,
        "locale": scope.locale,
        "purpose": scope.purpose,
        "batch": scope.batch,
        "zone": scope.project.timezone,
    }


def entries_in(scope: ReportScope) -> tuple[str, str]:
    """Where the costs of a scope are read as ``e``, and how entries are counted there: in the sums that PostgreSQL keeps,
    unless it is about some tasks alone, or about another moment than now."""
    if _reads_each(scope):
        return "billing_costentry", "count(*)"
    return "billing_costsum", "coalesce(sum(e.entries), 0)"


def units_in(scope: ReportScope) -> tuple[str, str]:
    """The same for units as ``u``; where the tasks matter, with ``review_asset a``."""
    if _reads_each(scope):
        return "billing_unitentry u JOIN review_asset a ON a.id = u.asset_id", "count(*)"
    return "billing_unitsum u", "coalesce(sum(u.entries), 0)"


def _reads_each(scope: ReportScope) -> bool:
    """Whether the entries themselves must be read: the sums know no task and no moment but now."""
    return is_narrowed(scope) or scope.as_of is not None


def of_entries(scope: ReportScope, *, from_the_start: bool = False) -> str:
    """Conditions on ``billing_costentry e``, or its sums (``entries_in``).

    ``from_the_start`` leaves the first month out of them.
    """
    parts = ["e.project_id = %(project)s", *_months(scope, "e", from_the_start)]
    if scope.viewpoint is Viewpoint.CLIENT:
        parts.append("e.bearer = 'client'")
    if scope.as_of:
        parts.append("e.created_at <= %(as_of)s")
    if is_narrowed(scope):
        parts.append(_of_these(scope))
    return " AND ".join(parts)


def of_units(scope: ReportScope, *, from_the_start: bool = False) -> str:
    """Conditions on ``billing_unitentry u`` with ``review_asset a`` (or its sums, ``units_in``)."""
    parts = ["u.project_id = %(project)s", *_months(scope, "u", from_the_start)]
    if scope.as_of:
        parts.append("u.created_at <= %(as_of)s")
    if is_narrowed(scope):
        parts.append(f"a.task_id IN ({_tasks(scope)})")
    return " AND ".join(parts)


def of_tasks(scope: ReportScope, column: str) -> str:
    """A condition on a column that holds a task's ID, with AND before it; nothing where all tasks are meant."""
    return f" AND {column} IN ({_tasks(scope)})" if is_narrowed(scope) else ""


def is_narrowed(scope: ReportScope) -> bool:
    """Whether it is about some of the project's tasks alone: what belongs to no task is then outside."""
    return bool(scope.product or scope.locale or scope.purpose or scope.batch)


def _of_these(scope: ReportScope) -> str:
    """Entries of the tasks that the scope is narrowed to."""
    tasks = _tasks(scope)
    if not scope.product:
        return f"{TASK_OF} IN ({tasks})"
    # a product has few tasks: two arms that an index answers each. Each row is compared with each of the array
    return (
        f"(e.task_id = ANY(ARRAY({tasks}))"
        f" OR e.task_id IS NULL AND coalesce({_TASK_OF_WHAT_IT_NAMES}) IN ({tasks}))"
    )


def _months(scope: ReportScope, alias: str, from_the_start: bool) -> list[str]:  # noqa: FBT001
    column = f"{alias}.{month_column(scope)}"
    parts = []
    if scope.first and not from_the_start:
        parts.append(f"{column} >= %(first)s")
    if scope.last:
        parts.append(f"{column} <= %(last)s")
    return parts


def _tasks(scope: ReportScope) -> str:
    parts = ["t.project_id = %(project)s"]
    if scope.product:
        parts.append(
            "t.product_id = (SELECT p.id FROM ledger_product p"
            " WHERE p.project_id = %(project)s AND p.code = %(product)s)"
        )
    if scope.locale:
        parts.append("t.locale = %(locale)s")
    if scope.purpose:
        parts.append("t.purpose = %(purpose)s")
    if scope.batch:
        parts.append(f"{FIRST_BATCH} = {_THE_BATCH}")
    return " ".join(["SELECT t.id FROM ledger_task t WHERE", " AND ".join(parts)])
