"""A project with accounts, a supplier, rates, and attempts that told what they used."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from billing.models import DocumentKind, FxRate, LineMatch, Supplier, SupplierDocument
from billing.services.import_document import import_document
from billing.suppliers.incoming import Imported, Incoming
from once_delivery.accounts.models import Project
from once_delivery.common.errors import InvalidInputError
from once_delivery.ledger.models import Action, Attempt, Receipt, Run, RunKind, UsageReport
from tests.billing.suppliers.files import a_file
from tests.billing.world import a_project_with_books
from tests.builders import a_batch, a_delivery, a_target

RATE = Decimal("7.1234")
DATED = date(2026, 9, 30)


def a_world(code: str = "aurora", *, rate: Decimal | None = RATE) -> tuple[Project, Supplier]:
    project = a_project_with_books(code)
    if rate is not None:
        a_rate(project, DATED, rate)
    return project, Supplier.objects.create(project=project, code="fal", name="fal")


def a_rate(project: Project, day: date, rate: Decimal, currency: str = "USD", into: str = "CNY") -> FxRate:
    return FxRate.objects.create(
        project=project, currency=currency, into=into, day=day, rate=rate, source="central bank"
    )


def actions_for(project: Project, count: int) -> list[Action]:
    a_target(project)
    a_batch(project, *(a_delivery(f"product-{number}") for number in range(count)))
    return list(Action.objects.filter(project=project).order_by("pk"))


def an_attempt(
    action: Action, moment: datetime, usage: Mapping[str, Any] | None = None, **receipt: Any
) -> Attempt:
    """One send that was answered at ``moment``; ``usage`` is what the answer told."""
    run = Run.objects.create(project=action.project, kind=RunKind.WORKER, process="test")
    attempt = Attempt.objects.create(
        project=action.project,
        action=action,
        run=run,
        number=action.attempts.count() + 1,
        replay=False,
        key_generation=1,
        sender="test",
        intended_at=moment - timedelta(seconds=5),
        lease_until=moment + timedelta(seconds=30),
    )
    Receipt.objects.create(
        project=action.project,
        attempt=attempt,
        action=action,
        outcome="done",
        code="test",
        usage=dict(usage or {}),
        received_at=moment,
        **receipt,
    )
    return attempt


def used(request_id: str = "", **changes: Any) -> dict[str, Any]:
    return {
        "provider": "fal",
        "request_id": request_id,
        "job_id": "",
        "units": "1",
        "unit": "image",
        "amount": None,
        "currency": None,
        "model": "flux",
    } | changes


def told_later(attempt: Attempt, moment: datetime, usage: Mapping[str, Any]) -> UsageReport:
    return UsageReport.objects.create(
        project=attempt.project,
        attempt=attempt,
        action=attempt.action,
        usage=dict(usage),
        fingerprint=str(UsageReport.objects.count()),
        reported_by="n8n",
        reported_at=moment,
    )


def incoming(supplier: Supplier, data: bytes, **said: Any) -> Incoming:
    values: dict[str, Any] = {
        "project": supplier.project,
        "supplier": supplier,
        "kind": DocumentKind.INVOICE,
        "number": "INV-1",
        "dated": DATED,
        "data": data,
        "file_name": "bill.csv",
    }
    return Incoming(**values | said)


def imported(supplier: Supplier, *lines: Mapping[str, Any], dry_run: bool = False, **said: Any) -> Imported:
    return import_document(incoming=incoming(supplier, a_file(*lines), **said), dry_run=dry_run)


def problems(
    supplier: Supplier, *lines: Mapping[str, Any], **said: Any
) -> list[tuple[str, int | None, str | None]]:
    """(code, row, column) of what an import is refused for."""
    try:
        imported(supplier, *lines, **said)
    except InvalidInputError as error:
        return [(problem.code, problem.row, problem.column) for problem in error.problems]
    return []


def statuses(number: str = "INV-1") -> list[str]:
    rows = LineMatch.objects.filter(line__document__number=number)
    return list(rows.order_by("line__document__supplement", "line__number").values_list("status", flat=True))


def entries_sum(document: SupplierDocument) -> Decimal:
    return sum((entry.amount for entry in document.entries.all()), Decimal(0))
