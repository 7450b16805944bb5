"""Send the requests of one group at once, within its lease. No database here: only sockets and a queue."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass

from once_delivery.ledger.alarm import Hold
from once_delivery.ledger.claims import Claimed
from once_delivery.ledger.receipts import Answered
from once_delivery.ledger.thread_timer import ending_this_thread
from once_delivery.ledger.trust import trusted_answer
from once_delivery.targets.base import Answer, Connector, EffectRequest, Outcome

logger = logging.getLogger(__name__)

GROUP_WAIT_S = 0.05  # how long an answer waits for others that are recorded with it
GROUP_MOST = 500  # of them
MARGIN_S = 0.5  # between the end of the last possible request and the end of the lease


@dataclass(frozen=True, slots=True)
class Prepared:
    """A claimed action with its request; ``request`` None: it cannot be built, ``why`` says it."""

    claimed: Claimed
    request: EffectRequest | None
    why: str = ""


def send_group(
    prepared: Sequence[Prepared],
    *,
    connector: Connector,
    threads: int,
    hold: Hold,
    on_sent: Callable[[], None],
) -> Iterator[list[Answered]]:
    """Yield answers in small lists as they come. ``on_sent`` is called when no request can leave any more.

    A request is begun only when its whole deadline fits into the lease; the others are "not sent".
    """
    answers: queue.SimpleQueue[Answered] = queue.SimpleQueue()
    left = len(prepared)
    over = _Countdown(left, on_sent)
    waiting = deque(prepared)
    with ThreadPoolExecutor(max_workers=threads, thread_name_prefix="sender") as pool:
        for _ in range(min(threads, left)):
            pool.submit(_send_waiting, waiting, connector, hold, answers, over)
        while left:
            ready = _drain(answers, left)
            left -= len(ready)
            yield ready


class _Countdown:
    """Calls ``then`` when the last request is over, from its own thread: recording may be held up meanwhile."""

    def __init__(self, count: int, then: Callable[[], None]) -> None:
        self._count = count
        self._then = then
        self._lock = threading.Lock()

    def one_over(self) -> None:
        with self._lock:
            self._count -= 1
            last = self._count == 0
        if last:
            self._then()


def _send_waiting(
    waiting: deque[Prepared],
    connector: Connector,
    hold: Hold,
    answers: queue.SimpleQueue[Answered],
    over: _Countdown,
) -> None:
    """What one thread does: the next one that waits, until none does."""
    while True:
        try:
            one = waiting.popleft()
        except IndexError:
            return
        answer = _answered_in_time(one, connector, hold)
        over.one_over()
        answers.put((one.claimed, answer))


def _answered_in_time(one: Prepared, connector: Connector, hold: Hold) -> Answer:
    """The answer, with a timer of this thread's own: frozen here past its lease, it sends nothing (R2)."""
    try:
        timer = ExitStack()
        timer.enter_context(ending_this_thread(hold.ends))
    except OSError:
        logger.exception("no timer, so nothing is sent", extra={"action": one.claimed.action_id})
        return Answer(outcome=Outcome.NOT_SENT, code="no-timer")
    with timer:
        return _answer(one, connector, hold)


def _answer(one: Prepared, connector: Connector, hold: Hold) -> Answer:
    if one.request is None:
        return Answer(outcome=Outcome.NOT_SENT, code=one.why)
    if hold.remaining_s() < one.request.deadline_s + MARGIN_S:
        return Answer(outcome=Outcome.NOT_SENT, code="no-time-left")
    try:
        return trusted_answer(one.request, connector.perform(one.request))
    except Exception as error:  # a fault in a connector must not turn "may have arrived" into anything else
        logger.exception("connector failed", extra={"action": one.claimed.action_id})
        return Answer(outcome=Outcome.UNKNOWN, code="connector-error", detail=type(error).__name__)


def _drain(answers: queue.SimpleQueue[Answered], most: int) -> list[Answered]:
    """Wait for one answer, then take what comes within a moment."""
    ready = [answers.get()]
    until = time.monotonic() + GROUP_WAIT_S
    while len(ready) < min(most, GROUP_MOST):
        try:
            ready.append(answers.get(timeout=max(0.0, until - time.monotonic())))
        except queue.Empty:
            break
    return ready
