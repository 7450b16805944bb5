"""The demo as a newcomer finds it, with real drafts in the sandbox CMS; what goes wrong goes wrong there."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from once_delivery.accounts.models import Project, User
from once_delivery.drill.judge import SandboxJudge
from once_delivery.drill.setting_up import make_target
from once_delivery.intake.services.seed_demo import seed_demo
from once_delivery.ledger import tasks
from once_delivery.ledger.models import Action, Batch
from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.targets.models import Target
from once_delivery.targets.profile import Guard
from reconciliation.models import Case
from reconciliation.services.open_cases import open_cases
from tests.builders import a_batch, a_delivery, a_draft

SECONDS = 40


@dataclass(frozen=True)
class Demo:
    """One project with its people; ``passwords`` by name."""

    project: Project
    passwords: dict[str, str]
    admin: SandboxAdmin
    name: str  # of this test's spaces

    def person(self, name: str) -> User:
        return User.objects.get(username=name)

    def target(self, guard: Guard, *, name: str = "") -> tuple[Target, SandboxJudge]:
        """A space of the sandbox with this protection; ``name`` where people read it."""
        target, judge = make_target(
            project=self.project,
            admin=self.admin,
            guard=guard,
            name=name or f"{self.name}-{guard.value}",
        )
        Target.objects.filter(pk=target.pk).update(of_drill=False)  # what goes there is content
        assert isinstance(judge, SandboxJudge)
        return target, judge

    def batch(self, target: Target, *titles: str, name: str = "autumn-launch") -> Batch:
        """A draft a title, of products that are named by their place."""
        deliveries = [
            a_delivery(
                f"product-{place}",
                "de-DE",
                product_name=title,
                purpose=f"{name}-page",
                actions=(
                    a_draft(title=title, target=target.name, locale="de-DE", product=f"product-{place}"),
                ),
            )
            for place, title in enumerate(titles, start=1)
        ]
        return a_batch(self.project, *deliveries, name=name)

    def case(self, batch: Batch, place: int = 0) -> Case:
        """The case of one of its actions, opened as the beat does it."""
        open_cases()
        return Case.objects.get(action=actions(batch)[place])


def a_demo(admin: SandboxAdmin, name: str) -> Demo:
    seeded = seed_demo()
    passwords = {one.username: one.password or "" for one in seeded.accounts}
    return Demo(seeded.project, passwords, admin, name)


def actions(batch: Batch) -> list[Action]:
    return list(Action.objects.filter(task__references__batch=batch).order_by("pk"))


def work(batch: Batch, *states: str) -> None:
    """A worker takes the batch up; until its actions stand in these states."""
    tasks.resume_batch.delay(batch.pk)
    wait_for_states(batch, states)


def wait_for_states(batch: Batch, states: Sequence[str]) -> None:
    """Sweep as the beat does until the actions stand there."""
    until = time.monotonic() + SECONDS
    while (now := [action.state for action in actions(batch)]) != list(states):
        assert time.monotonic() < until, f"{now} instead of {list(states)}"
        tasks.sweep.delay()
        time.sleep(0.5)
