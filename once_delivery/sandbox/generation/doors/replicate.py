"""Replicate: predictions, newest first, 100 a page; what they were made of is gone after an hour."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any

from once_delivery.sandbox.generation.wire import Asked, Reply
from once_delivery.sandbox.generation.world import POLICY_WORD, Job, World

_PAGE = 100
_DATA_KEPT_S = 3600.0


class Replicate:
    """See Door."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.page = _PAGE

    def is_submit(self, asked: Asked) -> bool:
        return asked.method == "POST"

    def busy(self) -> Reply:
        return Reply(429, {"detail": "Request was throttled."}, {"Retry-After": "1"})

    def answer(self, asked: Asked) -> Reply:
        if not asked.headers.get("authorization", "").startswith("Bearer "):
            return Reply(401, {"title": "Unauthenticated", "detail": "no token"})
        if asked.method == "POST":
            return self._create(asked.document)
        if len(asked.parts) > 2:  # noqa: PLR2004 - v1, predictions, ID
            job = self.world.get(asked.parts[2])
            return Reply(200, self._prediction(job)) if job else Reply(404, {"detail": "Not found."})
        jobs, start = self.world.listed(), int(asked.query.get("cursor", 0))
        more = start + self.page < len(jobs)
        following = f"{asked.base_url}/v1/predictions?cursor={start + self.page}" if more else None
        shown = jobs[start : start + self.page]
        return Reply(
            200,
            {"previous": None, "next": following, "results": [self._prediction(job) for job in shown]},
        )

    def _create(self, order: dict[str, Any]) -> Reply:
        given = order.get("input") or {}
        if not order.get("version"):
            return Reply(422, {"title": "Input validation failed", "detail": "version is required"})
        if POLICY_WORD in str(given.get("prompt", "")):
            return Reply(422, {"title": "Input validation failed", "detail": "flagged as sensitive"})
        job = self.world.make(
            {"version": order["version"], "input": given, "prompt": given.get("prompt", "")},
            callback_url=str(order.get("webhook") or ""),
        )
        return Reply(201, {**self._prediction(job), "status": "starting", "output": None})

    def _prediction(self, job: Job) -> dict[str, Any]:
        now = self.world.now()
        state = job.state(now)
        removed = now - job.created > _DATA_KEPT_S
        ended = state != "running"
        return {
            "id": job.id,
            "version": _version(job.order["version"]),
            "model": job.order["version"].partition(":")[0],
            "status": "processing" if state == "running" else state,
            "input": {} if removed else job.order["input"],
            "output": [f"https://replicate.delivery/{job.id}.png"] if state == "succeeded" and not removed else None,
            "error": "the model failed" if state == "failed" else None,
            "data_removed": removed,
            "source": "api",
            "created_at": _moment(job.created),
            "completed_at": _moment(job.ends) if ended else None,
            "metrics": {"predict_time": 3.25} if ended else {},
            "urls": {},
        }  # fmt: skip

    def call(self, job: Job) -> dict[str, Any]:
        return self._prediction(job)


def _version(ordered: str) -> str:
    """A model that is ordered by its name alone runs in a version of its own."""
    name, _, version = ordered.partition(":")
    return version or hashlib.sha256(name.encode()).hexdigest()


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, tz=UTC).isoformat().replace("+00:00", "Z")
