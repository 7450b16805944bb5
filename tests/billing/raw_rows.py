"""Rows by raw SQL, past every service: what is refused then is refused by PostgreSQL."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, connection
from psycopg.sql import SQL, Composed, Identifier, Placeholder

from billing.models import Supplier, SupplierDocument
from once_delivery.accounts.models import Project
from once_delivery.review.models import Asset
from tests.billing.deliveries import accepted, at, delivered, tasks_of
from tests.billing.world import SEPTEMBER

NOBODY = "7c9e6679-7425-40de-944b-e07fc1f90ae7"


def sql(statement: str | Composed, *said: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, said)
        return cursor.fetchall() if cursor.description else []


def inserted(table: str, **columns: object) -> int:
    statement = SQL("INSERT INTO {} ({}) VALUES ({}) RETURNING id").format(
        Identifier(table),
        SQL(", ").join(map(Identifier, columns)),
        SQL(", ").join([Placeholder()] * len(columns)),
    )
    return int(sql(statement, *columns.values())[0][0])


def a_row(project: Project, **changes: object) -> int:
    given: dict[str, Any] = {
        "project_id": project.pk,
        "seq": 0,
        "posted_period": SEPTEMBER,
        "origin_period": SEPTEMBER,
        "incurred_on": date(2026, 9, 14),
        "correction": False,
        "kind": "charge",
        "bucket": "T",
        "sub_bucket": "generation",
        "cause": "normal",
        "bearer": "client",
        "amount": "4.00",
        "native_amount": "4.00",
        "native_currency": "CNY",
        "fx_source": "",
        "tax_treatment": "none",
        "tax_memo": "0",
        "grade": "A",
        "source_key": "",
        "description": "",
        "details": "{}",
        "actor": "sql",
        "created_at": at(1),
        "prev_hash": "",
        "hash": "",
    }
    return inserted("billing_costentry", **given | changes)


def a_unit(asset: Asset, sign: int, reason: str, **changes: object) -> int:
    given: dict[str, Any] = {
        "project_id": asset.project_id,
        "seq": 0,
        "sign": sign,
        "reason": reason,
        "asset_id": asset.pk,
        "posted_period": SEPTEMBER,
        "origin_period": SEPTEMBER,
        "correction": False,
        "source_key": "",
        "evidence": "{}",
        "actor": "sql",
        "created_at": at(1),
        "prev_hash": "",
        "hash": "",
    }
    return inserted("billing_unitentry", **given | changes)


def an_asset(project: Project, product: str = "kettle") -> Asset:
    (task,) = tasks_of(project, (product, 1))
    delivered(task, at(3))
    return accepted(task, at(8))


def a_document(project: Project | None, total: str, **changes: Any) -> SupplierDocument:
    supplier, _ = Supplier.objects.get_or_create(project=project, code="fal", defaults={"name": "fal"})
    values: dict[str, Any] = {
        "kind": "invoice",
        "number": "INV-1",
        "dated": date(2026, 9, 30),
        "period": SEPTEMBER,
        "currency": "CNY",
        "total": Decimal(total),
        "functional_total": Decimal(total),
        "file_name": "bill.csv",
        "file_sha256": "0" * 64,
        "raw": b"",
        **changes,
    }
    return SupplierDocument.objects.create(project=project, supplier=supplier, **values)


def refused(rule: str) -> Any:
    """Everything inside the block is undone; what is checked at a commit is checked at its end."""
    return pytest.raises(IntegrityError, match=rule)


def commit() -> None:
    sql("SET CONSTRAINTS ALL IMMEDIATE")
    sql("SET CONSTRAINTS ALL DEFERRED")
