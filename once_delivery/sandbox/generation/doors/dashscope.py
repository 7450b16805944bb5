"""DashScope: asynchronous tasks, a list of the last 24 hours that does not show what was ordered."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from once_delivery.sandbox.generation.wire import Asked, Reply, page_of
from once_delivery.sandbox.generation.world import POLICY_WORD, Job, World

_WORDS = {"running": "RUNNING", "succeeded": "SUCCEEDED", "failed": "FAILED"}


class DashScope:
    """See Door."""

    def __init__(self, world: World) -> None:
        world.keep_s = min(world.keep_s, 86_400.0)
        self.world = world

    def is_submit(self, asked: Asked) -> bool:
        return asked.method == "POST"

    def busy(self) -> Reply:
        return Reply(429, {"code": "Throttling.RateQuota", "message": "Requests rate limit exceeded"})

    def answer(self, asked: Asked) -> Reply:
        if not asked.headers.get("authorization", "").startswith("Bearer "):
            return Reply(401, {"code": "InvalidApiKey", "message": "No API-key provided."})
        if asked.method == "POST":
            return self._create(asked)
        if asked.parts[:3] == ("api", "v1", "tasks") and len(asked.parts) > 3:  # noqa: PLR2004
            return self._task(asked.parts[3])
        return self._tasks(asked)

    def _create(self, asked: Asked) -> Reply:
        order, given = asked.document, asked.document.get("input") or {}
        if asked.headers.get("x-dashscope-async") != "enable":
            return Reply(403, {"code": "AccessDenied", "message": "current user api does not support sync"})
        if POLICY_WORD in str(given.get("prompt", "")):
            return Reply(400, {"code": "DataInspectionFailed", "message": "inappropriate content"})
        job = self.world.make({"model": order.get("model"), **given})
        return Reply(
            200, {"output": {"task_status": "PENDING", "task_id": job.id}, "request_id": f"r-{job.id}"}
        )

    def _task(self, task_id: str) -> Reply:
        job = self.world.get(task_id)
        if job is None:
            return Reply(200, {"request_id": "r-0", "output": {"task_id": task_id, "task_status": "UNKNOWN"}})
        state = job.state(self.world.now())
        output: dict[str, Any] = {
            "task_id": job.id,
            "task_status": _WORDS[state],
            "submit_time": _moment(job.created),
        }
        document: dict[str, Any] = {"request_id": f"r-{job.id}", "output": output}
        if state == "succeeded":
            url = f"https://dashscope-result.example/{job.id}.png?Expires={int(job.ends) + 86_400}"
            output |= {"end_time": _moment(job.ends), "results": [{"orig_prompt": job.prompt, "url": url}]}
            document["usage"] = {"image_count": 1}
        if state == "failed":
            output |= {"code": "InternalError.Algo", "message": "the generation failed"}
        return Reply(200, document)

    def _tasks(self, asked: Asked) -> Reply:
        model = asked.query.get("model_name")
        jobs = [job for job in self.world.listed() if model in {None, job.order.get("model")}]
        shown, pages = page_of(jobs, asked, number="page_no", size="page_size", default=10)
        return Reply(
            200,
            {
                "total": len(jobs),
                "total_page": pages,
                "page_no": int(asked.query.get("page_no", 1)),
                "page_size": len(shown),
                "request_id": "r-list",
                "data": [
                    {
                        "task_id": job.id,
                        "model_name": job.order.get("model"),
                        "status": _WORDS[job.state(self.world.now())],
                        "gmt_create": int(job.created * 1000),
                        "region": "cn-beijing",
                        "request_id": f"r-{job.id}",
                    }
                    for job in shown
                ],
            },
        )

    def call(self, job: Job) -> dict[str, Any]:
        return {}


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, tz=UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
