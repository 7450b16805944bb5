"""The probe's hands: every request of an experiment goes through here, noted before it leaves and counted in its turn."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from threading import Barrier
from typing import Protocol, TypeVar

from once_delivery.targets.base import (
    Answer,
    Connector,
    EffectRequest,
    FoundObject,
    InventoryError,
    Kind,
    Look,
    Outcome,
    Verdict,
)
from once_delivery.targets.probing.drafts import Draft, new_draft
from once_delivery.targets.probing.extent import Extent
from once_delivery.targets.profile import Consistency, Profile

logger = logging.getLogger(__name__)
T = TypeVar("T")

_LONGEST_WAIT_S = 30.0  # what a target may ask us to wait
_TRIES = 3


class Notebook(Protocol):
    """Where the probe's evidence is kept."""

    def intend(self, draft: Draft, *, requests: int, seconds: float) -> None:
        """Committed when it returns: ``requests`` for this marker may leave within ``seconds``. Raises when it is not."""

    def answered(self, draft: Draft, answers: Iterable[Answer]) -> None:
        """What came back for them."""

    def saw(self, draft: Draft, objects: Iterable[FoundObject]) -> None:
        """Objects at the target that carry the draft's marker."""


class Turns(Protocol):
    """The profile's limits: requests at once, requests a second."""

    def take(self, wanted: int, *, effect: bool) -> AbstractContextManager[int]:
        """Wait for a turn; gives how many requests (1 … ``wanted``) may run at once in it.

        ``effect``: they can make or remove something.
        """


@dataclass
class Lab:
    """What experiments work with. ``took`` has the seconds of each answered create and look."""

    connector: Connector
    profile: Profile
    notebook: Notebook
    turns: Turns
    extent: Extent = field(default_factory=Extent)
    took: dict[str, list[float]] = field(default_factory=lambda: {"create": [], "look": []})
    statuses: set[str] = field(default_factory=set)  # the target's own words for what was created
    began: float = 0.0  # when the last read began, after its turn had come (monotonic)
    sleep: Callable[[float], None] = time.sleep

    @property
    def lag_s(self) -> float:
        """How long the profile says that a look-up may lag."""
        return self.profile.index_lag_s if self.profile.consistency == Consistency.BOUNDED else 0.0

    def draft(self) -> Draft:
        """One that nobody made yet."""
        return new_draft(self.extent.kind, self.extent.more)

    def create(
        self, draft: Draft, *, words: str = "", deadline_s: float = 0.0, again: bool = False
    ) -> Answer:
        """Send one request. What the target did not process is sent again after the pause that it asked for."""
        request = draft.request(deadline_s or self.profile.deadline_s, words=words, replay=again)
        return self.effect(draft, request)

    def effect(self, draft: Draft, request: EffectRequest) -> Answer:
        """The same for any request that has to do with ``draft``."""
        for _ in range(_TRIES):
            (answer,) = self._send(draft, request, 1)
            if answer.outcome != Outcome.NOT_DONE:
                break
            self.sleep(min(_LONGEST_WAIT_S, answer.retry_after_s or 1.0))
        return answer

    def create_at_once(self, draft: Draft) -> list[Answer]:
        """As many at one moment as the extent says and the profile allows."""
        return self._send(draft, draft.request(self.profile.deadline_s), self.extent.at_once)

    def _send(self, draft: Draft, request: EffectRequest, wanted: int) -> list[Answer]:
        with self.turns.take(wanted, effect=True) as allowed:
            self.notebook.intend(draft, requests=allowed, seconds=request.deadline_s)
            answers = at_once(allowed, lambda: self._perform(request))
        self.notebook.answered(draft, answers)
        return answers

    def _perform(self, request: EffectRequest) -> Answer:
        begun = time.monotonic()
        try:
            answer = self.connector.perform(request)
        except (
            Exception
        ) as error:  # a fault in a connector must not end the probe before it has removed what it made
            logger.exception("connector failed")
            return Answer(Outcome.UNKNOWN, "connector-error", detail=type(error).__name__)
        if answer.outcome == Outcome.DONE:
            self.took["create"].append(time.monotonic() - begun)
        return answer

    def look(self, draft: Draft, *, result_id: str = "") -> Look:
        """By the marker; with ``result_id`` as the connector does when an ID is known."""
        look = self._read(lambda: self.connector.look_up(draft.question(self.profile.deadline_s, result_id)))
        if look.verdict != Verdict.CANNOT_TELL:
            self.took["look"].append(time.monotonic() - self.began)
        ours = [one for one in look.objects if one.marker == draft.marker]
        self.notebook.saw(draft, ours)
        self.statuses |= {one.status for one in ours if one.status}
        return look

    def read(self, kind: Kind, result_id: str) -> Look:
        """One object by its ID."""
        seconds = self.profile.deadline_s
        return self._read(lambda: self.connector.read(kind=kind, result_id=result_id, deadline_s=seconds))

    def remove(self, kind: Kind, result_id: str) -> Answer:
        """Delete one object for good."""
        try:
            with self.turns.take(1, effect=True):
                return self.connector.remove(
                    kind=kind, result_id=result_id, deadline_s=self.profile.deadline_s
                )
        except Exception as error:  # nothing is known then, and the next object's turn comes
            logger.exception("connector failed")
            return Answer(Outcome.UNKNOWN, "connector-error", detail=type(error).__name__)

    def inventory(self, kind: Kind) -> list[FoundObject] | None:
        """Everything that the target lists; None when it cannot be listed to its end. It may take long: no turn is held."""
        try:
            return list(self.connector.inventory(kind=kind, deadline_s=self.extent.inventory_s))
        except InventoryError:
            return None
        except Exception:  # a fault in a connector tells nothing about the target
            logger.exception("connector failed")
            return None

    def _read(self, ask: Callable[[], Look]) -> Look:
        try:
            with self.turns.take(1, effect=False):
                self.began = time.monotonic()
                return ask()
        except Exception as error:  # a fault in a connector tells nothing about the target
            logger.exception("connector failed")
            detail = type(error).__name__
            return Look(Verdict.CANNOT_TELL, "", complete=False, code="connector-error", detail=detail)


def at_once(times: int, act: Callable[[], T]) -> list[T]:
    """``times`` calls that begin at one moment."""
    if times == 1:
        return [act()]
    barrier = Barrier(times)

    def one(_: int) -> T:
        barrier.wait()
        return act()

    with ThreadPoolExecutor(times, thread_name_prefix="probe") as pool:
        return list(pool.map(one, range(times)))
