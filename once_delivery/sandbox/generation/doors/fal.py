"""fal: a queue without a list; the job's address is called when it ends."""

from __future__ import annotations

from typing import Any

from once_delivery.sandbox.generation.wire import Asked, Reply
from once_delivery.sandbox.generation.world import POLICY_WORD, Job, World

_WORDS = {"running": "IN_PROGRESS", "succeeded": "COMPLETED", "failed": "COMPLETED"}


class Fal:
    """See Door."""

    def __init__(self, world: World) -> None:
        self.world = world

    def is_submit(self, asked: Asked) -> bool:
        return asked.method == "POST"

    def busy(self) -> Reply:
        return Reply(429, {"detail": "Rate limit exceeded"}, {"Retry-After": "1"})

    def answer(self, asked: Asked) -> Reply:
        if not asked.headers.get("authorization", "").startswith("Key "):
            return Reply(401, {"detail": "Authentication is required"})
        if asked.method == "POST":
            order = {"model": asked.path.strip("/"), **asked.document}
            job = self.world.make(order, callback_url=asked.query.get("fal_webhook", ""))
            return Reply(200, {"request_id": job.id, "status": "IN_QUEUE", "queue_position": 0})
        # owner/app/requests/ID[/status]; an endpoint below the app has no requests of its own
        if len(asked.parts) < 4 or asked.parts[2] != "requests":  # noqa: PLR2004
            return Reply(405, {"detail": "Method Not Allowed"})
        job_or_none = self.world.get(asked.parts[3])
        if job_or_none is None:
            return Reply(404, {"detail": "Request not found"})
        return self._status(job_or_none) if asked.parts[-1] == "status" else self._result(job_or_none)

    def _status(self, job: Job) -> Reply:
        state = job.state(self.world.now())
        document: dict[str, Any] = {"request_id": job.id, "status": _WORDS[state]}
        if state != "running":
            document["metrics"] = {"inference_time": 3.5}
        return Reply(202 if state == "running" else 200, document)

    def _result(self, job: Job) -> Reply:
        state = job.state(self.world.now())
        if state == "running":
            return Reply(400, {"detail": "Request is still in progress"})
        if state == "failed" or POLICY_WORD in job.prompt:
            return Reply(422, {"detail": [{"msg": "content policy violation", "type": "content_policy"}]})
        return Reply(200, {"images": [{"url": f"https://v3.fal.media/{job.id}.png", "width": 512}]})

    def call(self, job: Job) -> dict[str, Any]:
        failed = job.state(job.ends) == "failed"
        result = self._result(job)
        return {
            "request_id": job.id,
            "gateway_request_id": job.id,
            "status": "ERROR" if failed else "OK",
            "payload": result.document,
        }
