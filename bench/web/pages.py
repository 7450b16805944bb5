"""Which addresses are measured: every place of the menu, filters, last pages, and the largest object of each kind."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.urls import reverse

OWNER, ADMIN, LEAD = "ops-owner-0", "admin-0", "marketing-lead-0"
# by the name of their address: what answers GET and is not measured, and why
LEFT_OUT = {
    "sign-in": "nothing is read but the form",
    "second-factor": "only while one signs in",
    "second-factor-setup": "only while one signs in",
    "confirm": "nothing is read but the form",
    "live": "no page",
    "invitation": "one row by its secret",
    "forgotten": "nothing is read but the form",
    "reset-sent": "nothing is read",
    "reset": "one row by its token",
    "reset-done": "nothing is read",
    "review-image": "one row, then the image of another house",
    "approve-image": "one row, then the image of another house",
    "review-run": "what the person's own session keeps, at most 50 drafts",
    "approve": "needs a secret that only its maker has seen; reads what review-task reads",
    "import-sample": "a file of the house",
    "import-file": "what was uploaded: `tests/intake` bounds a file",
    "import-original": "what was uploaded, as it is",
    "import-problems": "what was uploaded",
    "findings": "a file that streams in chunks, not a page",
    "json": "one stored report",
    "file": "one stored report",
}


@dataclass(frozen=True, slots=True)
class PageAt:
    """One address, and as whom it is opened. ``name`` is that of the address with a word for the case."""

    name: str
    path: str
    user: str = OWNER


def pages() -> list[PageAt]:
    """All of them; objects are looked up in the seeded ledger."""
    return [*_lists(), *_details(), *_targets(), *_people()]


def _lists() -> list[PageAt]:
    cases = {
        "cases, last page": f"view=open&after={_last_due('open')}",
        "cases, mine": "view=mine",
        "cases, waiting": "view=waiting",
        "cases, put off": "view=off",
        "cases, resolved": "view=resolved",
        "cases, resolved, last page": f"view=resolved&after={_first_resolved()}",
        "cases, one project": "project=large",
        "cases, one kind": "kind=refused",
        "cases, one owner": f"owner={ADMIN}",
        "cases, one target": "target=shop",
        "cases, old": "age=more",
    }
    review = {
        "review, all": "state=all",
        "review, accepted": "state=accepted",
        "review, rejected": "state=rejected",
        "review, changes asked for": "state=changes",
        "review, one project": "project=large",
        "review, one locale": "locale=de-DE",
        "review, one product": f"product={_one(_LAST_PRODUCT)}",
        "review, one batch": f"batch={_large_batch()}",
        "review, over a week": "since=7",
        "review, accepted over a week ago": "state=accepted&since=7",
        "review, changed since seen": "seen=changed",
        "review, grid": "state=all&view=grid",
        "review, last page": f"state=all&after={_one(_LAST_PRODUCT) - 1}.1",
    }
    found = "product name 手冲壶 1000", "id obj-5000", "title Page 77777", "nothing no-such-thing-anywhere"
    return [
        PageAt("home", "/"),
        PageAt("batches", "/batches/"),
        PageAt("batches, in trouble", "/batches/?view=trouble"),
        PageAt("batches, one project", "/batches/?project=large"),
        PageAt("batches, last page", "/batches/?before=20"),
        PageAt("cases", "/cases/"),
        *(PageAt(name, f"/cases/?{query}") for name, query in cases.items()),
        PageAt("approvals", "/approvals/"),
        PageAt("review", "/review/", LEAD),
        *(PageAt(name, f"/review/?{query}", LEAD) for name, query in review.items()),
        *(PageAt(f"search, {w.split()[0]}", f"/search/?q={' '.join(w.split()[1:])}") for w in found),
        PageAt("import", "/batches/import/"),
        PageAt("list", reverse("drill:list")),
        PageAt("help", "/help/"),
        PageAt("help-topic", "/help/words/"),
        PageAt("metrics", "/metrics"),
        PageAt("ready", "/health/ready"),
    ]


def _details() -> list[PageAt]:
    batch, fresh = _large_batch(), _one(_FRESH)
    task = _one(
        "SELECT t.uuid FROM ledger_task t JOIN ledger_action a ON a.task_id = t.id WHERE a.state = 'reconcile' LIMIT 1"
    )
    draft = _one(
        "SELECT t.uuid FROM ledger_task t JOIN review_comment c ON c.task_id = t.id ORDER BY t.id DESC LIMIT 1"
    )
    undecided = _one(_UNDECIDED)
    bulk = _one(
        "SELECT uuid FROM reconciliation_bulkdecision ORDER BY jsonb_array_length(items) DESC LIMIT 1"
    )
    drill = _one("SELECT uuid FROM drill_drill ORDER BY id LIMIT 1")
    return [
        PageAt("batch of 10,000", reverse("web:batch", args=[batch])),
        PageAt("batch of 10,000, last page", reverse("web:batch", args=[batch]) + "?after=9500"),
        PageAt("batch under way", reverse("web:batch", args=[fresh])),
        PageAt("resume of 10,000", reverse("web:resume", args=[batch])),
        PageAt("task", reverse("web:task", args=[task])),
        PageAt("case", reverse("web:case", args=[_one(_TALKED_ABOUT)])),
        PageAt(
            "case, resolved",
            reverse(
                "web:case",
                args=[
                    _one("SELECT uuid FROM reconciliation_case WHERE status = 'resolved' ORDER BY id LIMIT 1")
                ],
            ),
        ),
        PageAt("bulk of 500", reverse("web:bulk", args=[bulk])),
        PageAt("review-task", reverse("web:review-task", args=[draft]), LEAD),
        PageAt("review-task, undecided", reverse("web:review-task", args=[undecided]), LEAD),
        PageAt("report", reverse("drill:report", args=[drill])),
    ]


def _targets() -> list[PageAt]:
    target, target_id = _row("SELECT uuid, id FROM targets_target ORDER BY id LIMIT 1")
    audit = _one(
        "SELECT uuid FROM reconciliation_audit WHERE target_id = %s ORDER BY id OFFSET 100 LIMIT 1", target_id
    )
    latest = _one(
        "SELECT uuid FROM reconciliation_audit WHERE target_id = %s ORDER BY id DESC LIMIT 1", target_id
    )
    finding = _one(
        "SELECT uuid FROM reconciliation_finding WHERE target_id = %s ORDER BY id LIMIT 1", target_id
    )
    at = reverse("web:audit", args=[target, audit])
    return [
        PageAt("targets", "/targets/"),
        PageAt("target-new", "/targets/new/"),
        PageAt("target", reverse("web:target", args=[target])),
        PageAt("target-edit", reverse("web:target-edit", args=[target])),
        PageAt("target-probe", reverse("web:target-probe", args=[target])),
        PageAt("audits", reverse("web:audits", args=[target])),
        PageAt("audit", at),
        PageAt("audit, the latest", reverse("web:audit", args=[target, latest])),
        *(PageAt(f"audit, {state}", f"{at}?state={state}") for state in ("open", "explained", "over", "all")),
        PageAt("audit, duplicates", f"{at}?kind=duplicate&state=all"),
        PageAt("finding", reverse("web:finding", args=[target, finding])),
    ]


def _people() -> list[PageAt]:
    member = _one(
        "SELECT m.id FROM accounts_membership m JOIN accounts_user u ON u.id = m.user_id WHERE m.project_id = 1 AND u.username = %s",
        OWNER,
    )
    parts = ("settings", "members", "owners", "invitations", "tokens", "notices", "outbox", "hours")
    return [
        *(
            PageAt(name, reverse(f"web:{name}"))
            for name in ("account", "password", "own-factor", "visits", "projects")
        ),
        PageAt("project", "/projects/large/"),
        *(
            PageAt(
                {"settings": "project-settings", "notices": "routes"}.get(part, part),
                f"/projects/large/{part}/",
                ADMIN,
            )
            for part in parts
        ),
        PageAt("outbox, given up", "/projects/large/outbox/?view=given-up", ADMIN),
        PageAt("member", reverse("web:member", args=["large", member]), ADMIN),
    ]


_LARGE = "SELECT b.uuid FROM ledger_batch b JOIN ledger_batchtask r ON r.batch_id = b.id GROUP BY b.id ORDER BY count(*) DESC LIMIT 1"
_FRESH = """
SELECT b.uuid FROM ledger_batch b JOIN ledger_batchtask r ON r.batch_id = b.id
WHERE b.id > (SELECT max(id) * 0.9 FROM ledger_batch) GROUP BY b.id ORDER BY count(*) DESC LIMIT 1
"""
_LAST_PRODUCT = "SELECT max(id) FROM ledger_product WHERE project_id = 1"
_DUE = "SELECT due_at, id FROM reconciliation_case WHERE status = %s ORDER BY due_at OFFSET %s LIMIT 1"
_RESOLVED = "SELECT resolved_at, id FROM reconciliation_case WHERE status = 'resolved' ORDER BY resolved_at OFFSET 20 LIMIT 1"
_UNDECIDED = """
SELECT t.uuid FROM ledger_task t JOIN ledger_action a ON a.task_id = t.id
WHERE a.state = 'confirmed' AND a.slot = 'main' AND NOT EXISTS (SELECT 1 FROM review_review r WHERE r.task_id = t.id)
ORDER BY t.id DESC LIMIT 1
"""
_TALKED_ABOUT = """
SELECT c.uuid FROM reconciliation_case c JOIN reconciliation_caseevent e ON e.case_id = c.id
GROUP BY c.id ORDER BY count(*) DESC LIMIT 1
"""


def _large_batch() -> Any:
    return _one(_LARGE)


def _last_due(status: str) -> str:
    """The key of a page near the end of the queue."""
    many = _one("SELECT count(*) FROM reconciliation_case WHERE status = %s", status)
    return _key(*_row(_DUE, status, many - 21))


def _first_resolved() -> str:
    """The key of a page near the end: those that were resolved first."""
    return _key(*_row(_RESOLVED))


def _key(at: datetime, pk: int) -> str:
    return f"{at.isoformat()}|{pk}".replace("+", "%2B")


def _one(statement: str, *values: str | int) -> Any:
    return _row(statement, *values)[0]


def _row(statement: str, *values: str | int) -> tuple[Any, ...]:
    with connection.cursor() as cursor:
        cursor.execute(statement, list(values))
        found = cursor.fetchone()
    if found is None:
        raise LookupError(statement)
    return tuple(found)
