"""What pages add up of lines is what was posted: with tax that cannot be recovered, credits, another currency."""

from __future__ import annotations

from decimal import Decimal

import pytest

from billing.models import DocumentKind, LineMatch, SupplierDocument, Tax
from billing.selectors.queue import waiting_lines, waiting_sum
from billing.selectors.suppliers import control_of
from tests.billing.suppliers.files import one
from tests.billing.suppliers.world import a_world, entries_sum, imported

pytestmark = pytest.mark.django_db
TAXED = {"tax": "0.24", "tax_treatment": "non_recoverable"}


@pytest.mark.parametrize("currency", ["CNY", "USD"])
@pytest.mark.parametrize("credit_note", [False, True])
def test_lines_sum_to_their_document_and_to_what_is_posted(currency: str, credit_note: bool) -> None:
    _, supplier = a_world()
    lines = [
        one(currency=currency, **TAXED),
        one(currency=currency, request_id="r-2", amount="6.51", tax="0.39", tax_treatment="recoverable"),
        one(currency=currency, request_id="", amount="0.01"),
    ]
    tried = imported(supplier, *lines, dry_run=True, kind=_kind(credit_note))
    imported(supplier, *lines, kind=_kind(credit_note))
    document = SupplierDocument.objects.get()
    kept = list(document.lines.all())
    assert sum(line.cost for line in kept) == document.functional_total == entries_sum(document)
    assert sum(line.native_cost for line in kept) == document.total
    assert sum(line.amount for line in tried.lines) == tried.functional_total == document.functional_total
    assert sum(line.native for line in tried.lines) == tried.total == document.total
    control = control_of(document)
    assert sum(amount for _, amount in control.by_status.values()) == control.total == control.posted


def test_what_waits_is_summed_with_the_tax_that_was_posted_for_it() -> None:
    project, supplier = a_world()
    imported(supplier, one(**TAXED), one(request_id="r-2", tax="0.24", tax_treatment=Tax.RECOVERABLE))
    waiting = list(waiting_lines(project))
    assert len(waiting) == 2
    posted = entries_sum(SupplierDocument.objects.get())
    assert waiting_sum(project) == (2, posted)
    assert sum(match.line.cost for match in waiting) == posted
    LineMatch.objects.filter(pk=waiting[0].pk).update(answered_at="2026-10-01T00:00Z")
    assert waiting_sum(project) == (1, waiting[1].line.cost)
    assert waiting[0].line.tax_in_it == Decimal("1.71")


def _kind(credit_note: bool) -> DocumentKind:
    return DocumentKind.CREDIT_NOTE if credit_note else DocumentKind.INVOICE
