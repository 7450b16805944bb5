"""Volcengine Ark: video tasks, a list of seven days that does not show what was ordered."""

from __future__ import annotations

from typing import Any

from once_delivery.sandbox.generation.wire import Asked, Reply, page_of
from once_delivery.sandbox.generation.world import POLICY_WORD, Job, World

_PATH = ("api", "v3", "contents", "generations", "tasks")


class Ark:
    """See Door."""

    def __init__(self, world: World) -> None:
        world.keep_s = min(world.keep_s, 7 * 86_400.0)
        self.world = world

    def is_submit(self, asked: Asked) -> bool:
        return asked.method == "POST"

    def busy(self) -> Reply:
        return _error(429, "RateLimitExceeded")

    def answer(self, asked: Asked) -> Reply:
        if not asked.headers.get("authorization", "").startswith("Bearer "):
            return _error(401, "AuthenticationError")
        if asked.parts[:5] != _PATH:
            return _error(404, "NotFound")
        if asked.method == "POST":
            return self._create(asked.document)
        if len(asked.parts) > len(_PATH):
            job = self.world.get(asked.parts[5])
            return Reply(200, self._task(job)) if job is not None else _error(404, "ResourceNotFound")
        model = asked.query.get("filter.model")
        jobs = [job for job in self.world.listed() if model in {None, job.order.get("model")}]
        shown, _ = page_of(jobs, asked, number="page_num", size="page_size", default=10)
        return Reply(200, {"total": len(jobs), "items": [self._task(job) for job in shown]})

    def _create(self, order: dict[str, Any]) -> Reply:
        texts = [part.get("text", "") for part in order.get("content") or [] if isinstance(part, dict)]
        prompt = " ".join(texts)
        if not order.get("model") or not prompt:
            return _error(400, "MissingParameter")
        if POLICY_WORD in prompt:
            return _error(400, "InputTextSensitiveContentDetected")
        job = self.world.make({**order, "prompt": prompt}, callback_url=str(order.get("callback_url") or ""))
        return Reply(200, {"id": job.id})

    def _task(self, job: Job) -> dict[str, Any]:
        now = self.world.now()
        state = job.state(now)
        task: dict[str, Any] = {
            "id": job.id,
            "model": _model(job.order["model"]),
            "status": state,
            "error": {"code": "InternalServiceError", "message": "failed"} if state == "failed" else None,
            "created_at": int(job.created),
            "updated_at": int(min(now, job.ends)),
        }
        if state == "succeeded":
            task |= {
                "content": {"video_url": f"https://ark-content.example/{job.id}.mp4"},
                "usage": {"completion_tokens": 108_900, "total_tokens": 108_900},
                "resolution": job.order.get("resolution", "720p"),
                "duration": job.order.get("duration", 5),
            }
        return task

    def call(self, job: Job) -> dict[str, Any]:
        return self._task(job)


def _model(ordered: str) -> str:
    """What an endpoint runs, not what it is called."""
    return "doubao-seedance-1-0-pro-250528" if ordered.startswith("ep-") else ordered


def _error(status: int, code: str) -> Reply:
    return Reply(status, {"error": {"code": code, "message": code, "type": "error"}})
