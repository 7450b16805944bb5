"""Run the acceptance drill on ONCE itself: every guard, one recovery and two at once (DESIGN section 8a)."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import connection
from django.utils import timezone

from once_delivery.accounts.models import Project, User
from once_delivery.drill.models import Drill, DrillStatus
from once_delivery.drill.products import three_products
from once_delivery.drill.rounds import run_round
from once_delivery.drill.scenario import ProductName, items
from once_delivery.drill.setting_up import make_batch, make_target
from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.targets.profile import Guard

GUARDS = (Guard.IDEMPOTENCY_KEY, Guard.CLIENT_ID, Guard.LOOKUP, Guard.NONE)
# for the names of targets, batches and purposes
SHORT = {Guard.IDEMPOTENCY_KEY: "key", Guard.CLIENT_ID: "id", Guard.LOOKUP: "look", Guard.NONE: "none"}
Tell = Callable[[str], None]


def run_drill(
    *,
    project: Project,
    admin: SandboxAdmin,
    locales: Sequence[str] = ("en-US",),
    guards: Sequence[Guard] = GUARDS,
    user: User | None = None,
    tell: Tell = lambda _: None,
) -> Drill:
    """Afterwards the drill has its report, and its status is the verdict read from the target's inventory.

    Raises ProductsMissingError, or DrillBrokenError when the drill itself went wrong (kept as "broken").
    """
    products = three_products(project)
    drill = Drill.objects.create(project=project, started_by=user)
    rounds: list[dict[str, Any]] = []
    try:
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(max_workers=len(guards)) as pool:
            jobs = [
                pool.submit(
                    _one_guard, _Plan(drill, admin, products, locales, user, Path(folder), tell), guard
                )
                for guard in guards
            ]
            for job in jobs:
                rounds += job.result()
        drill.status = DrillStatus.PASSED if all(one["passed"] for one in rounds) else DrillStatus.FAILED
    except BaseException:
        drill.status = DrillStatus.BROKEN
        raise
    finally:
        drill.finished_at = timezone.now()
        drill.report = {"target": admin.base_url, "locales": list(locales), "rounds": rounds}
        drill.save()
    return drill


@dataclass(frozen=True, slots=True)
class _Plan:
    """What every guard of one drill shares."""

    drill: Drill
    admin: SandboxAdmin
    products: Sequence[ProductName]
    locales: Sequence[str]
    user: User | None
    folder: Path
    tell: Tell


def _one_guard(plan: _Plan, guard: Guard) -> list[dict[str, Any]]:
    """Both rounds of one guard, in a thread of its own."""
    name = f"drill-{plan.drill.uuid.hex[:6]}-{SHORT[guard]}"
    project = plan.drill.project
    try:
        target, judge = make_target(project=project, admin=plan.admin, guard=guard, name=name)
        done = []
        for recoveries in (1, 2):
            prepared = make_batch(
                project=project,
                target=target,
                judge=judge,
                items=items(plan.products, plan.locales),
                name=f"{name}-{recoveries}",
                user=plan.user,
            )
            done.append(run_round(prepared=prepared, guard=guard, recoveries=recoveries, folder=plan.folder))
            plan.tell(f"{guard} {recoveries}")
        return done
    finally:
        connection.close()
