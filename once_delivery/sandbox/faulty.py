"""Faults as deeds: each plays one way in which a target can fail its caller."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from once_delivery.sandbox.answers import Answer, Exchange, error_answer
from once_delivery.sandbox.app import App
from once_delivery.sandbox.content import Wish, content_of
from once_delivery.sandbox.errors import ApiError
from once_delivery.sandbox.faults import Fault
from once_delivery.sandbox.misanswers import misanswer

_DRIP = 65_536


class Work(Protocol):
    """The true work of a call, done once; it never raises."""

    def __call__(self, *, holds_place: bool) -> Answer: ...


@dataclass(frozen=True, slots=True)
class Scene:
    """What a fault has to play with. ``work`` does the true work once and never raises."""

    app: App
    fault: Fault
    wish: Wish
    exchange: Exchange
    work: Work

    def perform(self) -> Answer:
        """Do the true work."""
        return self.work(holds_place=False)

    def perform_held(self) -> Answer:
        """Do the true work as the call that the others are told is in flight."""
        return self.work(holds_place=True)

    async def send(self, answer: Answer) -> int | None:
        """Answer, if somebody is still there."""
        return await self.exchange.send(answer)

    async def wait(self) -> None:
        """Let the fault's seconds pass."""
        await asyncio.sleep(self.fault.seconds)

    def error(self, default: int, code: str, *, retry_after: bool = False) -> Answer:
        """An error answer with the fault's status."""
        seconds = str(max(1, math.ceil(self.fault.seconds)))
        headers = (("Retry-After", seconds),) if retry_after else ()
        return error_answer(
            ApiError(self.fault.status or default, code, "this fault was asked for", headers=headers)
        )


async def _answer_lost(scene: Scene) -> int | None:
    scene.perform()
    scene.exchange.hang_up()
    return None


async def _error_before(scene: Scene) -> int | None:
    return await scene.send(scene.error(500, "internal"))


async def _error_after(scene: Scene) -> int | None:
    scene.perform()
    return await scene.send(scene.error(502, "bad_gateway"))


async def _zombie(scene: Scene) -> int | None:
    with _holding_key(scene.wish):
        await scene.wait()
        answer = scene.perform_held()
    return await scene.send(answer)


async def _busy(scene: Scene) -> int | None:
    wish = scene.wish
    place = (wish.kind, wish.marker or "")
    wish.space.markers_in_flight.add(place)
    try:
        with _holding_key(wish):
            await scene.wait()
            answer = scene.perform_held()
    finally:
        wish.space.markers_in_flight.discard(place)
    return await scene.send(answer)


@contextmanager
def _holding_key(wish: Wish) -> Iterator[None]:
    """While it works, the same idempotency key is answered "in flight"."""
    if wish.key is None:
        yield
        return
    wish.space.keys_in_flight.add(wish.key)
    try:
        yield
    finally:
        wish.space.keys_in_flight.discard(wish.key)


async def _slow(scene: Scene) -> int | None:
    answer = scene.perform()
    await scene.wait()
    return await scene.send(answer)


async def _rate_limited(scene: Scene) -> int | None:
    return await scene.send(scene.error(429, "rate_limited", retry_after=True))


async def _unavailable(scene: Scene) -> int | None:
    return await scene.send(scene.error(503, "unavailable", retry_after=True))


async def _refuse(scene: Scene) -> int | None:
    return await scene.send(scene.error(422, "refused"))


async def _reset_before(scene: Scene) -> int | None:
    scene.exchange.reset()
    return None


async def _reset_after(scene: Scene) -> int | None:
    scene.perform()
    scene.exchange.reset()
    return None


async def _hang(scene: Scene) -> int | None:
    if scene.fault.variant == "committed":
        scene.perform()
    await scene.exchange.until_gone()
    scene.exchange.hang_up()
    return None


async def _cut_in_answer(scene: Scene) -> int | None:
    answer = scene.perform()
    await scene.exchange.send_bytes(answer.head() + answer.body[: len(answer.body) // 2])
    scene.exchange.hang_up()
    return None


async def _unreadable(scene: Scene) -> int | None:
    true = scene.perform()
    document = _document(true)
    wish = scene.wish
    own_id = str(document.get("id", wish.object_id or ""))
    if scene.fault.variant == "see_other":
        document["location"] = f"/spaces/{wish.space.name}/{wish.kind}/{own_id}"
    if scene.fault.variant == "other_action":
        document["other"] = _another(scene, document, own_id)
    return await scene.send(misanswer(scene.fault.variant or "no_id", true, document))


def _document(answer: Answer) -> dict[str, Any]:
    loaded = json.loads(answer.body) if answer.body.startswith(b"{") else {}
    return loaded if isinstance(loaded, dict) else {}


def _another(scene: Scene, document: dict[str, Any], own_id: str) -> dict[str, Any]:
    """Another object of the space, or one that never was if there is none."""
    wish = scene.wish
    other = scene.app.objects.another(wish.space.name, wish.kind, own_id)
    if other is None:
        return {**document, "id": "d1", "marker": "once-of-somebody-else"}
    return content_of(scene.app, wish.space, other)


async def _endless(scene: Scene) -> int | None:
    answer = scene.perform()
    exchange = scene.exchange
    exchange.keep = False
    await exchange.send_bytes(answer.head(length=-1, close=True) + b'{"id":"')
    while not exchange.gone and await exchange.send_bytes(b"9" * _DRIP):  # noqa: ASYNC110 -- a drip, not a poll
        await asyncio.sleep(0.01)  # the other callers get their turn
    exchange.hang_up()
    return None


async def _slow_body(scene: Scene) -> int | None:
    answer = scene.perform()
    exchange = scene.exchange
    exchange.keep = False
    await exchange.send_bytes(answer.head(close=True))
    for byte in answer.body:
        await scene.wait()
        if exchange.gone or not await exchange.send_bytes(bytes([byte])):
            return None
    exchange.hang_up()
    return answer.status


PLAYS: dict[str, Callable[[Scene], Awaitable[int | None]]] = {
    "answer_lost": _answer_lost,
    "error_before": _error_before,
    "error_after": _error_after,
    "zombie": _zombie,
    "slow": _slow,
    "rate_limited": _rate_limited,
    "unavailable": _unavailable,
    "reset_before": _reset_before,
    "reset_after": _reset_after,
    "hang": _hang,
    "cut_in_answer": _cut_in_answer,
    "unreadable": _unreadable,
    "busy": _busy,
    "refuse": _refuse,
    "endless": _endless,
    "slow_body": _slow_body,
}


async def play(scene: Scene) -> int | None:
    """Play a fault to its end. Returns the status that was answered, None when none was."""
    return await PLAYS[scene.fault.kind](scene)
