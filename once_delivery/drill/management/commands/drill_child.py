"""``manage.py drill_child``: one process of a drill. People use ``manage.py drill``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import connection

from once_delivery.ledger.clock import process_name
from once_delivery.ledger.models import Action, Batch, Run, RunKind
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.ledger.services.work_target import work_target
from once_delivery.ledger.transitions import Actor

LONGEST_S = 120.0


class Command(BaseCommand):
    help = "One process of a drill; started by manage.py drill."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("role", choices=["first_try", "recover"])
        parser.add_argument("batch_id", type=int)
        parser.add_argument("--wait", type=float, default=0.0)
        parser.add_argument("--ready-file", type=Path)
        parser.add_argument("--go-file", type=Path)

    def handle(self, *args: Any, role: str, batch_id: int, **options: Any) -> None:
        batch = Batch.objects.get(pk=batch_id)
        if role == "first_try":
            self._first_try(batch)
            return
        connection.ensure_connection()
        if options["ready_file"]:
            options["ready_file"].touch()
            until = time.monotonic() + LONGEST_S
            while not options["go_file"].exists() and time.monotonic() < until:
                time.sleep(0.002)
        resume_batch(batch=batch, wait_s=options["wait"])

    def _first_try(self, batch: Batch) -> None:
        """One action at a time, as a workflow step does it, until this process is killed."""
        run = Run.objects.create(
            project_id=batch.project_id, batch=batch, kind=RunKind.FIRST, process=process_name()
        )
        target_id = Action.objects.filter(task__references__batch=batch).values_list("target_id", flat=True)[
            0
        ]
        work_target(
            target_id=target_id,
            actor=Actor("system:drill"),
            run=run,
            batch_id=batch.pk,
            budget_s=LONGEST_S,
            group_most=1,
        )
