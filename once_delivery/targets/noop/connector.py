"""A target that is not there: every request is done at once. For benchmarks of the ledger alone.

Nothing is sent and nothing is kept. The ID is made from the marker, so that the same action always gets the
same one, and every look-up finds it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from once_delivery.targets.base import (
    Answer,
    CheckResult,
    Connection,
    EffectRequest,
    FoundObject,
    Kind,
    Look,
    LookUpRequest,
    Outcome,
    Verdict,
)


def connect(connection: Connection) -> NoopConnector:
    """A connector that does nothing."""
    return NoopConnector()


class NoopConnector:
    """See :class:`once_delivery.targets.base.Connector`."""

    def perform(self, request: EffectRequest) -> Answer:
        """Done, without doing anything."""
        return Answer(Outcome.DONE, "noop", result_id=_id_of(request.marker), marker=request.marker)

    def look_up(self, request: LookUpRequest) -> Look:
        """Found, without looking."""
        found = FoundObject(_id_of(request.marker), request.marker)
        return Look(Verdict.FOUND, "noop", complete=True, objects=(found,))

    def read(self, *, kind: Kind, result_id: str, deadline_s: float) -> Look:
        """Nothing is kept, so nothing is there."""
        return Look(Verdict.ABSENT, "noop", complete=True)

    def remove(self, *, kind: Kind, result_id: str, deadline_s: float) -> Answer:
        """Nothing is kept, so nothing is left."""
        return Answer(Outcome.DONE, "noop", result_id=result_id)

    def inventory(
        self, *, kind: Kind, deadline_s: float, changed_since: datetime | None = None, after: str = ""
    ) -> Iterator[FoundObject]:
        """Nothing is kept, so nothing is there."""
        return iter(())

    def check(self) -> list[CheckResult]:
        """Says what it is."""
        return [CheckResult("connection", ok=True, detail="noop: nothing is sent")]

    def close(self) -> None:
        """Nothing to give back."""


def _id_of(marker: str) -> str:
    return f"noop-{marker}"
