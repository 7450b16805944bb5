"""``manage.py perform_due``: do what is due in a loop, without Celery and without any message (R12)."""

from __future__ import annotations

import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError, InterfaceError, connection

from once_delivery.ledger.services.work_all import work_all
from once_delivery.ledger.transitions import Actor

ACTOR = Actor("system:perform_due")


class Command(BaseCommand):
    help = "Performs, looks up and checks what is due, in a loop, until it is told to stop."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="stop when nothing is due any more")
        parser.add_argument(
            "--every", type=float, default=1.0, help="seconds between two rounds without work"
        )

    def handle(self, *args: Any, once: bool, every: float, **options: Any) -> None:
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        while not stop.is_set():
            done = self._round()
            if once and done == 0:
                return
            if not done:
                stop.wait(every)

    def _round(self) -> int:
        try:
            return work_all(actor=ACTOR).total
        except (DatabaseError, InterfaceError) as error:
            # the rows are still there: the next round finds them
            self.stderr.write(f"database: {type(error).__name__}; trying again")
            connection.close()
            return 0
