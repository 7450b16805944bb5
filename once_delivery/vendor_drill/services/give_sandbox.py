"""A space of the sandbox for one drill, as a test target of its own."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from once_delivery.accounts.models import Project
from once_delivery.drill.setting_up import make_target
from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.targets.models import Target
from once_delivery.targets.profile import Guard
from once_delivery.vendor_drill.errors import NoSandboxError

PREFIX = "vendor-drill-"


@dataclass(frozen=True, slots=True)
class GivenSpace:
    """``token``: what a vendor sends as its bearer token; it opens this space and nothing else."""

    target: Target
    token: str = field(repr=False)


def give_sandbox(*, project: Project, url: str, token: str) -> GivenSpace:
    """A new space without protection beyond look-up, in the sandbox at ``url``. Raises NoSandboxError."""
    if not url:
        raise NoSandboxError
    admin = SandboxAdmin(url, token)
    name = PREFIX + secrets.token_hex(4)
    try:
        target, _ = make_target(project=project, admin=admin, guard=Guard.LOOKUP, name=name)
        space = admin.put_space(name)
    except OSError as error:
        raise NoSandboxError from error
    return GivenSpace(target, space["token"])
