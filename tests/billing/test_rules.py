from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from billing.models import Books, CostEntry, Period
from once_delivery.accounts.models import Project
from tests.builders import a_project

SEPTEMBER, OCTOBER = date(2026, 9, 1), date(2026, 10, 1)


@pytest.fixture
def project() -> Project:
    made = a_project()
    Books.objects.create(project=made)
    for month in (SEPTEMBER, OCTOBER):
        Period.objects.create(project=made, month=month)
    return made


def an_entry(project: Project, **changes: Any) -> CostEntry:
    given: dict[str, Any] = {
        "posted_period": SEPTEMBER,
        "origin_period": SEPTEMBER,
        "incurred_on": date(2026, 9, 14),
        "kind": "charge",
        "bucket": "T",
        "sub_bucket": "generation",
        "cause": "normal",
        "bearer": "client",
        "amount": Decimal("4.00"),
        "native_amount": Decimal("4.00"),
        "native_currency": "CNY",
        "grade": "A",
        "actor": "finance",
    }
    return CostEntry.objects.create(project=project, **given | changes)


@pytest.mark.django_db
def test_entries_form_one_chain(project: Project) -> None:
    first, second = an_entry(project), an_entry(project)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.seq, second.seq, first.prev_hash) == (1, 2, "")
    assert second.prev_hash == first.hash != ""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM billing_costentry e WHERE hash = billing_hash(prev_hash, billing_said(e))"
        )
        assert cursor.fetchone() == (2,)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "changed",
    ["UPDATE billing_costentry SET amount = 5", "DELETE FROM billing_costentry"],
    ids=["update", "delete"],
)
def test_what_is_posted_stays(project: Project, changed: str) -> None:
    an_entry(project)
    with pytest.raises(IntegrityError, match="append_only"), connection.cursor() as cursor:
        cursor.execute(changed)


@pytest.mark.django_db
def test_a_reversal_is_whole_and_never_reversed(project: Project) -> None:
    original = an_entry(project)
    with pytest.raises(IntegrityError, match="reversal_is_whole"), transaction.atomic():
        an_entry(project, kind="reversal", reverses=original, amount=Decimal("-3.99"))
    back = an_entry(project, kind="reversal", reverses=original, amount=Decimal("-4.00"))
    with pytest.raises(IntegrityError, match="not_reversible"), transaction.atomic():
        an_entry(project, kind="reversal", reverses=back, amount=Decimal("4.00"))
    with pytest.raises(IntegrityError, match="cost_entry_reversed_once"), transaction.atomic():
        an_entry(project, kind="reversal", reverses=original, amount=Decimal("-4.00"))
