"""A drill runs as ``manage.py drill`` does, in a process of its own: it kills processes, and a worker is one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from celery import shared_task
from django.conf import settings

from once_delivery.drill.models import Drill, DrillStatus
from once_delivery.drill.processes import same_database
from once_delivery.drill.services.ask_drill import LONGEST, end_dead_drills, end_unfinished, unattended_drills

_FAIL = 1  # the exit of a drill whose verdict is a fail: a verdict, not an error


@shared_task(name="once_delivery.drill.tasks.run_drill")
def run_drill(drill_id: int) -> None:
    """Somebody asked for this drill."""
    drill = Drill.objects.filter(pk=drill_id, status=DrillStatus.ASKED).first()
    if drill is None:
        return  # told twice
    command = [
        sys.executable,
        str(Path(settings.BASE_DIR) / "manage.py"),
        "drill",
        "--drill",
        str(drill.uuid),
    ]
    said = ""
    try:
        done = subprocess.run(  # noqa: S603 - our own command
            [sys.executable, "-m", "once_delivery.common.die_with_parent", str(os.getpid()), *command],
            cwd=settings.BASE_DIR,
            env=os.environ
            | {"DATABASE_URL": same_database(), "DJANGO_SETTINGS_MODULE": "once_delivery.config.settings"},
            capture_output=True,
            text=True,
            timeout=LONGEST.total_seconds(),
            check=False,
        )
        said = done.stderr.strip() if done.returncode > _FAIL else ""
    except subprocess.TimeoutExpired:
        said = ""
    finally:
        end_unfinished(drill_id, said)


@shared_task(name="once_delivery.drill.tasks.wake_drills")
def wake_drills() -> None:
    """Drills whose message was lost are told again; what was killed says so."""
    end_dead_drills()
    for drill_id in unattended_drills():
        run_drill.delay(drill_id)
