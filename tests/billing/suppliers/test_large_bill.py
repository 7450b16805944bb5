"""A bill of thousands of lines: the same number of statements as a short one, and exact to the minor unit."""

from __future__ import annotations

import csv
import io
from collections import Counter
from decimal import Decimal

import pytest
from django.db import connection
from django.db.models import Sum
from django.test.utils import CaptureQueriesContext

from billing.models import CostEntry, DocumentKind, EntryKind, Supplier, SupplierLine
from billing.services.import_document import import_document
from billing.suppliers.incoming import Imported
from billing.suppliers.matching import Matcher, Sought
from billing.suppliers.uses import Used
from tests.billing.deliveries import at
from tests.billing.suppliers.files import a_file
from tests.billing.suppliers.large import a_large_bill, a_large_world
from tests.billing.suppliers.world import RATE, entries_sum, incoming, statuses

pytestmark = pytest.mark.django_db
CHUNK = 5000  # entries that post_entries writes at once: one look for what was posted, and one COPY


def imported_in(fal: Supplier, data: bytes, *, dry_run: bool = False, **said: object) -> tuple[Imported, int]:
    """What came of it, and in how many statements."""
    with CaptureQueriesContext(connection) as caught:
        done = import_document(incoming=incoming(fal, data, **said), dry_run=dry_run)
    return done, len(caught)


@pytest.mark.parametrize("lines", [2_000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_statements_do_not_grow_with_lines_and_totals_are_exact(lines: int) -> None:
    _, fal = a_large_world(lines // 2)
    short, _ = a_large_bill(100)
    _, few = imported_in(fal, short, dry_run=True)
    data, total = a_large_bill(lines)
    tried, in_preview = imported_in(fal, data, dry_run=True)
    assert in_preview <= few + 2 * (lines // CHUNK)
    assert not SupplierLine.objects.exists()

    done, in_import = imported_in(fal, data)
    again, in_second = imported_in(fal, data)

    assert in_import <= few + 2 * (lines // CHUNK)
    assert in_second < few
    assert (done.added, again.added, again.known) == (lines, 0, lines)
    assert (tried.total, tried.functional_total) == (done.total, done.functional_total)
    assert done.total == total
    assert done.document is not None
    wanted = (total * RATE).quantize(Decimal("0.01"), rounding="ROUND_HALF_UP")
    assert entries_sum(done.document) == done.functional_total == wanted
    assert Counter(statuses()) == {"matched": lines // 2, "orphan": lines // 2}
    assert sum((amount for _, amount in done.sums.values()), Decimal(0)) == wanted
    assert CostEntry.objects.filter(document=done.document, attempt__isnull=False).count() == lines // 2


def test_a_long_credit_note_asks_no_more_than_a_short_one() -> None:
    _, fal = a_large_world(300)
    bill, total = a_large_bill(600)
    imported_in(fal, bill)
    rows = list(csv.DictReader(io.StringIO(bill.decode())))

    def back(some: list[dict[str, str]], number: str) -> tuple[Imported, int]:
        data = a_file(*(row | {"amount": f"-{row['amount']}"} for row in some))
        return imported_in(fal, data, kind=DocumentKind.CREDIT_NOTE, number=number, credits_number="INV-1")

    _, few = back(rows[:10], "CN-1")
    rest, many = back(rows[10:], "CN-2")

    assert many == few
    assert rest.total == sum(Decimal(row["amount"]) for row in rows[:10]) - total
    assert statuses("CN-2") == ["matched"] * 590
    assert rest.document is not None
    assert entries_sum(rest.document) == rest.functional_total
    left = CostEntry.objects.exclude(kind=EntryKind.FX_DIFF).values_list(
        "supplier_line__request_id", "attempt"
    )
    assert set(left.annotate(left=Sum("amount")).values_list("left", flat=True)) == {Decimal(0)}


class Counted(Used):
    """A use that counts how often it is looked at."""

    looks = 0

    def __getattribute__(self, name: str) -> object:
        if name == "used_at":
            Counted.looks += 1
        return super().__getattribute__(name)


def test_a_line_without_a_name_is_not_held_against_every_use() -> None:
    """Thousands of lines of one kind beside thousands of uses of that kind: each looks at some of them."""
    many = 3_000
    uses = [
        Counted(
            attempt_id=number,
            task_id=number,
            usage_id=number,
            day=at(14).date(),
            used_at=at(14),
            provider="fal",
            model="flux",
            units=Decimal(1),
            unit="image",
            request_id=f"r-{number}",
        )
        for number in range(many)
    ]
    one = Matcher(provider="fal", quantum=Decimal("0.01"), used=uses, billed=set())
    Counted.looks = 0
    said = {"day": at(14).date(), "amount": Decimal(4), "sub_bucket": "generation", "used_at": at(14, 9)}
    for number in range(many):
        line = Sought(number=number, model="flux", units=Decimal(1), dated=True, **said)  # type: ignore[arg-type]
        assert len(one.match(line).candidates) == 20
    assert Counted.looks < 100 * many
