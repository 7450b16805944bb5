"""What people wrote about cases and findings, and the words that audits copied, are emptied."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from django.db import connection, transaction
from django.db.models import Q, QuerySet

from once_delivery.accounts.models import Project
from reconciliation.models import Approval, AuditedObject, AuditStatus, CaseEvent, Finding

SAID = "…"  # an explanation that was given and can be read no more: PostgreSQL wants one there

# of the findings about these tasks; or, without tasks, of those about nobody's objects that are over since then
_NAMED = """
FROM reconciliation_finding f
WHERE f.evidence -> 'held' <> once_without_words(f.evidence -> 'held')
  AND (f.action_id IN (SELECT id FROM ledger_action WHERE task_id = ANY(%(tasks)s))
       OR f.action_id IS NULL AND f.project_id = %(project)s AND f.over_at < %(before)s)
"""
_TITLES = f"""
UPDATE reconciliation_finding SET evidence = jsonb_set(evidence, '{{held}}', once_without_words(evidence -> 'held'))
WHERE id IN (SELECT f.id {_NAMED})
"""  # noqa: S608 - of the constant above


def forget_words(*, task_ids: Sequence[int]) -> Counter[str]:
    """Afterwards no words about these tasks can be read here; returns how many rows changed.

    Who decided what, when, by which evidence, and how long it took stay.
    """
    approvals = Approval.objects.filter(case__action__task__in=task_ids)
    explained = Finding.objects.filter(action__task__in=task_ids).exclude(explanation__in=["", SAID])
    with transaction.atomic(), connection.cursor() as cursor:
        words = [
            CaseEvent.objects.filter(case__action__task__in=task_ids).exclude(text="").update(text=""),
            approvals.filter(~Q(words="") | ~Q(answer_words="")).update(words="", answer_words=""),
            explained.update(explanation=SAID),
        ]
        cursor.execute(_TITLES, {"tasks": list(task_ids), "project": None, "before": None})
        return Counter({"words": sum(words) + cursor.rowcount})


def forget_strangers(*, project: Project, before: datetime) -> int:
    """Afterwards audits say nothing of what objects of no action were called, once that is over; returns how many rows."""
    gone, _ = old_lists(project=project, before=before).delete()
    with connection.cursor() as cursor:
        cursor.execute(_TITLES, {"tasks": [], "project": project.pk, "before": before})
        return gone + int(cursor.rowcount)


def old_lists(*, project: Project, before: datetime) -> QuerySet[AuditedObject]:
    """What audits listed that were begun before then, and are over."""
    listed = AuditedObject.objects.filter(audit__project=project, audit__started_at__lt=before)
    return listed.exclude(audit__status=AuditStatus.RUNNING)


def named_strangers(*, project: Project, before: datetime) -> int:
    """How many findings say what objects of no action are called, and were over before then."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT count(*) {_NAMED}",
            {"tasks": [], "project": project.pk, "before": before},
        )
        return int(cursor.fetchone()[0])
