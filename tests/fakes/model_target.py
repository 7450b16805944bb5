"""A small model of an honest target for random histories: it does what its profile says, and never more.

Its clock is moved by the test together with the database's. It judges every request at the moment it leaves (R4).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

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

FAULTS = ("ok", "lost", "gone", "zombie", "not_sent", "busy", "refused", "breaks", "garbled", "no_id")
OTHERS = "once-another-action"


@dataclass
class InFlight:
    """A request that may still land, until ``until``."""

    request: EffectRequest
    until: float


@dataclass
class Made:
    result_id: str
    marker: str
    at: float


@dataclass
class ModelTarget:
    """Speaks as its own connector."""

    guard: str
    settle_s: float
    lag_s: float
    window_s: float
    now: float = 0.0
    made: list[Made] = field(default_factory=list)
    in_flight: list[InFlight] = field(default_factory=list)
    keys: dict[str, tuple[str, float]] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)  # by marker, for the next request
    looks_fail: bool = False
    creates: int = 0
    broken_rules: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def ids(self, marker: str) -> list[str]:
        return [one.result_id for one in self.made if one.marker == marker]

    def leave(self, request: EffectRequest) -> None:
        """A request leaves the house: may it?"""
        self.creates += 1
        if self.guard == "client_id":
            return
        known = self.keys.get(request.idempotency_key)
        if self.guard == "key" and known is not None and self.now - known[1] <= self.window_s:
            return
        flying = [one for one in self.in_flight if one.request.marker == request.marker]
        same_key = self.guard == "key" and {one.request.idempotency_key for one in flying} == {
            request.idempotency_key
        }
        if self.ids(request.marker) or (flying and not same_key):
            self.broken_rules.append(f"sent again unprotected: {request.marker} at {self.now}")

    def arrive(self, request: EffectRequest) -> Answer:
        """The target takes a request in."""
        if self.guard == "client_id" and self.ids(request.marker):
            return Answer(Outcome.EXISTS, "exists", http_status=409)
        if self.guard == "key":
            known = self.keys.get(request.idempotency_key)
            if known is not None and self.now - known[1] <= self.window_s:
                return Answer(Outcome.DONE, "replayed", known[0], request.marker)
        result_id = f"{request.marker[-6:]}-{len(self.ids(request.marker)) + 1}"
        self.made.append(Made(result_id, request.marker, self.now))
        self.keys[request.idempotency_key] = (result_id, self.now)
        return Answer(Outcome.DONE, "created", result_id, request.marker, http_status=201)

    def fly(self, request: EffectRequest, *, until: float) -> None:
        self.in_flight.append(InFlight(request, until))

    def land(self, index: int) -> None:
        self.arrive(self.in_flight.pop(index).request)

    def perform(self, request: EffectRequest) -> Answer:
        with self.lock:
            fault = self.faults.pop(request.marker, "ok")
            if fault == "not_sent":
                return Answer(Outcome.NOT_SENT, "connect-refused")
            self.leave(request)
            return self._answer(fault, request)

    def _answer(self, fault: str, request: EffectRequest) -> Answer:
        unknown = Answer(Outcome.UNKNOWN, fault)
        if fault == "zombie":
            self.fly(request, until=self.now + self.settle_s)
        if fault in {"gone", "zombie"}:
            return unknown
        if fault == "busy":
            return Answer(Outcome.NOT_DONE, "http-429", http_status=429, retry_after_s=7.0)
        if fault == "refused":
            return Answer(Outcome.REFUSED, "http-422", http_status=422)
        answer = self.arrive(request)
        if fault == "breaks":
            raise OSError("the connector broke after the target had committed")
        if fault == "garbled":
            return Answer(Outcome.DONE, "created", "another-1", OTHERS, http_status=201)
        if fault == "no_id":
            return Answer(Outcome.DONE, "created", http_status=201)
        return unknown if fault == "lost" else answer

    def look_up(self, request: LookUpRequest) -> Look:
        if self.looks_fail:
            return Look(Verdict.CANNOT_TELL, "model", complete=False, code="http-500")
        found = tuple(
            FoundObject(one.result_id, one.marker)
            for one in self.made
            if one.marker == request.marker and one.at + self.lag_s <= self.now
        )
        verdict = {0: Verdict.ABSENT, 1: Verdict.FOUND}.get(len(found), Verdict.FOUND_MANY)
        return Look(verdict, "model", complete=True, objects=found)

    def read(self, *, kind: Kind, result_id: str, deadline_s: float) -> Look:
        raise NotImplementedError

    def remove(self, *, kind: Kind, result_id: str, deadline_s: float) -> Answer:
        raise NotImplementedError

    def inventory(
        self, *, kind: Kind, deadline_s: float, changed_since: datetime | None = None, after: str = ""
    ) -> Iterator[FoundObject]:
        yield from (FoundObject(one.result_id, one.marker) for one in self.made)

    def check(self) -> list[CheckResult]:
        return [CheckResult("model", ok=True)]

    def close(self) -> None:
        """Nothing to give back."""
