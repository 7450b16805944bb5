"""A batch of jobs at a simulated service, through the whole ledger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from once_delivery.common.secrets import seal
from once_delivery.ledger.models import Action, Batch, Observation
from once_delivery.ledger.requests import ActionRequest, DeliveryRequest
from once_delivery.ledger.services.resume_batch import Resumed, resume_batch
from once_delivery.targets.base import Kind
from once_delivery.targets.models import Target
from tests.builders import a_batch, a_delivery, a_profile, a_project
from tests.targets.jobs_service import CREDENTIALS, Served, an_order, declared

# the kind of each number is the default profile's, its size that of a test
GUARDS: dict[str, dict[str, Any]] = {
    "fal": {"guard": "none", "look_up": False},
    "openai_images": {"guard": "none", "look_up": False},
}


def a_jobs_target(served: Served, *, declaration: dict[str, Any] | None = None, **profile: Any) -> Target:
    guard = {"guard": "lookup", **GUARDS.get(served.name, {}), "deadline_s": 3.0, **profile}
    return Target.objects.create(
        project=a_project(),
        name="jobs",
        kind="jobs",
        base_url=served.simulator.url,
        declaration=declared(served.name, **(declaration or {})),
        profile_data=a_profile(**guard),
        credentials_sealed=seal(CREDENTIALS),
        allow_inside=True,
    )


def a_batch_of_jobs(
    served: Served,
    prompts: Sequence[str] = ("a red kettle",),
    *,
    payload: dict[str, Any] | None = None,
    **more: Any,
) -> Batch:
    """One delivery a prompt, each with one job."""
    target = a_jobs_target(served, **more)
    return a_batch(
        target.project,
        *(_delivery(served, number, prompt, payload or {}) for number, prompt in enumerate(prompts)),
    )


def _delivery(served: Served, number: int, prompt: str, payload: dict[str, Any]) -> DeliveryRequest:
    order = an_order(served.name, prompt, **payload)
    if served.name == "openai_batch":
        order["input_file_id"] = f"file-{number}"
    action = ActionRequest(target="jobs", kind=Kind.START_JOB, slot="video", payload=order)
    return a_delivery(f"product-{number:03}", actions=(action,))


def carried_out(batch: Batch, wait_s: float = 6.0) -> Resumed:
    return resume_batch(batch=batch, wait_s=wait_s)


def latest(action: Action) -> Observation:
    return Observation.objects.filter(action=action).latest("looked_at")
