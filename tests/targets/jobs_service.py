"""A simulated generation service on a real socket, and a connector for it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from once_delivery.sandbox.generation.doors import DOORS
from once_delivery.sandbox.generation.server import Simulator
from once_delivery.sandbox.generation.world import Job, World
from once_delivery.targets.base import Answer, Connection, EffectRequest, Kind, Look, LookUpRequest
from once_delivery.targets.jobs.connector import JobsConnector, connect

MARKER = "once-aaaaaaaaaaaaaaaaaaaaaaaaaa"
OTHER = "once-bbbbbbbbbbbbbbbbbbbbbbbbbb"
CREDENTIALS = {
    "api_key": "very-secret-key-1",
    "access_key": "access-1",
    "secret_key": "very-secret-key-2",
    "hook_key": "very-secret-key-3",
}
MODELS = {
    "kling": "kling-v2-6",
    "dashscope": "wanx2.1-t2i-turbo",
    "ark": "doubao-seedance-1-0-pro-250528",
    "replicate": "black-forest-labs/flux-schnell",
    "fal": "fal-ai/flux/dev",
    "openai_images": "dall-e-3",
}
SERVICES = sorted(DOORS)
LISTED = ["ark", "dashscope", "kling", "openai_batch", "replicate"]
RECOGNISED = ["ark", "dashscope", "replicate"]  # by time and content: they keep nothing of ours
ASYNCHRONOUS = [name for name in SERVICES if name != "openai_images"]


def an_order(service: str, prompt: str = "a red kettle", **more: Any) -> dict[str, Any]:
    """A payload as the service needs it."""
    if service == "openai_batch":
        return {"input_file_id": "file-1", "endpoint": "/v1/images/generations", **more}
    return {"model": MODELS[service], "prompt": prompt, **more}


@dataclass
class Served:
    """One simulated service with its connector."""

    name: str
    simulator: Simulator
    connector: JobsConnector

    @property
    def jobs(self) -> list[Job]:
        """What was really made, and would be paid."""
        return list(self.simulator.world.jobs.values())

    @property
    def only_job(self) -> Job:
        (job,) = self.jobs
        return job

    def start(
        self, prompt: str = "a red kettle", *, marker: str = MARKER, failed_before: int = 0, **payload: Any
    ) -> Answer:
        return self.connector.perform(
            EffectRequest(
                kind=Kind.START_JOB,
                marker=marker,
                client_id="6626a27f-79c1-545a-8f6d-f941d42ce3e9",
                idempotency_key=marker,
                payload=an_order(self.name, prompt, **payload),
                deadline_s=5.0,
                failed_before=failed_before,
            )
        )

    def look(self, prompt: str = "a red kettle", **values: Any) -> Look:
        """As the ledger asks after an answer that was lost a second ago."""
        now = datetime.now(UTC) + timedelta(seconds=self.simulator.world.offset_s)
        payload = values.pop("payload", None)
        request: dict[str, Any] = {
            "marker": MARKER,
            "sent_at": now - timedelta(seconds=1 + self.simulator.world.offset_s),
            "asked_at": now,
            **values,
        }
        return self.connector.look_up(
            LookUpRequest(
                kind=Kind.START_JOB,
                client_id="",
                deadline_s=5.0,
                payload=an_order(self.name, prompt) if payload is None else payload,
                **request,
            )
        )


def declared(service: str, **more: Any) -> dict[str, Any]:
    return {"service": service, "price": {"amount": "0.28", "currency": "USD"}, **more}


@contextlib.contextmanager
def serving(service: str, *, declaration: Mapping[str, Any] | None = None, **world: Any) -> Iterator[Served]:
    """The simulated service and a connector, until the end of the block."""
    simulator = Simulator(DOORS[service](World(**world))).start()
    connector = connect(
        Connection(simulator.url, declared(service, **(declaration or {})), CREDENTIALS, allow_inside=True)
    )
    try:
        yield Served(service, simulator, connector)
    finally:
        connector.close()
        simulator.close()
