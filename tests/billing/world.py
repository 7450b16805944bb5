"""A project with accounts, and entries as they are posted; for tests that need no deliveries."""

from __future__ import annotations

import sys
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection

from billing.entry import NewEntry
from billing.models import Bearer, Cause, CostEntry, EntryKind, Grade, SubBucket
from billing.services.open_books import open_books
from billing.services.post_entries import post_entries
from once_delivery.accounts.models import Membership, Project, Role, User
from tests.builders import a_project, a_user

SEPTEMBER, OCTOBER, NOVEMBER = date(2026, 9, 1), date(2026, 10, 1), date(2026, 11, 1)


def a_project_with_books(code: str = "aurora", **books: Any) -> Project:
    made = a_project(code)
    open_books(project=made, since=SEPTEMBER, **books)
    return made


def a_keeper(project: Project, name: str = "finance") -> User:
    user = a_user(name)
    Membership.objects.get_or_create(project=project, user=user, defaults={"role": Role.FINANCE})
    return user


def a_cost(project: Project, amount: str | None = "4.00", **changes: Any) -> NewEntry:
    values: dict[str, Any] = {
        "project_id": project.pk,
        "incurred_on": date(2026, 9, 14),
        "kind": EntryKind.CHARGE,
        "sub_bucket": SubBucket.GENERATION,
        "cause": Cause.NORMAL,
        "bearer": Bearer.CLIENT,
        "grade": Grade.INVOICE,
        "amount": None if amount is None else Decimal(amount),
        **changes,
    }
    return NewEntry(**values)


def posted(project: Project, amount: str = "4.00", **changes: Any) -> CostEntry:
    return post_entries(entries=[a_cost(project, amount, **changes)], actor="finance").entries().get()


def close(project: Project, month: date) -> None:
    """By SQL alone, without the gates of close_period."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE billing_period SET status = 'hold' WHERE project_id = %s AND month = %s",
            [project.pk, month],
        )
        cursor.execute(
            "UPDATE billing_period SET status = 'closed', closed_at = now(), closed_by_id = %s, certificate_hash = 'x'"
            " WHERE project_id = %s AND month = %s",
            [project.default_owner_id, project.pk, month],
        )


def it_is(monkeypatch: pytest.MonkeyPatch, moment: datetime) -> None:
    """From now on, for all of accounting that asks the database what time it is."""
    for name, module in list(sys.modules.items()):
        if name.startswith("billing.") and hasattr(module, "database_now"):
            monkeypatch.setattr(module, "database_now", lambda: moment)


def by(project: Project, *names: str, **where: Any) -> dict[Any, Decimal]:
    """Sums of the ledger by one column or several; what sums to nothing is left out."""
    from django.db.models import Sum

    rows = (
        CostEntry.objects.filter(project=project, **where).values_list(*names).annotate(total=Sum("amount"))
    )
    return {(row[0] if len(names) == 1 else row[:-1]): row[-1] for row in rows.order_by(*names) if row[-1]}
