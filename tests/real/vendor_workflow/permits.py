"""What the house gives a vendor that asks it first: a token, and a target that only the vendor reaches."""

from __future__ import annotations

from once_delivery.accounts.models import Membership, Project, Role
from once_delivery.accounts.services.api_tokens import make_token
from once_delivery.targets.profile import Guard
from once_delivery.targets.registry import default_profiles
from once_delivery.targets.services.save_target import save_target
from tests.builders import a_user

TARGET = "by-permit"
# a real server on a busy machine answers within the deadline; what is given up lands within the settle time
TIMES = {"deadline_s": 4.0, "settle_s": 4.0, "look_up_every_s": 0.3, "patience_s": 60.0}


def permits_for(project: Project, house: str) -> dict[str, str]:
    """The environment of the script that asks; ``house``: the address of the running house."""
    admin = a_user("admin")
    Membership.objects.create(project=project, user=admin, role=Role.ADMIN)
    _, token = make_token(project=project, name="celery", role=Role.OPS_OWNER, days=1, user=admin)
    save_target(
        project=project,
        name=TARGET,
        kind="permit",
        base_url="",
        declaration={},
        profile={**default_profiles("permit")[Guard.LOOKUP].numbers, **TIMES},
        is_test=True,
    )
    return {
        "WORKFLOW_ONCE": f"{house}/api/v1",
        "WORKFLOW_ONCE_TOKEN": token,
        "WORKFLOW_TARGET": TARGET,
    }
