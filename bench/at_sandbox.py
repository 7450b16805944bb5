"""A sandbox CMS in a process of its own, and a target that points to it. Needs Django to be set up."""

from __future__ import annotations

from bench.seed import CONCURRENCY
from once_delivery.accounts.models import Project
from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.targets.models import Target
from once_delivery.targets.profile import Guard
from once_delivery.targets.rest.profiles import ready_profile
from once_delivery.targets.services.save_target import save_target

SPACE = "bench"


def sandbox_target(project: Project, admin: SandboxAdmin) -> Target:
    """A space without faults, whose drafts can be looked up by their marker."""
    space = admin.put_space(SPACE, lookup="marker")
    ready = ready_profile("sandbox", Guard.LOOKUP)
    return save_target(
        project=project,
        name="sandbox",
        kind="rest",
        base_url=admin.content_url(SPACE),
        declaration=ready.declaration,
        profile={**ready.profile, "concurrency": CONCURRENCY},
        credentials={"token": space["token"]},
        allow_inside=True,
        is_test=True,
    )
