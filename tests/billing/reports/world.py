"""The worked example of ACCOUNTING section 12, September and October, posted entry by entry."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import time_machine

from billing.entry import NewEntry
from billing.models import (
    Bearer,
    Books,
    Cause,
    CostEntry,
    EntryKind,
    Grade,
    Period,
    SubBucket,
    UnitEntry,
)
from billing.services.post_entries import post_entries
from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Action, Attempt, Batch, Run, RunKind, Task
from once_delivery.review.models import Asset, Draft, Review
from tests.builders import a_batch, a_delivery, a_project, a_target, a_user

SEPTEMBER, OCTOBER = date(2026, 9, 1), date(2026, 10, 1)
DAY = datetime(2026, 9, 10, 8, tzinfo=UTC)
# task → product and input version; T6 is the version that superseded T5
TASKS = {
    "T1": ("kettle", 1),
    "T2": ("pot", 1),
    "T3": ("urn", 1),
    "T4": ("kettle-2", 1),
    "T5": ("jug", 1),
    "T6": ("jug", 2),
    "T7": ("mug", 1),
}
ATTEMPTS = {"T1": 1, "T2": 2, "T3": 2, "T4": 1, "T5": 1, "T6": 1, "T7": 1}
PLATFORM = {t: "58.83" if t == "T1" else "117.65" if t in {"T2", "T3"} else "58.82" for t in TASKS}
# attempt of a task → generation, storage, cause, bearer
LINES = {
    ("T1", 1): ("28.50", "2.67", Cause.NORMAL, Bearer.CLIENT),
    ("T2", 1): ("28.50", "2.67", Cause.NORMAL, Bearer.CLIENT),
    ("T2", 2): ("28.50", "2.66", Cause.VENDOR_FAULT, Bearer.VENDOR),
    ("T3", 1): ("28.49", "2.67", Cause.PLATFORM_RETRY, Bearer.VENDOR),
    ("T3", 2): ("28.49", "2.66", Cause.NORMAL, Bearer.CLIENT),
    ("T4", 1): ("28.49", "2.67", Cause.CLIENT_DUPLICATE, Bearer.CLIENT),
    ("T5", 1): ("46.30", "2.67", Cause.CLIENT_CHANGE, Bearer.CLIENT),
    ("T6", 1): ("46.30", "2.67", Cause.NORMAL, Bearer.CLIENT),
    ("T7", 1): ("28.49", "2.67", Cause.CLIENT_CANCEL, Bearer.CLIENT),
}


@dataclass(slots=True)
class Books2026:
    """The project with its tasks by their names, and attempts by task and number."""

    project: Project
    tasks: dict[str, Task] = field(default_factory=dict)
    attempts: dict[tuple[str, int], Attempt] = field(default_factory=dict)
    assets: dict[str, Asset] = field(default_factory=dict)


def accounts(code: str = "aurora") -> Project:
    project = a_project(code)
    Books.objects.create(project=project)
    Period.objects.bulk_create([Period(project=project, month=month) for month in (SEPTEMBER, OCTOBER)])
    a_target(project)
    return project


def make_tasks(project: Project, names: dict[str, tuple[str, int]], **changes: Any) -> dict[str, Task]:
    """Requested on 10 September, the second versions a day later."""
    for version in sorted({version for _, version in names.values()}):
        deliveries = [
            a_delivery(
                product,
                input_version=version,
                brief={"text": f"{product} {version}"},
                **changes,
            )
            for product, number in names.values()
            if number == version
        ]
        with time_machine.travel(DAY.replace(day=9 + version), tick=False):
            a_batch(project, *deliveries, name=f"autumn-{version}")
    return {
        name: Task.objects.get(project=project, product__code=product, input_version__number=version)
        for name, (product, version) in names.items()
    }


def attempt(task: Task, number: int, run: Run) -> Attempt:
    return Attempt.objects.create(
        project=task.project,
        action=Action.objects.get(task=task),
        run=run,
        number=number,
        replay=False,
        key_generation=1,
        sender="test",
        intended_at=DAY.replace(day=12, hour=number),
        lease_until=DAY.replace(day=12, hour=number + 1),
    )


def review(task: Task, verdict: str, *, day: int, month: int = 9) -> Review:
    at = datetime(2026, month, day, 8, tzinfo=UTC)
    action = Action.objects.get(task=task)
    draft, _ = Draft.objects.get_or_create(
        project=task.project, action=action, content={}, content_hash="0" * 64, first_read_at=DAY, read_at=DAY
    )
    return Review.objects.create(
        project=task.project, task=task, draft=draft, verdict=verdict, user=a_user("lead"), at=at
    )


def accept(task: Task, *, day: int, month: int = 9) -> Asset:
    """The asset and its unit."""
    said = review(task, "accepted", day=day, month=month)
    asset = Asset.objects.create(
        project=task.project,
        task=task,
        action=said.draft.action,
        review=said,
        draft=said.draft,
        accepted_at=said.at,
    )
    count(asset, "accepted", date(2026, month, 1))
    return asset


def count(asset: Asset, reason: str, posted: date, origin: date | None = None, **more: Any) -> UnitEntry:
    return UnitEntry.objects.create(
        project=asset.project,
        sign=-1 if reason in {"duplicate_found", "acceptance_revoked"} else 1,
        reason=reason,
        asset=asset,
        posted_period=posted,
        origin_period=origin or posted,
        actor="test",
        **more,
    )


def entry(project: Project, amount: str, **changes: Any) -> NewEntry:
    given: dict[str, Any] = {
        "project_id": project.pk,
        "incurred_on": date(2026, 9, 14),
        "kind": EntryKind.CHARGE,
        "sub_bucket": SubBucket.GENERATION,
        "cause": Cause.NORMAL,
        "bearer": Bearer.CLIENT,
        "grade": Grade.INVOICE,
        "amount": Decimal(amount),
    }
    return NewEntry(**given | changes)


def post(*entries: NewEntry) -> list[CostEntry]:
    return list(post_entries(entries=entries, actor="finance").entries())


def september() -> Books2026:
    """The month as section 12 has it, still open."""
    world = Books2026(accounts())
    world.tasks = make_tasks(world.project, TASKS)
    run = Run.objects.create(project=world.project, kind=RunKind.WORKER, process="test")
    world.attempts = {
        (name, number): attempt(world.tasks[name], number, run)
        for name, count_ in ATTEMPTS.items()
        for number in range(1, count_ + 1)
    }
    post(*_costs(world))
    review(world.tasks["T2"], "changes", day=13)
    for day, name in enumerate(("T1", "T2", "T3", "T4", "T6"), start=15):
        world.assets[name] = accept(world.tasks[name], day=day)
    review(world.tasks["T7"], "rejected", day=20)
    count(world.assets["T4"], "duplicate_found", SEPTEMBER, survivor=world.assets["T1"])
    return world


def october(world: Books2026) -> None:
    """After September was closed."""
    close(world.project, SEPTEMBER)
    later = {f"N{number}": (f"new-{number}", 1) for number in range(3)}
    made = {name: (product, 1) for name, (product, _) in later.items()}
    with time_machine.travel(datetime(2026, 10, 5, tzinfo=UTC), tick=False):
        a_batch(world.project, *(a_delivery(product) for product, _ in made.values()), name="winter")
    for name, (product, _) in made.items():
        world.tasks[name] = Task.objects.get(project=world.project, product__code=product)
    post(
        *(
            entry(world.project, "275.00", task_id=world.tasks[name].pk, incurred_on=date(2026, 10, 6))
            for name in made
        ),
        entry(
            world.project,
            "-28.49",
            kind=EntryKind.SUPPLIER_CREDIT,
            cause=Cause.PROVIDER_DOUBLE_BILL,
            bearer=Bearer.PROVIDER,
        ),
    )
    for name in made:
        world.assets[name] = accept(world.tasks[name], day=20, month=10)
    count(world.assets["T3"], "duplicate_found", OCTOBER, SEPTEMBER, survivor=world.assets["T2"])


def close(project: Project, month: date) -> None:
    period = Period.objects.get(project=project, month=month)
    period.status = "hold"
    period.save()
    period.status, period.closed_at, period.closed_by = "closed", DAY, a_user("finance")
    period.certificate_hash = "0" * 64
    period.save()


def the_batch(project: Project) -> Batch:
    return Batch.objects.filter(project=project).order_by("pk")[0]


def _costs(world: Books2026) -> list[NewEntry]:
    project, made = world.project, []
    for name, task in world.tasks.items():
        made.append(entry(project, PLATFORM[name], task_id=task.pk, sub_bucket=SubBucket.PLATFORM))
    for (name, number), (generation, storage, cause, bearer) in LINES.items():
        where = {
            "task_id": world.tasks[name].pk,
            "attempt_id": world.attempts[name, number].pk,
            "cause": cause,
            "bearer": bearer,
        }
        made += [
            entry(project, generation, **where),
            entry(project, storage, sub_bucket=SubBucket.STORAGE, **where),
            entry(project, "1.50", sub_bucket=SubBucket.ORCHESTRATION, grade=Grade.PRICED, **where),
        ]
    made.append(
        entry(project, "28.49", cause=Cause.PROVIDER_DOUBLE_BILL, bearer=Bearer.PROVIDER, description="x1")
    )
    work = {"kind": EntryKind.LABOUR, "sub_bucket": SubBucket.RECOVERY, "grade": Grade.ESTIMATE}
    made += [
        entry(
            project,
            "60.00",
            task_id=world.tasks["T3"].pk,
            cause=Cause.PLATFORM_RETRY,
            bearer=Bearer.VENDOR,
            **work,
        ),
        entry(project, "30.00", task_id=world.tasks["T4"].pk, cause=Cause.CLIENT_DUPLICATE, **work),
    ]
    return made
