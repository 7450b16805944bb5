"""What is written down of a drill while it runs: its report grows round by round, and a page can follow it."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any

from django.utils import timezone

from once_delivery.common.errors import DomainError
from once_delivery.drill.errors import WHY_BROKEN
from once_delivery.drill.models import Drill, DrillStatus


class Notebook:
    """Several threads may write; the verdict is written once, at the end."""

    def __init__(self, drill: Drill, *, target: str, locales: Sequence[str], total: int) -> None:
        self._drill = drill
        self._lock = Lock()
        self._report: dict[str, Any] = {
            "target": target, "locales": list(locales), "total": total, "rounds": []
        }  # fmt: skip
        self._keep()

    def note(self, done: dict[str, Any]) -> None:
        """One more round is judged."""
        with self._lock:
            self._report["rounds"].append(done)
            self._keep()

    def end(self, rounds: list[dict[str, Any]]) -> None:
        """All of them are, in their order."""
        passed = all(one["passed"] for one in rounds)
        self._finish(rounds, DrillStatus.PASSED if passed else DrillStatus.FAILED)

    def broken(self, rounds: list[dict[str, Any]], error: BaseException) -> None:
        """The drill itself went wrong; what was judged until then stays."""
        self._drill.trouble = trouble_of(error)
        self._finish(rounds or self._report["rounds"], DrillStatus.BROKEN)

    def _finish(self, rounds: list[dict[str, Any]], status: DrillStatus) -> None:
        self._drill.status = status
        self._drill.finished_at = timezone.now()
        self._drill.report = {**self._report, "rounds": rounds}
        self._drill.save()

    def _keep(self) -> None:
        Drill.objects.filter(pk=self._drill.pk).update(report=self._report)


def trouble_of(error: BaseException) -> dict[str, Any]:
    """Code, template and values, so that it can be said in any reader's language."""
    if not isinstance(error, DomainError):
        return {"code": "interrupted", "template": WHY_BROKEN["interrupted"], "params": {}}
    params = {name: value if isinstance(value, int) else str(value) for name, value in error.params.items()}
    return {"code": error.code, "template": str(error.template), "params": params}
