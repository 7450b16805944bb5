"""ONCE as n8n meets it: its addresses, a worker and a beat on the test's database, a project with a token."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from once_delivery.accounts.models import Membership, Project, Role
from once_delivery.accounts.services.api_tokens import make_token
from once_delivery.config.celery import app
from once_delivery.targets.models import Target
from once_delivery.targets.profile import Guard
from once_delivery.targets.registry import default_profiles
from once_delivery.targets.rest.profiles import ready_profile
from once_delivery.targets.services.save_target import save_target
from tests.builders import a_project, a_user
from tests.real.n8n.places import SandboxPlace, WordPressPlace
from tests.workers import PGMQ, environment, sending_to, worker

# short, so that a case takes seconds; nothing here is slower than this. The lease is twice the deadline and 2 s
TIMES: Mapping[str, Any] = {
    "deadline_s": 2.0,
    "settle_s": 1.0,
    "look_up_every_s": 0.5,
    "patience_s": 60.0,
}
CELERY = "once_delivery.config.celery"


@dataclass(frozen=True, slots=True)
class House:
    """A running house; ``base_url`` without a slash at its end."""

    base_url: str
    project: Project
    token: str

    def target_in_sandbox(self, place: SandboxPlace, guard: Guard = Guard.LOOKUP) -> Target:
        """The space as a target that the house reaches through the proxy."""
        ready = ready_profile("sandbox", guard)
        return save_target(
            project=self.project,
            name=place.name,
            kind="rest",
            base_url=place.base_url,
            declaration=ready.declaration,
            profile={**ready.profile, **TIMES},
            credentials={"token": place.token},
            allow_inside=True,
            is_test=True,
        )

    def target_on_wordpress(self, place: WordPressPlace) -> Target:
        """The site as it comes, without a plugin of ours."""
        return save_target(
            project=self.project,
            name=place.name,
            kind="wordpress",
            base_url=place.proxy.base_url,
            declaration={"plugin": False},
            profile={**default_numbers("wordpress", Guard.LOOKUP), **TIMES},
            credentials=place.credentials,
            allow_inside=True,
            is_test=True,
        )

    def target_by_permit(self, name: str, guard: Guard = Guard.LOOKUP) -> Target:
        """One that the house cannot reach: what is there it hears from n8n alone."""
        return save_target(
            project=self.project,
            name=name,
            kind="permit",
            base_url="",
            declaration={},
            profile={**default_numbers("permit", guard), **TIMES},
            is_test=True,
        )


def default_numbers(kind: str, guard: Guard) -> Mapping[str, Any]:
    return default_profiles(kind)[guard].numbers


@contextlib.contextmanager
def running_house(base_url: str, folder: Path) -> Iterator[House]:
    """The house behind ``base_url`` gets its worker and its beat. Needs a database that other processes see."""
    project = a_project("aurora")
    admin = a_user("admin")
    Membership.objects.create(project=project, user=admin, role=Role.ADMIN)
    _, secret = make_token(project=project, name="n8n", role=Role.OPS_OWNER, days=1, user=admin)
    with (
        worker(folder / "worker.log", module=CELERY, children=2, ONCE_WEBHOOKS_INSIDE="1"),
        _beat(folder),
        sending_to(app, PGMQ),
    ):
        yield House(base_url.replace("localhost", "127.0.0.1"), project, secret)


@contextlib.contextmanager
def _beat(folder: Path) -> Iterator[None]:
    command = [sys.executable, "-m", "celery", "--quiet", "-A", CELERY, "beat", "--pidfile", ""]
    state = {"ONCE_STATE_DIR": str(folder)}
    with (folder / "beat.log").open("wb") as output:
        process = subprocess.Popen(command, env=environment(PGMQ, **state), stdout=output, stderr=output)
        try:
            yield
        finally:
            process.kill()
            process.wait()
