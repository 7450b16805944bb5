"""Kling: text to video, with an ID of the caller's own."""

from __future__ import annotations

from typing import Any

from once_delivery.sandbox.generation.wire import Asked, Reply, page_of
from once_delivery.sandbox.generation.world import POLICY_WORD, Job, World

_PATH = ("v1", "videos", "text2video")
_WORDS = {"running": "processing", "succeeded": "succeed", "failed": "failed"}


class Kling:
    """See Door."""

    def __init__(self, world: World) -> None:
        self.world = world

    def is_submit(self, asked: Asked) -> bool:
        return asked.method == "POST"

    def busy(self) -> Reply:
        return _error(429, 1303, "concurrency or QPS exceeds the resource pack")

    def answer(self, asked: Asked) -> Reply:
        token = asked.headers.get("authorization", "").removeprefix("Bearer ")
        if token.count(".") != 2:  # noqa: PLR2004 - a JSON Web Token has three parts
            return _error(401, 1002, "Authorization is invalid")
        if asked.parts[:3] != _PATH:
            return _error(404, 1203, "resource not found")
        if asked.method == "POST":
            return self._create(asked.document)
        if len(asked.parts) > len(_PATH):
            job = self.world.get(asked.parts[3]) or self.world.by_key(asked.parts[3])
            return _fine(self._job(job)) if job is not None else _error(404, 1203, "resource not found")
        shown, _ = page_of(self.world.listed(), asked, number="pageNum", size="pageSize", default=30)
        return _fine([self._job(job) for job in shown])

    def _create(self, order: dict[str, Any]) -> Reply:
        key = str(order.get("external_task_id") or "")
        if not order.get("prompt"):
            return _error(400, 1201, "prompt is empty")
        if POLICY_WORD in str(order["prompt"]):
            return _error(400, 1301, "content safety policy")
        if key and self.world.by_key(key) is not None:
            # documented: unique for a user. What the service says then is not; this is the simulator's guess
            return _error(400, 1201, "external_task_id is not unique")
        job = self.world.make(order, key=key, callback_url=str(order.get("callback_url") or ""))
        return _fine(self._job(job))

    def _job(self, job: Job) -> dict[str, Any]:
        now = self.world.now()
        state = job.state(now)
        data: dict[str, Any] = {
            "task_id": job.id,
            "task_status": _WORDS[state],
            "task_status_msg": "generation failed" if state == "failed" else "",
            "task_info": {"external_task_id": job.key},
            "created_at": int(job.created * 1000),
            "updated_at": int(min(now, job.ends) * 1000),
        }
        if state == "succeeded":
            video = {"id": f"v-{job.id}", "url": f"https://cdn.example/{job.id}.mp4", "duration": "5"}
            data |= {"task_result": {"videos": [video]}, "final_unit_deduction": "2"}
        return data

    def call(self, job: Job) -> dict[str, Any]:
        return self._job(job)


def _fine(data: Any) -> Reply:
    return Reply(200, {"code": 0, "message": "SUCCEED", "request_id": "r-1", "data": data})


def _error(status: int, code: int, message: str) -> Reply:
    return Reply(status, {"code": code, "message": message, "request_id": "r-1"})
