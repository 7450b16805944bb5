"""Bills of thousands of lines, and the attempts of half of them, written in bulk."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from billing.models import Supplier
from billing.services.pull_usage import pull_usage
from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Action, Attempt, Receipt, Run, RunKind
from tests.billing.deliveries import at
from tests.billing.suppliers.files import a_file, one
from tests.billing.suppliers.world import a_world, actions_for, used

ACTIONS = 50  # that the attempts belong to; the bill does not care how many
PRICES = ("4.00", "0.013", "6.505")


def a_large_world(attempts: int, *, code: str = "aurora") -> tuple[Project, Supplier]:
    """A project with so many attempts that told their requests, r-0 on."""
    project, fal = a_world(code)
    many_attempts(actions_for(project, min(ACTIONS, attempts)), attempts)
    pull_usage(project=project, actor="test")
    return project, fal


def many_attempts(actions: list[Action], count: int) -> None:
    """One every second from the fourteenth on, the first named r-0."""
    project = actions[0].project
    run = Run.objects.create(project=project, kind=RunKind.WORKER, process="test")
    made = [_attempt(actions[number % len(actions)], run, number, len(actions)) for number in range(count)]
    Attempt.objects.bulk_create(made, batch_size=2000)
    Receipt.objects.bulk_create(
        [
            Receipt(
                project=project,
                attempt=one,
                action_id=one.action_id,
                outcome="done",
                code="test",
                usage=used(f"r-{number}"),
                received_at=moment_of(number),
            )
            for number, one in enumerate(made)
        ],
        batch_size=2000,
    )


def moment_of(number: int) -> datetime:
    """When the request of that number was answered."""
    return at(14) + timedelta(seconds=number)


def _attempt(action: Action, run: Run, number: int, actions: int) -> Attempt:
    moment = moment_of(number)
    return Attempt(
        project=action.project,
        action=action,
        run=run,
        number=number // actions + 1,
        replay=False,
        key_generation=1,
        sender="test",
        intended_at=moment - timedelta(seconds=5),
        lease_until=moment + timedelta(seconds=30),
    )


def a_large_bill(lines: int) -> tuple[bytes, Decimal]:
    """Every second line names a request that was made, the others one that nobody knows; and what they sum to."""
    rows: list[dict[str, Any]] = []
    for number in range(lines):
        known = number % 2 == 0
        rows.append(
            dict(
                one(
                    request_id=f"r-{number // 2}" if known else f"nobodys-{number}",
                    used_at=moment_of(number // 2).isoformat(),
                    amount=PRICES[number % len(PRICES)],
                )
            )
        )
    return a_file(*rows), sum((Decimal(row["amount"]) for row in rows), Decimal(0))
