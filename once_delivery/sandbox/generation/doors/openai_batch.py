"""OpenAI Batch: a batch keeps the metadata that it was sent with, and stands in a list."""

from __future__ import annotations

from typing import Any

from once_delivery.sandbox.generation.wire import Asked, Reply
from once_delivery.sandbox.generation.world import Job, World

_WORDS = {"running": "in_progress", "succeeded": "completed", "failed": "failed"}


class OpenAiBatch:
    """See Door."""

    def __init__(self, world: World) -> None:
        self.world = world

    def is_submit(self, asked: Asked) -> bool:
        return asked.method == "POST"

    def busy(self) -> Reply:
        return _error(429, "rate_limit_exceeded")

    def answer(self, asked: Asked) -> Reply:
        if not asked.headers.get("authorization", "").startswith("Bearer "):
            return _error(401, "invalid_api_key")
        if asked.method == "POST":
            order = asked.document
            if not order.get("input_file_id"):
                return _error(400, "missing_required_parameter")
            # a prompt of its own lets a test say how the batch ends
            ends = str((order.get("metadata") or {}).get("ends", ""))
            return Reply(200, self._batch(self.world.make({**order, "prompt": ends})))
        if len(asked.parts) > 2:  # noqa: PLR2004 - v1, batches, ID
            job = self.world.get(asked.parts[2])
            return Reply(200, self._batch(job)) if job is not None else _error(404, "not_found")
        jobs, after = self.world.listed(), asked.query.get("after")
        start = next((at + 1 for at, job in enumerate(jobs) if job.id == after), 0)
        shown = jobs[start : start + int(asked.query.get("limit", 20))]
        return Reply(
            200,
            {
                "object": "list",
                "data": [self._batch(job) for job in shown],
                "first_id": shown[0].id if shown else None,
                "last_id": shown[-1].id if shown else None,
                "has_more": start + len(shown) < len(jobs),
            },
        )

    def _batch(self, job: Job) -> dict[str, Any]:
        state = job.state(self.world.now())
        return {
            "id": job.id,
            "object": "batch",
            "endpoint": job.order.get("endpoint"),
            "input_file_id": job.order["input_file_id"],
            "completion_window": "24h",
            "status": _WORDS[state],
            "output_file_id": f"file-{job.id}" if state == "succeeded" else None,
            "created_at": int(job.created),
            "completed_at": int(job.ends) if state == "succeeded" else None,
            "metadata": job.order.get("metadata") or {},
            "usage": {"total_tokens": 1200} if state == "succeeded" else None,
            "errors": {"data": [{"code": "invalid", "message": "bad line"}]} if state == "failed" else None,
        }

    def call(self, job: Job) -> dict[str, Any]:
        return {}


def _error(status: int, code: str) -> Reply:
    return Reply(status, {"error": {"message": code, "type": "invalid_request_error", "code": code}})
