"""What people and n8n do when a step has failed: the same for a workflow with and without ONCE."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Protocol

TRIES = 3


class Play(Protocol):
    """One live workflow before one place; the answer of B will be lost."""

    def trigger(self) -> None:
        """The tasks arrive."""

    def settle(self, executions: int) -> list[str]:
        """Wait until so many executions are over; their IDs, the first one first."""

    def retry(self, execution: str) -> int:
        """Press *Retry* of an execution; the status of n8n's answer."""


@dataclass(frozen=True, slots=True)
class Case:
    """One way in which a step that failed is repeated. ``node``: settings of the nodes that speak to the outside."""

    key: str
    title: str
    play: Callable[[Play], None]
    node: Mapping[str, Any] = field(default_factory=dict)
    stays_green: bool = False  # n8n shows no failure, so that nobody is told to look


def _once(play: Play) -> str:
    play.trigger()
    return play.settle(1)[0]


def _retried(play: Play) -> None:
    play.retry(_once(play))
    play.settle(2)


def _retried_twice(play: Play) -> None:
    first = _once(play)
    play.retry(first)
    play.settle(2)
    play.retry(first)
    play.settle(3)


def _three_at_once(play: Play) -> None:
    first = _once(play)
    with ThreadPoolExecutor(TRIES) as pool:
        list(pool.map(play.retry, [first] * TRIES))
    play.settle(1 + TRIES)


def _alone(play: Play) -> None:
    _once(play)


def _again(play: Play) -> None:
    _once(play)
    play.trigger()
    play.settle(2)


def _doubled(play: Play) -> None:
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: play.trigger(), range(2)))
    play.settle(2)


RETRY_ON_FAIL = {"retryOnFail": True, "maxTries": TRIES, "waitBetweenTries": 300}
CONTINUE = {"onError": "continueRegularOutput"}

CASES = (
    Case("retry", "the execution is retried", _retried),
    Case("second-retry", "it is retried a second time", _retried_twice),
    Case("three-retries", "three retries at once", _three_at_once),
    Case("retry-on-fail", "Retry On Fail", _alone, RETRY_ON_FAIL, stays_green=True),
    Case("continue", "On Error: continue, then executed again", _again, CONTINUE, stays_green=True),
    Case("again", "the whole workflow is executed again", _again),
    Case("doubled", "the webhook comes twice", _doubled),
)
