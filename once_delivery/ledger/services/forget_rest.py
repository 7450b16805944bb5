"""What several tasks share is emptied when the last of them was forgotten: briefs and files."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.fields.json import KT

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Action, StoredFile

AT_ONCE = 500

# emptied: a new task of the version waits, and whoever is adding one just now is not waited for
_HOLD_VERSIONS = """
SELECT v.id FROM ledger_inputversion v
WHERE v.project_id = %(project)s AND v.content <> '{}' AND v.created_at < %(before)s
  AND EXISTS (SELECT FROM ledger_task t WHERE t.input_version_id = v.id)
  AND (%(ids)s::bigint[] IS NULL OR v.id = ANY(%(ids)s))
  AND NOT EXISTS (
    SELECT FROM ledger_task t LEFT JOIN ledger_forgotten f ON f.task_id = t.id
    WHERE t.input_version_id = v.id AND (f.task_id IS NULL OR EXISTS (
        SELECT FROM ledger_action a WHERE a.task_id = t.id AND a.payload <> '{}')))
ORDER BY v.id LIMIT %(limit)s FOR UPDATE OF v SKIP LOCKED
"""
_EMPTY_VERSIONS = "UPDATE ledger_inputversion SET content = '{}' WHERE id = ANY(%(ids)s)"
_HOLD_FILES = """
SELECT f.id FROM ledger_storedfile f
WHERE f.project_id = %(project)s AND f.created_at < %(before)s
  AND (%(ids)s::bigint[] IS NULL OR f.id = ANY(%(ids)s))
  AND NOT EXISTS (SELECT FROM ledger_action a
                  WHERE a.project_id = f.project_id AND a.payload -> 'file' ->> 'sha256' = f.sha256)
ORDER BY f.id LIMIT %(limit)s FOR UPDATE OF f SKIP LOCKED
"""
_DROP_FILES = "DELETE FROM ledger_storedfile WHERE id = ANY(%(ids)s)"


def forget_briefs(*, project: Project, before: datetime) -> int:
    """Afterwards input versions all of whose tasks were forgotten have no content; returns how many were emptied."""
    return _in_groups(project, before, _HOLD_VERSIONS, _EMPTY_VERSIONS)


def forget_files(*, project: Project, before: datetime) -> int:
    """Afterwards files that no action names any more, and that came before then, are gone; returns how many went."""
    return _in_groups(project, before, _HOLD_FILES, _DROP_FILES)


def old_files(*, project: Project, before: datetime, but_of_tasks: QuerySet[Any]) -> QuerySet[StoredFile]:
    """The files that would go when these tasks had been forgotten, too."""
    named = Action.objects.alias(sha256=KT("payload__file__sha256")).filter(
        project=project, sha256=OuterRef("sha256")
    )
    return StoredFile.objects.filter(
        ~Exists(named.exclude(task__in=but_of_tasks)), project=project, created_at__lt=before
    )


def _in_groups(project: Project, before: datetime, hold: str, act: str) -> int:
    """Held first, and asked about once more: a request that came between the question and the lock holds what it names
    (``intent/files.py``, and the foreign key of a task), and is seen by the second question."""
    asked: dict[str, Any] = {"project": project.pk, "before": before, "limit": AT_ONCE}
    changed, more = 0, True
    while more:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(hold, asked | {"ids": None})
            held = [row[0] for row in cursor.fetchall()]
            cursor.execute(hold, asked | {"ids": held})
            still = [row[0] for row in cursor.fetchall()]
            cursor.execute(act, {"ids": still})
        changed += len(still)
        more = bool(still)  # those left are somebody's again: another night
    return changed
