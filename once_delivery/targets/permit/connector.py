"""A target that the house itself cannot reach: others act there under a permit, and report.

Nothing is ever sent from here, and no look tells anything: what is there is told by whoever looked under a permit, or
by a person.
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
    InventoryError,
    Kind,
    Look,
    LookUpRequest,
    Outcome,
    Verdict,
)

METHOD = "permit"
CODE = "only-by-permit"


def connect(connection: Connection) -> PermitConnector:
    """A connector that reaches nothing."""
    return PermitConnector()


class PermitConnector:
    """See :class:`once_delivery.targets.base.Connector`."""

    def perform(self, request: EffectRequest) -> Answer:
        """Never sent."""
        return Answer(Outcome.NOT_SENT, CODE)

    def look_up(self, request: LookUpRequest) -> Look:
        """Tells nothing."""
        return Look(Verdict.CANNOT_TELL, METHOD, complete=False, code=CODE)

    def read(self, *, kind: Kind, result_id: str, deadline_s: float) -> Look:
        """Tells nothing."""
        return Look(Verdict.CANNOT_TELL, METHOD, complete=False, code=CODE)

    def remove(self, *, kind: Kind, result_id: str, deadline_s: float) -> Answer:
        """Cannot."""
        return Answer(Outcome.REFUSED, CODE)

    def inventory(
        self, *, kind: Kind, deadline_s: float, changed_since: datetime | None = None, after: str = ""
    ) -> Iterator[FoundObject]:
        """Cannot be listed."""
        raise InventoryError(CODE)

    def check(self) -> list[CheckResult]:
        """Says what it is."""
        return [CheckResult("connection", ok=True, detail="permit: reached by outside workflows alone")]

    def close(self) -> None:
        """Nothing to give back."""
