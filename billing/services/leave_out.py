"""Leave out of a pull what cannot be posted yet, so that it keeps nothing else from being posted."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from billing.refusals import PostingRefusedError, refusals
from billing.services.open_period import PeriodOnHoldError

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Left:
    """Why something was left to the next pull; ``held``: how often since a month is on hold."""

    codes: list[str] = field(default_factory=list)
    held: int = 0

    @property
    def refused(self) -> tuple[str, ...]:
        """The codes of what the ledger refused, each once. That a month is on hold is no refusal: it passes."""
        return tuple(dict.fromkeys(self.codes))

    @contextmanager
    def out(self, what: str, which: int) -> Iterator[None]:
        """Of the block all is done, or nothing, where a month is on hold or the ledger refuses it."""
        try:
            with refusals():
                yield
        except PeriodOnHoldError:
            self.held += 1
        except PostingRefusedError as error:
            logger.warning("a pull left something out", extra={"what": what, "id": which, "code": error.code})
            self.codes.append(error.code)
