"""An in-memory target: it holds objects, counts creates, and can be told to go wrong once or always.

What it cannot tell honestly (a request that arrived while its answer was lost on the wire) is tested again over
real sockets against the sandbox.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.db import connection

from once_delivery.targets import updating
from once_delivery.targets.base import (
    Answer,
    CheckResult,
    EffectRequest,
    FoundObject,
    Kind,
    Look,
    LookUpRequest,
    Outcome,
    Verdict,
)


@dataclass
class FakeTarget:
    """The target's own truth, apart from what it answers."""

    objects: list[FoundObject] = field(default_factory=list)
    creates: list[EffectRequest] = field(default_factory=list)
    looks: list[LookUpRequest] = field(default_factory=list)
    protects: str = ""  # "", "client_id" or "key"
    visible_after_s: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)
    # one a call, in order; then the normal behaviour
    scripted: list[Callable[[FakeTarget, EffectRequest], Answer]] = field(default_factory=list)
    scripted_looks: list[Look] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    made_at: dict[str, float] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    tells_version: bool = True  # its answer to a create says in which state the object is

    def create(self, request: EffectRequest) -> Answer:
        """Make the object (or find it, where the target protects) and answer."""
        with self.lock:
            if self.protects == "client_id":
                for found in self.objects:
                    if found.marker == request.marker:
                        return Answer(Outcome.EXISTS, "exists", http_status=409)
            if self.protects == "key" and request.idempotency_key in self.keys:
                return Answer(Outcome.DONE, "replayed", self.keys[request.idempotency_key], request.marker)
            result_id = f"obj-{next(self.numbers)}"
            self.objects.append(
                FoundObject(
                    result_id=result_id,
                    marker=request.marker,
                    title=str(request.payload.get("title", "")),
                    content=_text(request.payload),
                    version="1",
                )
            )
            self.made_at[result_id] = time.monotonic()
            self.keys[request.idempotency_key] = result_id
            version = "1" if self.tells_version else ""
            return Answer(
                Outcome.DONE, "created", result_id, request.marker, http_status=201, version=version
            )

    def update(self, request: EffectRequest) -> Answer:
        """Change the one object, when it is in the state that the update is for."""
        assert request.original is not None
        with self.lock:
            held = self.held(request.original.result_id)
            if held is None:
                return Answer(Outcome.REFUSED, "http-404", http_status=404)
            if held.version != request.original.version:
                return Answer(Outcome.EXISTS, "http-409", http_status=409)
            changed = self.change(held, _text(request.payload))
            return Answer(Outcome.DONE, "updated", changed.result_id, changed.marker, version=changed.version)

    def change(self, held: FoundObject, content: dict[str, str]) -> FoundObject:
        """Another text, another version; by us or by an editor."""
        changed = replace(held, content=content, title=content["title"], version=str(int(held.version) + 1))
        self.objects[self.objects.index(held)] = changed
        return changed

    def held(self, result_id: str) -> FoundObject | None:
        return next((one for one in self.objects if one.result_id == result_id), None)

    def ids(self, marker: str) -> list[str]:
        return [found.result_id for found in self.objects if found.marker == marker]


def _text(payload: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(payload[name]) for name in ("title", "body") if name in payload}


def answer_lost(target: FakeTarget, request: EffectRequest) -> Answer:
    """Committed; the answer never came."""
    (target.update if request.original else target.create)(request)
    return Answer(Outcome.UNKNOWN, "reset")


def lost_before(target: FakeTarget, request: EffectRequest) -> Answer:
    """Nothing committed; the answer never came."""
    return Answer(Outcome.UNKNOWN, "deadline")


def never_left(target: FakeTarget, request: EffectRequest) -> Answer:
    return Answer(Outcome.NOT_SENT, "connect-refused")


def refused(target: FakeTarget, request: EffectRequest) -> Answer:
    return Answer(Outcome.REFUSED, "http-422", http_status=422)


def too_many(target: FakeTarget, request: EffectRequest) -> Answer:
    return Answer(Outcome.NOT_DONE, "http-429", http_status=429, retry_after_s=0.3)


class FakeConnector:
    """Speaks to a :class:`FakeTarget`; fails the test when called inside a transaction (R1)."""

    def __init__(self, target: FakeTarget) -> None:
        self.target = target

    def perform(self, request: EffectRequest) -> Answer:
        assert not connection.in_atomic_block
        with self.target.lock:
            self.target.creates.append(request)
            usual = FakeTarget.update if request.original else FakeTarget.create
            script = self.target.scripted.pop(0) if self.target.scripted else usual
        return script(self.target, request)

    def look_up(self, request: LookUpRequest) -> Look:
        assert not connection.in_atomic_block
        self.target.looks.append(request)
        if self.target.scripted_looks:
            return self.target.scripted_looks.pop(0)
        if request.original is not None:
            read = self.read(kind=request.kind, result_id=request.original.result_id, deadline_s=1.0)
            return updating.judged(read, original=request.original, payload=request.payload)
        now = time.monotonic()
        found = tuple(
            one
            for one in self.target.objects
            if one.marker == request.marker
            and now - self.target.made_at.get(one.result_id, 0.0) >= self.target.visible_after_s
        )
        verdict = {0: Verdict.ABSENT, 1: Verdict.FOUND}.get(len(found), Verdict.FOUND_MANY)
        return Look(verdict=verdict, method="memory", complete=True, objects=found)

    def read(self, *, kind: Kind, result_id: str, deadline_s: float) -> Look:
        found = tuple(one for one in self.target.objects if one.result_id == result_id)
        return Look(Verdict.FOUND if found else Verdict.ABSENT, "memory", complete=True, objects=found)

    def remove(self, *, kind: Kind, result_id: str, deadline_s: float) -> Answer:
        with self.target.lock:
            self.target.objects[:] = [one for one in self.target.objects if one.result_id != result_id]
        return Answer(Outcome.DONE, "removed", result_id=result_id)

    def inventory(
        self, *, kind: Kind, deadline_s: float, changed_since: datetime | None = None, after: str = ""
    ) -> Iterator[FoundObject]:
        yield from self.target.objects

    def check(self) -> list[CheckResult]:
        return [CheckResult("memory", ok=True)]

    def close(self) -> None:
        """Nothing to give back."""
