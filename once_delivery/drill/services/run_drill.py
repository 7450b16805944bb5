"""Run the acceptance drill on ONCE itself: every guard, one recovery and two at once (DESIGN section 8a)."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import connection

from once_delivery.accounts.models import Project, User
from once_delivery.drill.models import Drill
from once_delivery.drill.notebook import Notebook
from once_delivery.drill.products import three_products
from once_delivery.drill.rounds import run_round
from once_delivery.drill.scenario import ProductName, items
from once_delivery.drill.setting_up import hand_back, make_batch, make_target
from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.targets.profile import Guard

RECOVERIES = (1, 2)
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
    asked: Drill | None = None,
) -> Drill:
    """Afterwards the drill has its report, and its status is the verdict read from the target's inventory.

    ``asked``: the row of a drill that was asked for on a page. Its report grows round by round.
    Raises ProductsMissingError, or DrillBrokenError when the drill itself went wrong (kept as "broken").
    """
    products = three_products(project)
    drill = asked or Drill.objects.create(project=project, started_by=user)
    rounds: list[dict[str, Any]] = []
    notebook = Notebook(drill, target=admin.base_url, locales=locales, total=len(guards) * len(RECOVERIES))
    try:
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(max_workers=len(guards)) as pool:
            jobs = [
                pool.submit(
                    _one_guard,
                    _Plan(drill, admin, products, locales, user, Path(folder), tell, notebook),
                    guard,
                )
                for guard in guards
            ]
            for job in jobs:
                rounds += job.result()
        notebook.end(rounds)
    except BaseException as error:
        notebook.broken(rounds, error)
        raise
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
    notebook: Notebook


def _one_guard(plan: _Plan, guard: Guard) -> list[dict[str, Any]]:
    """Both rounds of one guard, in a thread of its own."""
    name = f"drill-{plan.drill.uuid.hex[:6]}-{SHORT[guard]}"
    project = plan.drill.project
    try:
        target, judge = make_target(project=project, admin=plan.admin, guard=guard, name=name, by_hand=True)
        done = []
        for recoveries in RECOVERIES:
            prepared = make_batch(
                project=project,
                target=target,
                judge=judge,
                items=items(plan.products, plan.locales),
                name=f"{name}-{recoveries}",
                user=plan.user,
            )
            done.append(run_round(prepared=prepared, guard=guard, recoveries=recoveries, folder=plan.folder))
            plan.notebook.note(done[-1])
            plan.tell(f"{guard} {recoveries}")
        hand_back(target)
        return done
    finally:
        connection.close()
