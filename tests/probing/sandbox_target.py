"""A target that is a space of a real sandbox, honest or not."""

from __future__ import annotations

import uuid
from typing import Any

from once_delivery.ledger.probe_turns import GateTurns
from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.targets.models import Measurement, ProbeStatus, Target
from once_delivery.targets.probing.extent import Extent
from once_delivery.targets.profile import Guard
from once_delivery.targets.rest.profiles import ready_profile
from once_delivery.targets.services.probe_target import probe_target
from once_delivery.targets.services.save_target import save_target
from tests.builders import a_project
from tests.targets.sandbox_space import SPACES

TIMES: dict[str, Any] = {"deadline_s": 3.0, "settle_s": 1.0, "concurrency": 8, "window_margin_s": 0.0}
QUICK = Extent(rounds=2, looks=3, wait_s=0.6)


class SandboxTarget:
    """``setting`` is what the space is like, ``claims`` changes what the profile says of it."""

    def __init__(
        self,
        admin: SandboxAdmin,
        guard: Guard,
        *,
        claims: dict[str, Any] | None = None,
        is_test: bool = True,
        **setting: Any,
    ) -> None:
        self.admin = admin
        self.space = f"s{uuid.uuid4().hex[:12]}"
        self.setting = {**SPACES[guard], **setting}
        token = admin.put_space(self.space, **self.setting)["token"]
        ready = ready_profile("sandbox", guard)
        self.profile = {**ready.profile, **TIMES, **(claims or {})}
        self.declaration = ready.declaration
        self._token, self._is_test = token, is_test
        self.target: Target = self.save()

    def save(self, *, declaration: dict[str, Any] | None = None, **claims: Any) -> Target:
        """Set it up (again) with other claims."""
        self.profile = {**self.profile, **claims}
        self.target = save_target(
            project=a_project(),
            name="cms",
            kind="rest",
            base_url=self.admin.content_url(self.space),
            declaration=declaration or self.declaration,
            profile=self.profile,
            credentials={"token": self._token},
            allow_inside=True,
            is_test=self._is_test,
            replace=True,
        )
        return self.target

    def probe(self, extent: Extent = QUICK, **more: Any) -> dict[str, Measurement]:
        """One probe as an operator runs it; its measurements by claim."""
        probe = probe_target(
            target=self.target, extent=extent, turns=lambda profile: GateTurns(self.target, profile), **more
        )
        self.target.refresh_from_db()
        assert probe.status == ProbeStatus.FINISHED
        return {one.claim: one for one in probe.measurements.all()}

    def becomes(self, **setting: Any) -> None:
        """The space is another one from now on; what it holds stays."""
        token = self.admin.get_space(self.space)["token"]
        self.setting |= setting
        self.admin.put_space(self.space, token=token, **self.setting)

    def held(self) -> list[dict[str, Any]]:
        """The truth."""
        return list(self.admin.objects(self.space))  # type: ignore[arg-type]

    def creates(self) -> int:
        """How many requests that could create something have arrived."""
        return len(self.admin.log(self.space, operation="create"))
