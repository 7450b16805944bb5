"""Agree on a drill at a test target, or at a new space of the sandbox."""

from __future__ import annotations

from dataclasses import dataclass, field

from once_delivery.accounts.models import Project, User
from once_delivery.targets.models import Target
from once_delivery.vendor_drill.agreement import Agreement, checked
from once_delivery.vendor_drill.models import VendorDrill
from once_delivery.vendor_drill.services.ask_drill import ask_drill
from once_delivery.vendor_drill.services.give_sandbox import give_sandbox


@dataclass(frozen=True, slots=True)
class Started:
    """``token``: of the sandbox's space, "" for a target whose credentials the vendor has already."""

    drill: VendorDrill
    secret: str = field(repr=False)
    token: str = field(repr=False)


def start_drill(
    *,
    project: Project,
    target: Target | None,
    agreement: Agreement,
    user: User | None,
    sandbox_url: str = "",
    sandbox_token: str = "",
) -> Started:
    """``target`` None: the sandbox at ``sandbox_url``. Not open yet: the target is counted first (``open_drill``).

    Raises BadAgreementError, NotATestTargetError, TargetInUseError or NoSandboxError; nothing was made then.
    """
    agreed, token = checked(agreement), ""
    if target is None:
        given = give_sandbox(project=project, url=sandbox_url, token=sandbox_token)
        target, token = given.target, given.token
    asked = ask_drill(project=project, target=target, agreement=agreed, user=user)
    return Started(asked.drill, asked.secret, token)
