"""OpenAI Images: the answer is the picture. There is no ID to ask by, no list, and no second look."""

from __future__ import annotations

from typing import Any

from once_delivery.sandbox.generation.wire import Asked, Reply
from once_delivery.sandbox.generation.world import POLICY_WORD, Job, World


class OpenAiImages:
    """See Door."""

    def __init__(self, world: World) -> None:
        self.world = world

    def is_submit(self, asked: Asked) -> bool:
        return asked.method == "POST"

    def busy(self) -> Reply:
        return _error(429, "rate_limit_exceeded")

    def answer(self, asked: Asked) -> Reply:
        order = asked.document
        if not asked.headers.get("authorization", "").startswith("Bearer "):
            return _error(401, "invalid_api_key")
        if asked.path != "/v1/images/generations" or asked.method != "POST":
            return _error(404, "unknown_url")
        if str(order.get("model", "")).startswith("gpt-image") and "response_format" in order:
            return _error(400, "unknown_parameter")
        if POLICY_WORD in str(order.get("prompt", "")):
            return _error(400, "content_policy_violation")
        job = self.world.make(order)
        document = {
            "created": int(job.created),
            "data": [{"url": f"https://oaidalleapi.example/{job.id}.png"}],
            "usage": {"total_tokens": 4160, "input_tokens": 20, "output_tokens": 4140},
        }
        return Reply(200, document, {"x-request-id": f"req_{job.id}"})

    def call(self, job: Job) -> dict[str, Any]:
        return {}


def _error(status: int, code: str) -> Reply:
    return Reply(status, {"error": {"message": code, "type": "invalid_request_error", "code": code}})
