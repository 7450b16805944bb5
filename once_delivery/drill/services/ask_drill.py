"""A drill that a person asks for on a page; a worker runs it in a process of its own."""

from __future__ import annotations

from datetime import timedelta

from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import DomainError
from once_delivery.drill.errors import WHY_BROKEN, DrillRunningError, NoTestTargetError
from once_delivery.drill.models import Drill, DrillStatus
from once_delivery.drill.notebook import trouble_of
from once_delivery.drill.products import three_products
from once_delivery.targets.models import Target

LONGEST = timedelta(minutes=30)  # no drill takes as long: what runs longer does not run any more
WAKE_AGAIN_S = 30.0


def ask_drill(*, project: Project, target: Target | None, locales: int, user: User) -> Drill:
    """The row of a drill that is asked for; ``target`` None: the sandbox.

    Raises ProductsMissingError, NoTestTargetError, or DrillRunningError when one is under way in the project.
    """
    if target is not None and not target.is_test:
        raise NoTestTargetError(name=target.name)
    three_products(project)
    end_dead_drills()
    options = {
        "target": str(target.uuid) if target else "",
        "name": target.name if target else "",
        "locales": locales,
    }
    try:
        with transaction.atomic():
            if Drill.objects.filter(project=project, status=DrillStatus.RUNNING).exists():
                raise DrillRunningError(project=project.code)
            return Drill.objects.create(
                project=project,
                started_by=user,
                status=DrillStatus.ASKED,
                options=options,
                woken_at=timezone.now(),
            )
    except IntegrityError:
        raise DrillRunningError(project=project.code) from None


def take_drill(drill: Drill) -> bool:
    """Whether this process is the one that runs it."""
    won = Drill.objects.filter(pk=drill.pk, status=DrillStatus.ASKED).update(status=DrillStatus.RUNNING)
    drill.refresh_from_db()
    return bool(won)


def end_dead_drills() -> None:
    """What was killed says so."""
    Drill.objects.filter(status=DrillStatus.RUNNING, started_at__lt=timezone.now() - LONGEST).update(
        status=DrillStatus.BROKEN, finished_at=timezone.now(), trouble=_INTERRUPTED
    )


def end_unfinished(drill_id: int, said: str) -> None:
    """Its process is over, and the row does not know it."""
    unfinished = Drill.objects.filter(pk=drill_id, status__in=[DrillStatus.ASKED, DrillStatus.RUNNING])
    trouble = (
        {"code": "drill-broken", "template": WHY_BROKEN["process-failed"], "params": {"said": said[-500:]}}
        if said
        else _INTERRUPTED
    )
    unfinished.update(status=DrillStatus.BROKEN, finished_at=timezone.now(), trouble=trouble)


def end_broken(drill: Drill, error: DomainError) -> None:
    """It could not even begin."""
    Drill.objects.filter(pk=drill.pk, status=DrillStatus.RUNNING).update(
        status=DrillStatus.BROKEN, finished_at=timezone.now(), trouble=trouble_of(error)
    )


def unattended_drills() -> list[int]:
    """Drills that no worker has taken although it was told: marked as told again."""
    with connection.cursor() as cursor:
        cursor.execute(
            """UPDATE drill_drill SET woken_at = clock_timestamp() WHERE status = 'asked'
               AND woken_at < clock_timestamp() - %s * interval '1 second' RETURNING id""",
            [WAKE_AGAIN_S],
        )
        return [row[0] for row in cursor.fetchall()]


_INTERRUPTED = {"code": "interrupted", "template": WHY_BROKEN["interrupted"], "params": {}}
