"""An outside execution (n8n's, say) is one run, however often it calls."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Batch, Run, RunKind, RunStatus, RunTask


def note_outside_run(
    *, project: Project, batch: Batch | None, external_id: str, process: str, task_ids: Sequence[int] = ()
) -> Run:
    """The run of this execution, which has asked for these tasks. Without an ID each call is a run of its own.

    Its end is not known here: its colour says nothing, as ever.
    """
    values = {
        "batch": batch,
        "status": RunStatus.FINISHED,
        "finished_at": timezone.now(),
        "process": process[:100],
    }
    place = {"project": project, "kind": RunKind.OUTSIDE, "external_id": external_id}
    if external_id:
        run, _made = Run.objects.get_or_create(**place, defaults=values)
    else:
        run = Run.objects.create(**place, **values)
    if external_id and task_ids:
        RunTask.objects.bulk_create(
            [RunTask(run=run, task_id=task_id) for task_id in dict.fromkeys(task_ids)], ignore_conflicts=True
        )
    return run
