"""Answers on their way into the database: recorded as they come, again and again while the database is away."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence

from django.db import InterfaceError, OperationalError, connection

from once_delivery.ledger.receipts import Answered
from once_delivery.ledger.services.record_answers import record_answers
from once_delivery.ledger.transitions import Actor
from once_delivery.targets.base import Answer
from once_delivery.targets.profile import Profile

logger = logging.getLogger(__name__)


class Recorder:
    """Takes the answers of one group. What it holds unrecorded is known to this process alone."""

    def __init__(self, *, profile: Profile, actor: Actor, run_id: int) -> None:
        self._profile = profile
        self._actor = actor
        self._run_id = run_id
        self._unrecorded: list[Answered] = []
        self.answers: list[Answer] = []

    def take(self, ready: Sequence[Answered]) -> None:
        """Record ``ready`` and what is still left from before; what cannot be recorded now is kept."""
        self.answers += [answer for _, answer in ready]
        self._unrecorded = self._record([*self._unrecorded, *ready])

    def finish(self, *, for_s: float) -> None:
        """Go on for up to ``for_s`` seconds; then what is left is written to the log (R8)."""
        until = time.monotonic() + for_s
        pause = 0.2
        while self._unrecorded:
            self._unrecorded = self._record(self._unrecorded)
            if self._unrecorded and time.monotonic() > until:
                _give_up(self._unrecorded)
                return
            if self._unrecorded:
                time.sleep(pause)
                pause = min(pause * 2, 5.0)

    def _record(self, answered: list[Answered]) -> list[Answered]:
        """Returns what is still unrecorded because the database is away."""
        if not answered:
            return []
        try:
            record_answers(answered, profile=self._profile, actor=self._actor, run_id=self._run_id)
        except (OperationalError, InterfaceError):
            logger.warning("answers not recorded yet", exc_info=True, extra={"run": self._run_id})
            connection.close()
            return answered
        except Exception:  # one answer that cannot be written must not take the others with it
            logger.exception("answers not recorded together", extra={"run": self._run_id})
            if len(answered) > 1:
                return [left for one in answered for left in self._record([one])]
            # its lease ends without a word: uncertain, and the target is asked (R3)
            _give_up(answered)
        return []


def _give_up(unrecorded: Sequence[Answered]) -> None:
    for claimed, answer in unrecorded:
        logger.error(
            "answer given up: %s",
            claimed.marker,
            extra={
                "action": claimed.action_id,
                "marker": claimed.marker,
                "token": str(claimed.token),
                "outcome": str(answer.outcome),
                "code": answer.code,
                "result_id": answer.result_id,
            },
        )
