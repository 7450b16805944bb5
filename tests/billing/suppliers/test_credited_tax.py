"""A credit of what was billed with tax that cannot be recovered: in the line, alone, of the net amount, of a part."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest

from billing.models import CostEntry, DocumentKind, FxRate, SupplierDocument, SupplierLine, Tax
from billing.services.allocate import allocate
from billing.services.give_up_claim import ClaimSettledError, give_up_claim
from once_delivery.accounts.models import Project
from tests.billing.deliveries import at
from tests.billing.suppliers.files import one
from tests.billing.suppliers.world import (
    DATED,
    a_rate,
    a_world,
    actions_for,
    an_attempt,
    entries_sum,
    imported,
    problems,
    used,
)
from tests.billing.world import SEPTEMBER, a_keeper

pytestmark = pytest.mark.django_db
TAXED: dict[str, Any] = {"tax": "6.00", "tax_treatment": "non_recoverable"}


def a_line(amount: str = "100.00", **said: Any) -> dict[str, Any]:
    return dict(one(**{"amount": amount, "currency": "CNY", "tax": "", "tax_treatment": ""} | said))


def a_tax(tax: str = "6.00", **said: Any) -> dict[str, Any]:
    names = {"request_id": "", "units": "", "amount": "0", "tax": tax, "tax_treatment": "non_recoverable"}
    return a_line(**names | said)


def credit(supplier: Any, *lines: Mapping[str, Any], number: str = "CN-1", **said: Any) -> SupplierDocument:
    done = imported(supplier, *lines, kind=DocumentKind.CREDIT_NOTE, number=number, **said)
    assert done.document is not None
    assert entries_sum(done.document) == done.document.functional_total
    assert sum(line.cost for line in done.document.lines.all()) == done.document.functional_total
    return done.document


def cost(project: Project) -> Any:
    """N: without differences of rates."""
    rows = CostEntry.objects.filter(project=project).exclude(kind="fx_diff")
    return sum((entry.amount for entry in rows), Decimal(0))


def differences(project: Project) -> Any:
    rows = CostEntry.objects.filter(project=project, kind="fx_diff")
    return sum((entry.amount for entry in rows), Decimal(0))


def taxes(project: Project) -> Any:
    rows = CostEntry.objects.filter(project=project, tax_treatment=Tax.NON_RECOVERABLE)
    return sum((entry.amount for entry in rows), Decimal(0))


WAYS = {
    "in the line": [a_line(**TAXED)],
    "of its own": [a_line(), a_tax()],
    "of its own, with its request": [a_line(), a_tax(request_id="r-1")],
    "below 0": [a_line("-100.00"), a_tax("-6.00")],
}


@pytest.mark.parametrize(
    "billed", [[a_line(**TAXED)], [a_line(), a_tax()]], ids=["in the line", "of its own"]
)
@pytest.mark.parametrize("way", WAYS)
def test_all_of_it(billed: list[dict[str, Any]], way: str) -> None:
    project, fal = a_world()
    imported(fal, *billed)
    assert cost(project) == 106
    document = credit(fal, *WAYS[way])
    assert document.functional_total == -106
    assert (cost(project), taxes(project), differences(project)) == (0, 0, 0)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "billed", [[a_line(**TAXED)], [a_line(), a_tax()]], ids=["in the line", "of its own"]
)
def test_all_of_it_at_another_rate(billed: list[dict[str, Any]], way: str) -> None:
    project, fal = a_world()
    a_rate(project, DATED.replace(month=10), Decimal("7.2"))
    usd = {"currency": "USD"}
    imported(fal, *(line | usd for line in billed))
    before = cost(project)
    document = credit(fal, *(line | usd for line in WAYS[way]), dated=DATED.replace(month=10))
    assert (before, document.functional_total) == (Decimal("755.08"), Decimal("-763.20"))
    assert (cost(project), differences(project)) == (0, Decimal("-8.12"))
    assert FxRate.objects.count() == 2


def test_the_net_amount_leaves_the_tax() -> None:
    project, fal = a_world()
    imported(fal, a_line(**TAXED))
    credit(fal, a_line())
    assert (cost(project), taxes(project), differences(project)) == (6, 6, 0)
    # its tax comes back later, by its request
    credit(fal, a_tax(request_id="r-1"), number="CN-2")
    assert (cost(project), differences(project)) == (0, 0)


@pytest.mark.parametrize("tax_alone", [False, True])
def test_part_by_part(tax_alone: bool) -> None:
    project, fal = a_world()
    imported(fal, a_line(**TAXED), a_line("50.00", request_id="r-2", **TAXED | {"tax": "4.50"}))
    for number, (net, tax, left) in enumerate([("33.33", "2.00", "125.17"), ("66.67", "4.00", "54.50")]):
        lines = [a_line(net), a_tax(tax)] if tax_alone else [a_line(net, **TAXED | {"tax": tax})]
        credit(fal, *lines, number=f"CN-{number}")
        assert (cost(project), differences(project)) == (Decimal(left), 0)
    assert taxes(project) == Decimal("4.50")


def test_tax_of_its_own_goes_back_to_the_lines_that_were_billed_with_it() -> None:
    project, fal = a_world()
    second = {"request_id": "r-2"}
    imported(
        fal,
        a_line(**TAXED),
        a_line("50.00", **second),
        a_line("10", request_id="r-3", **TAXED | {"tax": "1"}),
    )
    credit(
        fal, a_line(), a_line("50.00", **second), a_line("10", request_id="r-3"), a_tax("6.00"), a_tax("1.00")
    )
    assert (cost(project), taxes(project), differences(project)) == (0, 0, 0)
    by_line = {
        line.request_id: sum(
            entry.amount for entry in CostEntry.objects.filter(supplier_line__request_id=line.request_id)
        )
        for line in SupplierLine.objects.filter(document__kind="invoice")
    }
    assert by_line["r-2"] == 0


def test_it_goes_back_to_every_attempt_that_has_it() -> None:
    project, fal = a_world()
    for number, action in enumerate(actions_for(project, 3)):
        an_attempt(action, at(14, 9 + number), used(f"r-{number}", units="1"))
    bills = [
        a_line("4.00", request_id=f"r-{number}", tax="0.25", tax_treatment="non_recoverable")
        for number in range(3)
    ]
    imported(fal, *bills)
    credit(fal, *(line | {"tax": "", "tax_treatment": ""} for line in bills), a_tax("0.75"))
    entries = CostEntry.objects.filter(project=project, attempt__isnull=False)
    assert cost(project) == 0
    for attempt in set(entries.values_list("attempt", flat=True)):
        assert sum(entry.amount for entry in entries.filter(attempt=attempt)) == 0


def test_more_tax_than_was_billed_is_refused() -> None:
    _, fal = a_world()
    imported(fal, a_line(**TAXED))
    note = {"kind": DocumentKind.CREDIT_NOTE, "number": "CN-1"}
    found = problems(fal, a_line("50.00", **TAXED | {"tax": "6.01"}), **note)
    assert found == [("credit-too-large", 2, "H (tax)")]
    found = problems(fal, a_line("100.01", **TAXED), **note)
    assert found == [("credit-too-large", 2, "F (amount)")]
    assert problems(fal, a_line("-50.00"), a_tax("3.00"), **note) == [("mixed-signs", 3, "H (tax)")]


def test_tax_that_was_recovered_is_no_cost_that_comes_back() -> None:
    project, fal = a_world()
    imported(fal, a_line(**TAXED | {"tax_treatment": "recoverable"}))
    credit(fal, a_line(**TAXED))
    assert (cost(project), differences(project)) == (0, -6)


def test_a_document_of_tax_alone() -> None:
    project, fal = a_world()
    imported(fal, a_tax("6.00"))
    assert (cost(project), taxes(project)) == (6, 6)
    credit(fal, a_tax("6.00"))
    assert (cost(project), differences(project)) == (0, 0)


def test_what_was_shared_out_goes_back_from_where_it_stands() -> None:
    project, fal = a_world()
    for number, action in enumerate(actions_for(project, 3)):
        an_attempt(action, at(14, 9 + number))
    imported(fal, a_line(request_id="", model="", units="", sub_bucket="storage", **TAXED))
    assert allocate(project=project, month=SEPTEMBER, actor="test")
    credit(fal, a_line("40.00", request_id="", credits="1"), credits_number="INV-1")
    assert (cost(project), differences(project)) == (66, 0)
    credit(fal, a_line("60.00", request_id="", credits="1", **TAXED), credits_number="INV-1", number="CN-2")
    assert (cost(project), differences(project)) == (0, 0)
    entries = CostEntry.objects.filter(project=project).exclude(kind="fx_diff")
    for attempt in {entry.attempt_id for entry in entries}:
        assert sum(entry.amount for entry in entries.filter(attempt=attempt)) == 0


def test_the_claim_for_tax_that_did_not_come_back_can_be_given_up() -> None:
    project, fal = a_world()
    (action,) = actions_for(project, 1)
    an_attempt(action, at(14, 9), used("r-1", units="1"))
    imported(fal, a_line(**TAXED), a_line(**TAXED))
    claims = CostEntry.objects.filter(project=project, bearer="provider")
    base, tax = claims.get(amount=100), claims.get(amount=6)
    credit(fal, a_line())
    finance = a_keeper(project)
    with pytest.raises(ClaimSettledError):
        give_up_claim(entry=base, user=finance, words="they refuse")
    give_up_claim(entry=tax, user=finance, words="they refuse")
    assert sum(entry.amount for entry in claims) == 0
